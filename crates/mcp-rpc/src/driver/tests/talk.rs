//! What two sides say to each other when both behave.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_proto::error_object;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, split};
use tokio::time::Instant;

use super::side::{echo, pair, start};
use crate::{CloseReason, DriverOptions, RequestOptions, RpcError};

#[tokio::test]
async fn both_sides_ask_and_a_handler_may_ask_back() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, ..) = start(right, DriverOptions::default());
    assert_eq!(
        echo(&peer, "{\"a\" : 1}").await.unwrap().get(),
        "{\"a\" : 1}"
    );
    let nested = peer
        .request(
            "nest",
            |out, _| out.extend(b"{}"),
            RequestOptions::default(),
        )
        .await;
    assert_eq!(nested.unwrap().get(), "[7]");
    let refused = peer
        .request(
            "what",
            |out, _| out.extend(b"{}"),
            RequestOptions::default(),
        )
        .await;
    assert!(
        matches!(refused, Err(RpcError::Error(error)) if error.code == error_object::METHOD_NOT_FOUND)
    );
}

#[tokio::test]
async fn a_thousand_concurrent_calls_stay_framed() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, side, _) = start(right, DriverOptions::default());
    let calls: Vec<_> = (0..1000)
        .map(|call| {
            let peer = peer.clone();
            tokio::spawn(async move {
                let text = format!("{{\"call\":{call},\"pad\":\"{}\"}}", "x".repeat(call));
                assert_eq!(echo(&peer, &text).await.unwrap().get(), text);
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(side.noise.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_the_wait_and_tells_the_other_side() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, side, _) = start(right, DriverOptions::default());
    let options = |seconds| RequestOptions {
        deadline: Some((Instant::now() + Duration::from_secs(seconds)).into_std()),
        ..RequestOptions::default()
    };
    let begin = Instant::now();
    let late = peer.send("wait", |out, _| out.extend(b"{}"), options(30));
    let soon = peer.send("wait", |out, _| out.extend(b"{}"), options(10));
    assert!(matches!(soon.await, Err(RpcError::Timeout)));
    assert_eq!(begin.elapsed().as_secs(), 10);
    assert!(matches!(late.await, Err(RpcError::Timeout)));
    assert_eq!(begin.elapsed().as_secs(), 30);
    assert!(echo(&peer, "{}").await.is_ok());
    assert_eq!(
        side.dropped.load(Ordering::SeqCst),
        2,
        "the other side has dropped both"
    );
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_and_its_id_never_answered() {
    let (left, right) = pair();
    let (peer, own, _) = start(left, DriverOptions::default());
    let (_other, side, _) = start(right, DriverOptions::default());
    drop(peer.send(
        "wait",
        |out, _| out.extend(b"{}"),
        RequestOptions::default(),
    ));
    // Frames keep their order, so the cancellation has arrived when this is answered.
    echo(&peer, "{}").await.unwrap();
    echo(&peer, "{}").await.unwrap();
    assert_eq!(side.dropped.load(Ordering::SeqCst), 1);
    assert_eq!(own.noise.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_end_of_the_other_side_fails_every_waiter_at_once() {
    let (left, right) = pair();
    let (peer, _, driver) = start(left, DriverOptions::default());
    let (other, ..) = start(right, DriverOptions::default());
    let waits: Vec<_> = (0..3)
        .map(|_| {
            peer.send(
                "wait",
                |out, _| out.extend(b"{}"),
                RequestOptions::default(),
            )
        })
        .collect();
    other.close();
    for wait in waits {
        assert!(matches!(
            wait.await,
            Err(RpcError::Closed(CloseReason::Eof))
        ));
    }
    assert!(matches!(driver.await, Ok(CloseReason::Eof)));
    assert!(matches!(echo(&peer, "{}").await, Err(RpcError::Closed(_))));
}

#[tokio::test]
async fn a_driver_that_is_dropped_leaves_nobody_waiting() {
    let (left, _right) = pair();
    let (peer, _, driver) = start(left, DriverOptions::default());
    let wait = echo(&peer, "{}");
    driver.abort();
    assert!(matches!(wait.await, Err(RpcError::Closed(_))));
}

#[tokio::test]
async fn progress_reaches_the_caller_in_order() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, ..) = start(right, DriverOptions::default());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let options = RequestOptions {
        progress: Some(Arc::new(move |params| {
            sink.lock().unwrap().push(params.progress)
        })),
        ..RequestOptions::default()
    };
    peer.request("progress", |out, _| out.extend(b"{}"), options)
        .await
        .unwrap();
    assert_eq!(*seen.lock().unwrap(), [1.0, 2.0, 3.0]);
}

#[tokio::test]
async fn what_was_asked_before_the_end_of_input_is_still_answered() {
    let (near, far) = tokio::io::duplex(1 << 16);
    let options = DriverOptions {
        drain: Duration::from_secs(5),
        answer_garbage: true,
        ..DriverOptions::default()
    };
    let (_peer, side, driver) = start(split(far), options);
    let (reader, mut writer) = split(near);
    writer
        .write_all(b"\xef\xbb\xbf{\"id\":0,\"method\":\"wait\"}\r\nnoise\n[]\n{\"id\":0,\"method\":\"echo\"}\n{\"method\":\"told\"}\n{\"id\":\"\",\"method\":\"echo\"}")
        .await
        .unwrap();
    writer.shutdown().await.unwrap();
    let mut lines = BufReader::new(reader).lines();
    let mut answers = Vec::new();
    while answers.len() < 4 {
        answers.push(lines.next_line().await.unwrap().unwrap());
    }
    side.go.notify_one();
    answers.push(lines.next_line().await.unwrap().unwrap());
    assert_eq!(
        answers,
        [
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: expected ident at line 1 column 2"}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"a batch, which the negotiated revision does not have"}}"#,
            r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"the id is that of a request still being served"}}"#,
            r#"{"jsonrpc":"2.0","id":"","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":0,"result":{}}"#,
        ]
    );
    assert!(matches!(driver.await, Ok(CloseReason::Eof)));
    assert_eq!(*side.told.lock().unwrap(), ["told"]);
}
