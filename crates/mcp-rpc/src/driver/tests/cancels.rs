//! Cancellations that cross answers, come twice, too early or too late.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::timeout;

use super::side::{Lines, echo, pair, start};
use crate::{DriverOptions, RequestOptions, RpcError};

const CANCEL_1: &str = r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#;
const DONE_1: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
const PING: &str = r#"{"id":"ping","method":"echo"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":"ping","result":{}}"#;

#[tokio::test]
async fn a_request_cancelled_before_its_first_poll_never_begins() {
    let (mut lines, side, ..) = Lines::start(DriverOptions::default());
    // One chunk: the task has not run when the cancellation is read.
    lines
        .say(&[r#"{"id":1,"method":"begin"}"#, CANCEL_1, PING])
        .await;
    assert_eq!(lines.next().await, PONG);
    lines.say(&[PING]).await;
    assert_eq!(lines.next().await, PONG);
    assert_eq!(*side.told.lock().unwrap(), Vec::<String>::new());
    assert_eq!(side.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn only_the_first_of_two_cancellations_counts_and_none_of_the_finished() {
    let (mut lines, side, ..) = Lines::start(DriverOptions::default());
    lines
        .say(&[r#"{"id":1,"method":"wait"}"#, CANCEL_1, CANCEL_1, PING])
        .await;
    assert_eq!(lines.next().await, PONG);
    assert_eq!(side.noise.load(Ordering::SeqCst), 1);
    lines.say(&[r#"{"id":1,"method":"echo"}"#]).await;
    assert_eq!(lines.next().await, DONE_1);
    // Some hosts cancel whatever has finished (D42).
    lines.say(&[CANCEL_1, PING]).await;
    assert_eq!(lines.next().await, PONG);
    assert_eq!(side.noise.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_id_that_is_used_again_after_its_cancellation_gets_its_own_answer() {
    let (mut lines, side, ..) = Lines::start(DriverOptions::default());
    lines
        .say(&[
            r#"{"id":1,"method":"wait"}"#,
            CANCEL_1,
            r#"{"id":1,"method":"wait"}"#,
            PING,
        ])
        .await;
    assert_eq!(lines.next().await, PONG);
    assert_eq!(side.dropped.load(Ordering::SeqCst), 1);
    side.go.notify_one();
    assert_eq!(lines.next().await, DONE_1);
}

#[tokio::test]
async fn twins_of_another_type_are_other_requests() {
    let (mut lines, side, ..) = Lines::start(DriverOptions::default());
    lines
        .say(&[
            r#"{"id":0,"method":"wait"}"#,
            r#"{"id":"0","method":"wait"}"#,
            r#"{"id":"","method":"wait"}"#,
            r#"{"method":"notifications/cancelled","params":{"requestId":"0"}}"#,
            r#"{"method":"notifications/cancelled","params":{"requestId":""}}"#,
            PING,
        ])
        .await;
    assert_eq!(lines.next().await, PONG);
    side.go.notify_one();
    let answer = lines.next().await;
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
}

#[tokio::test]
async fn an_answer_that_waits_for_room_can_still_be_cancelled() {
    let (mut lines, _side, peer, _) = Lines::start(DriverOptions::default());
    let long = format!("\"{}\"", "x".repeat(2 << 20));
    peer.notify("filler", Some(&long));
    tokio::task::yield_now().await;
    peer.notify("filler", Some(&long));
    let serving = async |count| {
        while peer.shared.lock().conversation.serving() != count {
            tokio::task::yield_now().await;
        }
    };
    lines.say(&[r#"{"id":1,"method":"echo"}"#]).await;
    serving(1).await;
    lines.say(&[CANCEL_1]).await;
    serving(0).await;
    lines.say(&[PING]).await;
    lines.next().await;
    lines.next().await;
    assert_eq!(lines.next().await, PONG);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_crosses_our_cancellation_is_a_stray() {
    let (mut lines, side, peer, _) = Lines::start(DriverOptions::default());
    let call = echo(&peer, "{}");
    lines.next().await;
    // The answer is on its way while the caller leaves.
    drop(call);
    lines
        .say(&[r#"{"id":1,"result":{}}"#, r#"{"id":"1","result":{}}"#, PING])
        .await;
    let cancellation = lines.next().await;
    assert!(
        cancellation.contains(r#"{"requestId":1,"reason":"#),
        "{cancellation}"
    );
    assert_eq!(lines.next().await, PONG);
    assert_eq!(side.noise.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn whoever_leaves_with_the_answer_at_hand_cancels_nothing() {
    let (mut lines, _side, peer, _) = Lines::start(DriverOptions::default());
    let call = echo(&peer, "{}");
    lines.next().await;
    lines.say(&[r#"{"id":"1","result":{}}"#, PING]).await;
    assert_eq!(lines.next().await, PONG);
    drop(call);
    lines.say(&[PING]).await;
    assert_eq!(lines.next().await, PONG);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_ends_the_wait_and_is_not_answered() {
    let (mut lines, _side, peer, _) = Lines::start(DriverOptions::default());
    for (answer, reason) in [
        (
            r#""result":{},"error":{"code":1,"message":""}"#,
            "both a result",
        ),
        (r#""error":"text""#, "no error object"),
        (r#""jsonrpc":"2.0""#, "no method, result or error"),
    ] {
        let call = echo(&peer, "{}");
        let id = call.id().unwrap();
        lines.next().await;
        lines
            .say(&[&format!(r#"{{"id":{id},{answer}}}"#), PING])
            .await;
        let Err(RpcError::Error(error)) = call.await else {
            panic!("no error")
        };
        assert!(error.message.contains(reason), "{}", error.message);
        assert_eq!(lines.next().await, PONG);
    }
    // Nobody waits for it, but it is none of their requests either.
    lines
        .say(&[r#"{"id":1,"error":"late"}"#, r#"{"id":2,"method":7}"#])
        .await;
    assert!(lines.next().await.contains(r#""id":2,"error""#));
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_while_it_waits_for_room_has_sent_nothing() {
    let (left, _right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let long = format!("\"{}\"", "x".repeat(2 << 20));
    peer.notify("filler", Some(&long));
    tokio::task::yield_now().await;
    peer.notify("filler", Some(&long));
    let second = Duration::from_secs(1);
    let ask = |options| peer.request("echo", |out, _| out.extend(b"{}"), options);
    assert!(
        timeout(second, ask(RequestOptions::default()))
            .await
            .is_err()
    );
    let options = RequestOptions {
        deadline: Some((tokio::time::Instant::now() + second).into_std()),
        ..RequestOptions::default()
    };
    assert!(matches!(ask(options).await, Err(RpcError::Timeout)));
    assert_eq!(peer.shared.lock().conversation.waiting(), 0);
    let mut queued = Vec::new();
    peer.shared.lock().outbox.take(&mut queued);
    assert!(!String::from_utf8(queued).unwrap().contains("echo"));
}
