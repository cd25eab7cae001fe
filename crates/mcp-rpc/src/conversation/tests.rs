//! The conversation as a table: messages and moments in, events out.

use std::time::Duration;

use super::*;

type Talk = Conversation<&'static str, &'static str>;

fn message(text: &str) -> Message {
    Message::decode(text.as_bytes()).unwrap()
}

fn answer(id: &str) -> Message {
    message(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#))
}

fn answered(waiter: &'static str) -> Event<&'static str, &'static str> {
    Event::Answered {
        waiter,
        outcome: Ok(Raw::empty_object()),
    }
}

#[test]
fn responses_out_of_order_are_paired() {
    let mut talk = Talk::default();
    for waiter in ["a", "b", "c"] {
        talk.open(waiter, None).unwrap();
    }
    assert_eq!(talk.receive(answer("3")), answered("c"));
    assert_eq!(talk.receive(answer("\"1\"")), answered("a"));
    assert_eq!(talk.receive(answer("2")), answered("b"));
}

#[test]
fn late_doubled_and_unknown_responses_are_strays() {
    let mut talk = Talk::default();
    talk.open("a", None).unwrap();
    assert_eq!(talk.receive(answer("1")), answered("a"));
    for text in [
        r#"{"id":1,"result":{}}"#,
        r#"{"id":0,"result":{}}"#,
        r#"{"id":"x","result":{}}"#,
        r#"{"error":{"code":1,"message":""}}"#,
        r#"{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#,
        r#"{"method":"notifications/progress","params":{"progress":"?"}}"#,
        r#"{"method":"notifications/progress"}"#,
        r#"{"method":"notifications/cancelled","params":{"requestId":7}}"#,
        r#"{"method":"notifications/cancelled"}"#,
    ] {
        assert!(
            matches!(talk.receive(message(text)), Event::Stray(_)),
            "{text}"
        );
    }
}

#[test]
fn deadlines_expire_in_order_and_a_late_answer_is_a_stray() {
    let start = Instant::now();
    let at = |seconds| start + Duration::from_secs(seconds);
    let mut talk = Talk::default();
    talk.open("slow", Some(at(9))).unwrap();
    talk.open("quick", Some(at(2))).unwrap();
    talk.open("patient", None).unwrap();
    assert_eq!(talk.next_deadline(), Some(at(2)));
    assert_eq!(talk.expire(at(1)), []);
    assert_eq!(
        talk.expire(at(2)),
        [Expired {
            id: 2,
            waiter: "quick"
        }]
    );
    assert!(matches!(talk.receive(answer("2")), Event::Stray(_)));
    assert_eq!(talk.next_deadline(), Some(at(9)));
    assert_eq!(
        talk.expire(at(100)),
        [Expired {
            id: 1,
            waiter: "slow"
        }]
    );
    assert_eq!(talk.next_deadline(), None);
}

#[test]
fn closing_fails_every_waiter_at_once_and_opens_nothing_more() {
    let mut talk = Talk::default();
    talk.open("a", None).unwrap();
    talk.open("b", None).unwrap();
    assert_eq!(talk.close(), ["a", "b"]);
    assert_eq!(talk.open("c", None), Err("c"));
    assert_eq!(talk.close(), Vec::<&str>::new());
}

#[test]
fn a_dropped_waiter_is_abandoned_once() {
    let mut talk = Talk::default();
    let id = talk.open("a", None).unwrap();
    assert_eq!(talk.abandon(id), Some("a"));
    assert_eq!(talk.abandon(id), None);
}

#[test]
fn a_cancelled_request_is_not_answered_and_ids_keep_their_type() {
    let mut talk = Talk::default();
    talk.serve(RequestId::from(0), "number").unwrap();
    talk.serve(RequestId::from("0"), "string").unwrap();
    talk.serve(RequestId::from(""), "empty").unwrap();
    assert_eq!(talk.serve(RequestId::from(0), "twin"), Err("twin"));
    let cancel = |id: &str| {
        message(&format!(
            r#"{{"method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        ))
    };
    assert_eq!(
        talk.receive(cancel("\"0\"")),
        Event::Cancelled { server: "string" }
    );
    assert!(!talk.served(&RequestId::from("0")));
    assert!(talk.served(&RequestId::from(0)));
    assert_eq!(
        talk.receive(cancel("\"\"")),
        Event::Cancelled { server: "empty" }
    );
    assert_eq!(talk.serving(), 0);
}

#[test]
fn progress_finds_its_request() {
    let mut talk = Talk::default();
    let id = talk.open("a", None).unwrap();
    let text = r#"{"method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}"#;
    let Event::Progress { id: found, params } = talk.receive(message(text)) else {
        panic!("no progress")
    };
    assert_eq!((found, params.progress), (id, 0.5));
    assert_eq!(talk.waiter(found), Some(&"a"));
}
