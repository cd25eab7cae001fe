//! Calls: to the right server, once, and with an explanation where there is no result.

use std::time::Duration;

use mcp_client::{CallOptions, ToolCall};
use mcp_definitions::ServerDefinition;
use mcp_manager::{ErrorCode, ErrorKind, ServerState};
use mcp_proto::Raw;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::host::{Host, lazy, rest, server};

#[tokio::test(start_paused = true)]
async fn manager_call_routes_to_right_server() {
    let host = Host::settled([
        server("a", "slow"),
        server("b", "plain"),
        lazy("c", "plain"),
    ])
    .await;
    let whose = r#"{"name":"NAME"}"#;
    let answers = tokio::join!(
        host.call("a", "env", whose),
        host.call("b", "env", whose),
        host.call("c", "env", whose),
    );
    assert_eq!(answers.0.unwrap(), "a");
    assert_eq!(answers.1.unwrap(), "b");
    assert_eq!(answers.2.unwrap(), "c");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn manager_concurrent_calls_stay_framed() {
    let host = Host::start([
        server("a", "plain --chunk 7"),
        server("b", "junk-first"),
        server("c", "modern"),
    ]);
    let mut calls = JoinSet::new();
    for number in 0..150 {
        let name = ["a", "b", "c"][number % 3];
        let manager = host.manager.clone();
        calls.spawn(async move {
            let text = format!("{name}-{number}-{}", "x".repeat(number * 40));
            let arguments = Raw::parse(format!(r#"{{"text":"{text}"}}"#)).unwrap();
            let call = ToolCall::new("echo", Some(arguments));
            let result = manager.call(name, &call, CallOptions::default()).await;
            assert!(result.unwrap().get().contains(&format!("\"{text}\"")));
        });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap();
    }
    for name in ["a", "b", "c"] {
        assert_eq!(host.fakes.starts(name), 1);
        assert_eq!(host.fakes.sent(name, "tools/call echo"), 50);
    }
    host.manager.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn manager_call_to_offline_server_explains() {
    let host = Host::settled([server("files", "exit-at-once")]).await;
    let error = host.echo("files").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotConnected);
    assert_eq!(error.code().as_str(), "mcp_server_unavailable");
    assert_eq!(
        error.message,
        "files: the server is not there: exited with code 3 before the handshake, after 0s. Its last output: exit-at-once exits with code 3. Nothing was sent; the next call or `connect` tries again."
    );
    // A failed start is tried once more for each who asks, and not by itself.
    assert_eq!(host.fakes.starts("files"), 4);
}

#[tokio::test(start_paused = true)]
async fn unknown_tool_is_request_failed_and_not_sent() {
    let host = Host::settled([server("a", "plain")]).await;
    let error = host.call("a", "ecko", "{}").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::UnknownTool);
    assert_eq!(error.code(), ErrorCode::RequestFailed);
    assert_eq!(
        error.message,
        "a: it has no tool \"ecko\" among its 8. Not sent; list or search for the right name."
    );
    assert_eq!(host.fakes.sent("a", "tools/call ecko"), 0);
}

#[tokio::test(start_paused = true)]
async fn slow_call_does_not_block_health() {
    let hung = ServerDefinition {
        tool_timeout: Some(Duration::from_secs(40)),
        ..server("a", "hang")
    };
    let host = Host::settled([hung, server("b", "plain")]).await;
    let begin = Instant::now();
    let (error, ()) = tokio::join!(host.echo("a"), async {
        rest().await;
        assert_eq!(host.fakes.sent("a", "tools/call echo"), 1);
        assert_eq!(host.echo("b").await.unwrap(), "hi");
        assert_eq!(host.state("a"), ServerState::Ready);
        assert_eq!(host.manager.health().len(), 2);
        assert!(begin.elapsed() < Duration::from_millis(2));
    });
    let error = error.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout);
    assert_eq!(begin.elapsed().as_secs(), 40);
    assert_eq!(
        error.message,
        "a: call echo: no answer within 40s; the server was told to stop. It may have been carried out: check before you repeat it."
    );
    rest().await;
    assert_eq!(host.fakes.sent("a", "notifications/cancelled"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_a_starting_server_no_longer_than_it_may() {
    let advised = ServerDefinition {
        startup_timeout: Some(Duration::from_secs(5)),
        not_ready_advice: Some("Use grep meanwhile.".into()),
        ..lazy("b", "no-initialize")
    };
    let host = Host::start([lazy("a", "no-initialize"), advised]);
    let begin = Instant::now();
    let error = host.echo("a").await.unwrap_err();
    assert_eq!(begin.elapsed().as_secs(), 30);
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert_eq!(
        error.message,
        "a: the server is still starting (no handshake yet, for 30s). Nothing was sent; call again later, or use another tool."
    );
    let error = host.echo("b").await.unwrap_err();
    assert_eq!(begin.elapsed().as_secs(), 35);
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::NotReady, "Use grep meanwhile.")
    );
    // A caller with less time waits less.
    let call = ToolCall::new("echo", None);
    let options = CallOptions {
        deadline: Some((Instant::now() + Duration::from_secs(2)).into_std()),
        ..CallOptions::default()
    };
    let error = host.manager.call("a", &call, options).await.unwrap_err();
    assert_eq!(begin.elapsed().as_secs(), 37);
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (1, ServerState::Starting)
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_have_run_is_never_sent_again() {
    let host = Host::settled([server("a", "die-on-call")]).await;
    let error = host.call("a", "die", "{}").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Disconnected);
    assert_eq!(
        error.message,
        "a: call die: the server was lost in mid-call (exited with code 1). Outcome unknown, not repeated: check before you repeat it. Its last output: die-on-call exits with code 1"
    );
    rest().await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (2, ServerState::Ready)
    );
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    assert_eq!(host.fakes.sent("a", "tools/call die"), 1);
}

#[tokio::test(start_paused = true)]
async fn failed_call_on_dead_process_goes_offline_immediately() {
    let host = Host::settled([server("a", "die-on-call")]).await;
    // Its one reconnect is used up, so that nothing hides the loss.
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    host.call("a", "die", "{}").await.unwrap_err();
    assert_eq!(host.state("a"), ServerState::Offline);
    assert_eq!(host.fakes.starts("a"), 2);
    // The next one is not sent into the dead pipe, but to the server that comes after it.
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    assert_eq!(host.fakes.sent("a", "tools/call echo"), 1);
}

#[tokio::test(start_paused = true)]
async fn at_whatever_moment_a_server_goes_a_call_is_sent_at_most_once() {
    let mut answered = 0;
    for moments in 0..30 {
        let host = Host::settled([server("a", "plain")]).await;
        host.fakes.hang_up("a");
        for _ in 0..moments {
            tokio::task::yield_now().await;
        }
        match host.echo("a").await {
            Ok(text) => {
                assert_eq!(text, "hi");
                answered += 1;
            }
            Err(error) => assert_eq!(error.kind, ErrorKind::Disconnected, "{error}"),
        }
        assert!(host.fakes.sent("a", "tools/call echo") <= 1);
    }
    assert!(answered > 20, "{answered}");
}

#[tokio::test(start_paused = true)]
async fn refusals_and_tool_errors_are_told_apart() {
    let host = Host::settled([server("a", "bad-schema")]).await;
    assert_eq!(
        host.call("a", "fail", "{}").await.unwrap(),
        "failed, as asked"
    );
    let params = mcp_client::Params::new().text("uri", "fake:///none");
    let read = host
        .manager
        .request("a", "resources/read", params, CallOptions::default());
    let error = read.await.unwrap_err();
    assert_eq!(
        (error.kind, error.rpc.map(|rpc| rpc.code)),
        (ErrorKind::RpcError, Some(-32601))
    );
    assert_eq!(
        error.message,
        "a: resources/read: the server refused: Method not found: resources/read (code -32601)"
    );
}
