//! Who calls what, when and how patiently, over which pipe.

use proptest::prelude::*;

/// What a request has its handler do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Deed {
    Now,
    Later(u64),
    Fail,
    Panic,
    PanicLater(u64),
}

/// How the caller waits; times in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Patience {
    Endless,
    Deadline(u64),
    GoesAway(u64),
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) from_left: bool,
    pub(super) at: u64,
    pub(super) deed: Deed,
    pub(super) patience: Patience,
    pub(super) padding: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) calls: Vec<Call>,
    /// Which side closes, and when.
    pub(super) end: Option<(bool, u64)>,
    pub(super) pipe: usize,
    pub(super) cuts: [Vec<(usize, u64)>; 4],
}

pub(super) fn plan() -> impl Strategy<Value = Plan> {
    let deed = prop_oneof![
        4 => Just(Deed::Now),
        4 => (0..300u64).prop_map(Deed::Later),
        1 => Just(Deed::Fail),
        1 => Just(Deed::Panic),
        1 => (0..300u64).prop_map(Deed::PanicLater),
    ];
    let patience = prop_oneof![
        2 => Just(Patience::Endless),
        1 => (0..400u64).prop_map(Patience::Deadline),
        1 => (0..400u64).prop_map(Patience::GoesAway),
    ];
    let call = (any::<bool>(), 0..200u64, deed, patience, 0..600usize).prop_map(
        |(from_left, at, deed, patience, padding)| Call {
            from_left,
            at,
            deed,
            patience,
            padding,
        },
    );
    let pauses = prop_oneof![3 => Just(0), 1 => 1..10u64];
    let cuts = || proptest::collection::vec((1..400usize, pauses.clone()), 1..6);
    (
        proptest::collection::vec(call, 1..40),
        proptest::option::weighted(0.3, (any::<bool>(), 0..400u64)),
        1..2000usize,
        [cuts(), cuts(), cuts(), cuts()],
    )
        .prop_map(|(calls, end, pipe, cuts)| Plan {
            calls,
            end,
            pipe,
            cuts,
        })
}
