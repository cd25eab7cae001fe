//! More than can be served or kept: bounded, refused, and without harm to the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, split};

use super::side::{Lines, Shared, Side, echo, pair, start};
use crate::{CloseReason, DriverOptions, RequestOptions, RpcError, connect};

#[tokio::test]
async fn a_flood_of_requests_is_refused_beyond_the_limit() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, side, _) = start(
        right,
        DriverOptions {
            max_serving: 2,
            ..DriverOptions::default()
        },
    );
    let calls: Vec<_> = (0..5)
        .map(|_| {
            peer.send(
                "wait",
                |out, _| out.extend(b"{}"),
                RequestOptions::default(),
            )
        })
        .collect();
    let mut refused = 0;
    let mut waiting = Vec::new();
    for (index, call) in calls.into_iter().enumerate() {
        match index {
            0 | 1 => waiting.push(call),
            _ => refused += usize::from(matches!(call.await, Err(RpcError::Error(_)))),
        }
    }
    assert_eq!(refused, 3);
    side.go.notify_waiters();
    for call in waiting {
        call.await.unwrap();
    }
}

#[tokio::test]
async fn whoever_reads_no_refusals_is_read_no_further_until_it_does() {
    let (near, far) = tokio::io::duplex(1 << 18);
    let (far_reader, far_writer) = split(far);
    let options = DriverOptions {
        max_serving: 0,
        ..DriverOptions::default()
    };
    let handler = Arc::new(Shared(Arc::default()));
    let (peer, driver) = connect(far_reader, far_writer, handler, options);
    tokio::spawn(driver);
    // More than the pipe holds, so that refusals pile up behind it.
    let filler = format!("\"{}\"", "x".repeat(300_000));
    peer.notify("filler", Some(&filler));
    let (reader, mut writer) = split(near);
    let asked = "{\"id\":1,\"method\":\"echo\"}\n".repeat(2000);
    writer.write_all(asked.as_bytes()).await.unwrap();
    while !peer.shared.lock().outbox.is_refusing_too_much() {
        tokio::task::yield_now().await;
    }
    let refused = peer.shared.lock().outbox.unwritten();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(peer.shared.lock().outbox.unwritten(), refused);
    // Room for all that is queued: nothing but the driver itself makes it read on.
    let mut lines = BufReader::with_capacity(1 << 18, reader).lines();
    for _ in 0..=2000 {
        assert!(lines.next_line().await.unwrap().is_some());
    }
}

#[tokio::test]
async fn notifications_without_end_starve_neither_writing_nor_deadlines() {
    // Always ready: nothing but the driver's own bound interrupts it.
    let endless = std::iter::repeat_n(b"{\"method\":\"told\"}\n", 1 << 14);
    let text: Vec<u8> = endless.flat_map(|line| line.iter().copied()).collect();
    let side = Arc::new(Side::default());
    let (near, far) = tokio::io::duplex(1 << 16);
    let (peer, driver) = connect(
        std::io::Cursor::new(text),
        far,
        Arc::new(Shared(side.clone())),
        DriverOptions::default(),
    );
    let options = RequestOptions {
        deadline: Some(std::time::Instant::now() - Duration::from_secs(1)),
        ..RequestOptions::default()
    };
    let call = peer.send("echo", |out, _| out.extend(b"{}"), options);
    let mut driver = Box::pin(driver);
    let woken = Arc::new(Woken::default());
    let waker = std::task::Waker::from(woken.clone());
    let mut cx = std::task::Context::from_waker(&waker);
    assert!(driver.as_mut().poll(&mut cx).is_pending());
    let told = side.told.lock().unwrap().len();
    assert!((1..=256).contains(&told), "{told} in one poll");
    assert!(woken.0.load(Ordering::SeqCst), "it goes on by itself");
    assert!(matches!(call.await, Err(RpcError::Timeout)));
    let mut line = String::new();
    BufReader::new(near).read_line(&mut line).await.unwrap();
    assert!(line.contains("echo"), "{line}");
    assert!(matches!(driver.await, CloseReason::Eof));
    assert_eq!(side.told.lock().unwrap().len(), 1 << 14);
}

#[tokio::test]
async fn a_line_without_end_is_interrupted_too() {
    let (near, far) = tokio::io::duplex(1 << 16);
    let side = Arc::new(Side::default());
    let (peer, driver) = connect(
        tokio::io::repeat(b'x'),
        far,
        Arc::new(Shared(side)),
        DriverOptions::default(),
    );
    let driver = tokio::spawn(driver);
    peer.notify("told", None);
    let mut line = String::new();
    BufReader::new(near).read_line(&mut line).await.unwrap();
    assert_eq!(line, "{\"jsonrpc\":\"2.0\",\"method\":\"told\"}\n");
    peer.close();
    assert!(matches!(driver.await.unwrap(), CloseReason::Local));
}

#[tokio::test]
async fn requests_and_cancellations_in_turn_are_bounded_too() {
    let (mut lines, side, _peer, _) = Lines::start(DriverOptions {
        max_serving: 1,
        ..DriverOptions::default()
    });
    let turn = [
        r#"{"id":1,"method":"wait"}"#,
        r#"{"method":"notifications/cancelled","params":{"requestId":1}}"#,
    ];
    for _ in 0..100 {
        lines.say(&turn.repeat(20)).await;
    }
    lines.say(&[r#"{"id":2,"method":"echo"}"#]).await;
    assert_eq!(
        lines.next().await,
        r#"{"jsonrpc":"2.0","id":2,"result":{}}"#
    );
    lines.say(&[r#"{"id":3,"method":"echo"}"#]).await;
    lines.next().await;
    assert_eq!(side.dropped.load(Ordering::SeqCst), 2000);
}

#[tokio::test]
async fn a_batch_is_taken_apart_where_it_may_come() {
    let (mut lines, side, peer, _) = Lines::start(DriverOptions::default());
    let batch = r#"[{"id":1,"method":"echo"},{"method":"told"},7,{"id":2,"method":"echo"}]"#;
    lines.say(&[batch]).await;
    assert!(lines.next().await.contains("a batch, which"));
    peer.accept_batches(true);
    lines.say(&[batch]).await;
    assert_eq!(
        lines.next().await,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#
    );
    assert_eq!(
        lines.next().await,
        r#"{"jsonrpc":"2.0","id":2,"result":{}}"#
    );
    assert_eq!(*side.told.lock().unwrap(), ["told"]);
    assert_eq!(side.noise.load(Ordering::SeqCst), 2);
    let calls = [echo(&peer, "{}"), echo(&peer, "{}")];
    lines.next().await;
    lines.next().await;
    lines
        .say(&[r#"[{"id":2,"result":2},{"id":1,"result":1}]"#])
        .await;
    let [first, second] = calls;
    assert_eq!(first.await.unwrap().get(), "1");
    assert_eq!(second.await.unwrap().get(), "2");
}

#[derive(Default)]
struct Woken(AtomicBool);

impl std::task::Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::SeqCst);
    }
}
