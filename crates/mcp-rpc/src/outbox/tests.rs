//! What becomes of each kind of line when nothing is read.

use super::*;

fn full() -> Outbox {
    let mut outbox = Outbox::default();
    let long = "x".repeat(HIGH_WATER);
    outbox.notification("filler", Some(&format!("\"{long}\"")));
    assert!(!outbox.has_room());
    outbox
}

/// The lines behind the filler.
fn rest(outbox: &mut Outbox) -> Vec<String> {
    let mut lines = Vec::new();
    outbox.take(&mut lines);
    let text = String::from_utf8(lines).unwrap();
    let lines = text.lines().filter(|line| !line.contains("filler"));
    lines
        .map(|line| line.replace(r#""jsonrpc":"2.0","#, ""))
        .collect()
}

#[test]
fn one_line_may_be_larger_than_the_bound() {
    let mut outbox = full();
    let mut lines = Vec::new();
    assert!(outbox.take(&mut lines));
    assert!(lines.len() > HIGH_WATER);
    assert!(outbox.has_room());
}

#[test]
fn talk_is_dropped_and_counted_what_matters_is_kept() {
    let mut outbox = full();
    let progress = Progress {
        progress: 1.0,
        total: None,
        message: None,
    };
    outbox.progress(&RequestId::from(1), &progress);
    for method in [
        methods::PROGRESS,
        methods::LOG_MESSAGE,
        "notifications/custom",
        methods::INITIALIZED,
        methods::TOOLS_LIST_CHANGED,
    ] {
        outbox.notification(method, None);
    }
    outbox.cancellation(7, "late");
    let dropped = Dropped {
        progress: 2,
        notifications: 2,
    };
    assert_eq!(outbox.dropped(), dropped);
    assert_eq!(
        rest(&mut outbox),
        [
            r#"{"method":"notifications/initialized"}"#,
            r#"{"method":"notifications/tools/list_changed"}"#,
            r#"{"method":"notifications/cancelled","params":{"requestId":7,"reason":"late"}}"#,
        ]
    );
}

#[test]
fn talk_leaves_room_for_answers() {
    let mut outbox = Outbox::default();
    for _ in 0..100_000 {
        outbox.notification(methods::LOG_MESSAGE, Some("{}"));
    }
    assert!(outbox.has_room());
    assert!(outbox.dropped().notifications > 0);
    outbox.notification("notifications/custom", None);
    assert_eq!(
        rest(&mut outbox).last().unwrap(),
        r#"{"method":"notifications/custom"}"#
    );
}

#[test]
fn an_unread_change_is_told_once_until_it_is_taken() {
    let mut outbox = full();
    let tell = |outbox: &mut Outbox| {
        for _ in 0..3 {
            outbox.notification(methods::TOOLS_LIST_CHANGED, None);
            outbox.notification(methods::TOOLS_LIST_CHANGED, Some(r#"{"of":"another"}"#));
            outbox.notification(methods::PROMPTS_LIST_CHANGED, None);
        }
    };
    tell(&mut outbox);
    assert_eq!(rest(&mut outbox).len(), 3);
    tell(&mut outbox);
    assert_eq!(rest(&mut outbox).len(), 9, "with room nothing is left out");
    assert_eq!(outbox.dropped(), Dropped::default());
}

#[test]
fn refusals_are_bounded_until_they_are_taken() {
    let mut outbox = Outbox::default();
    let error = ErrorObject::new(1, "no");
    for _ in 0..MAX_REFUSALS {
        assert!(!outbox.is_refusing_too_much());
        outbox.refusal(None, &error);
    }
    assert!(outbox.is_refusing_too_much());
    outbox.take(&mut Vec::new());
    assert!(!outbox.is_refusing_too_much());
}

#[test]
fn half_a_line_is_taken_back() {
    let mut outbox = Outbox::default();
    let params = |out: &mut Vec<u8>| {
        out.extend(b"{\"half");
        panic!("the caller's mistake")
    };
    let write = std::panic::AssertUnwindSafe(|| outbox.request(&RequestId::from(1), "m", params));
    assert!(std::panic::catch_unwind(write).is_err());
    assert_eq!(rest(&mut outbox), Vec::<String>::new());
}
