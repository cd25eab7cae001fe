//! What may happen to a conversation.

use proptest::prelude::*;
use proptest::sample::Index;

/// What may happen. An `Index` picks among the ids that were ever given out.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Open(Option<u8>),
    Answer(Index, Form, bool),
    AnswerNobody(&'static str),
    GiveUp(Index, Form),
    Abandon(Index),
    Progress(Index, Form),
    Wait(u8),
    Ask(&'static str),
    Served(&'static str),
    Cancel(&'static str),
    CancelNothing(&'static str),
    Tell,
    Close,
}

/// How the other side writes an id of ours.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Number,
    String,
}

/// Ids of the other side, each beside its twin of the other type.
const THEIRS: [&str; 8] = [
    "0",
    "\"0\"",
    "\"\"",
    "1",
    "\"1\"",
    "-1",
    "\"00\"",
    "\"\\u0030\"",
];

/// What never was an id of ours, however alike.
const NOBODY: [&str; 12] = [
    "0",
    "-1",
    "\"0\"",
    "\"\"",
    "\"01\"",
    "\"+1\"",
    "\" 1\"",
    "\"1.0\"",
    "\"one\"",
    "9223372036854775807",
    "\"00000000-0000-0000-0000-000000000000\"",
    "null",
];

/// Parameters of cancellations that name nothing.
const NOTHING: [&str; 5] = [
    r#"{"requestId":7}"#,
    r#"{"requestId":null}"#,
    r#"{"requestId":0.5}"#,
    r#"{"reason":"?"}"#,
    "[0]",
];

pub(super) fn step() -> impl Strategy<Value = Step> {
    let form = || prop_oneof![Just(Form::Number), Just(Form::String)];
    let theirs = || proptest::sample::select(&THEIRS[..]);
    prop_oneof![
        6 => proptest::option::of(0..20u8).prop_map(Step::Open),
        6 => (any::<Index>(), form(), any::<bool>()).prop_map(|(at, form, ok)| Step::Answer(at, form, ok)),
        2 => proptest::sample::select(&NOBODY[..]).prop_map(Step::AnswerNobody),
        1 => (any::<Index>(), form()).prop_map(|(at, form)| Step::GiveUp(at, form)),
        2 => any::<Index>().prop_map(Step::Abandon),
        2 => (any::<Index>(), form()).prop_map(|(at, form)| Step::Progress(at, form)),
        3 => (0..8u8).prop_map(Step::Wait),
        4 => theirs().prop_map(Step::Ask),
        3 => theirs().prop_map(Step::Served),
        3 => theirs().prop_map(Step::Cancel),
        1 => proptest::sample::select(&NOTHING[..]).prop_map(Step::CancelNothing),
        1 => Just(Step::Tell),
        1 => (0..6u8).prop_map(|dice| if dice == 0 { Step::Close } else { Step::Tell }),
    ]
}
