//! How sessions end, and what is still answered then.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_server::{CloseReason, ServeOptions};

use crate::host::{Fixture, Host};

const WAIT: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}"#;

#[tokio::test]
async fn what_was_asked_before_the_end_of_input_is_answered() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.send(WAIT).await;
    host.is_quiet().await;
    host.close_input().await;
    fixture.go.notify_one();
    assert_eq!(
        host.rest().await,
        [r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"gone"}]}}"#]
    );
    assert!(matches!(host.session.await.unwrap(), CloseReason::Eof));
}

#[tokio::test(start_paused = true)]
async fn what_takes_longer_than_two_seconds_after_the_end_of_input_is_dropped() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.send(WAIT).await;
    host.is_quiet().await;
    let begin = tokio::time::Instant::now();
    host.close_input().await;
    assert!(host.rest().await.is_empty());
    assert_eq!(begin.elapsed().as_secs(), 2);
    assert!(matches!(host.session.await.unwrap(), CloseReason::Eof));
    assert_eq!(fixture.dropped.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn an_open_subscription_does_not_hold_the_end_up() {
    let (mut host, _) = Host::start(Fixture::default());
    let listen = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}},{}}}}}"#,
        crate::host::META
    );
    host.ask(&listen).await;
    host.close_input().await;
    assert_eq!(host.rest().await.len(), 1, "its result");
    assert!(matches!(host.session.await.unwrap(), CloseReason::Eof));
}

#[tokio::test]
async fn a_session_that_is_dropped_drops_what_runs_in_it() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.send(WAIT).await;
    host.is_quiet().await;
    host.session.abort();
    assert!(host.rest().await.is_empty());
    while fixture.dropped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    while Arc::strong_count(&fixture) > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_the_next_one_answered() {
    let options = ServeOptions {
        max_line: 100,
        drain: Duration::ZERO,
        ..ServeOptions::default()
    };
    let mut host = Host::of(Arc::new(Fixture::default()), options);
    host.check(
        &"x".repeat(101),
        r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"a line of 101 bytes; at most 100 are read"}}"#,
    )
    .await;
    host.is_quiet().await;
}

#[tokio::test]
async fn eight_mebibytes_are_read_by_default() {
    assert_eq!(ServeOptions::default().max_line, 8 << 20);
    assert_eq!(ServeOptions::default().drain, Duration::from_secs(2));
}
