//! Losses: one reconnect comes by itself, then somebody has to ask.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_client::{CallOptions, ClientError, ToolCall};
use mcp_manager::{ErrorKind, ManagerOptions, RESET_AFTER, ServerState, ToolsSource};
use tokio::task::JoinSet;
use tokio::time::Instant;
use workspace::StderrSink;

use crate::host::{Host, lazy, options, pass, rest, server};

#[tokio::test(start_paused = true)]
async fn manager_reconnects_after_crash() {
    let host = Host::settled([server("a", "plain"), server("b", "plain")]).await;
    let (a, b) = (host.health("a").pid, host.health("b").pid);
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    assert_eq!(host.state("a"), ServerState::Ready);
    assert_ne!(host.health("a").pid, a);
    assert_eq!(host.health("b").pid, b);
    assert_eq!(host.health("a").cause, None);
    assert_eq!(host.echo("a").await.unwrap(), "hi");
}

#[tokio::test(start_paused = true)]
async fn first_loss_reconnects_once_and_second_loss_waits_for_demand() {
    let host = Host::settled([server("a", "plain")]).await;
    for starts in [2, 2] {
        host.fakes.crash("a");
        rest().await;
        host.settle().await;
        assert_eq!(host.fakes.starts("a"), starts);
    }
    pass(Duration::from_secs(3600)).await;
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (2, ServerState::Offline)
    );
    assert_eq!(
        host.line("a"),
        "a: offline, local: exited with code 7 after 0s; the next call tries again; last output \"giving up\""
    );
    // Its tools are still known, and a call brings it back, with a reconnect of its own.
    assert_eq!(host.health("a").tools_source, ToolsSource::LastGood);
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (4, ServerState::Ready)
    );
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_lived_long_earns_another_reconnect() {
    let host = Host::settled([server("a", "plain")]).await;
    for starts in 2..5 {
        pass(RESET_AFTER).await;
        host.fakes.crash("a");
        rest().await;
        host.settle().await;
        assert_eq!(host.fakes.starts("a"), starts);
        assert_eq!(host.state("a"), ServerState::Ready);
    }
}

#[tokio::test(start_paused = true)]
async fn a_crash_loop_is_started_twice_and_left() {
    let host = Host::settled([server("a", "crash-loop")]).await;
    pass(Duration::from_secs(600)).await;
    assert_eq!(host.fakes.starts("a"), 2);
    assert_eq!(host.state("a"), ServerState::Offline);
    // Each who asks tries once, and once more by itself.
    let deadline = Instant::now() + Duration::from_secs(10);
    host.manager.connect("a", deadline).await.unwrap();
    pass(Duration::from_secs(600)).await;
    assert_eq!(host.fakes.starts("a"), 4);
}

#[tokio::test(start_paused = true)]
async fn a_reconnect_that_fails_waits_for_demand() {
    let host = Host::settled([server("a", "plain,exit-at-once,plain")]).await;
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (2, ServerState::Offline)
    );
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    assert_eq!(host.fakes.starts("a"), 3);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_comes_back_in_another_era_is_found_out() {
    let host = Host::settled([server("a", "plain,modern,plain")]).await;
    assert_eq!(host.health("a").revision, Some("2025-11-25"));
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    // The known handshake is tried first and refused; who asks next gets the other.
    assert_eq!(host.state("a"), ServerState::Offline);
    let host = Host::settled([server("a", "plain,modern")]).await;
    host.fakes.crash("a");
    rest().await;
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    assert_eq!(host.health("a").revision, Some("2026-07-28"));
}

#[tokio::test(start_paused = true)]
async fn reconnecting_is_offline_and_says_so() {
    let host = Host::settled([server("a", "plain,no-initialize")]).await;
    host.fakes.crash("a");
    pass(Duration::from_secs(130)).await;
    assert_eq!(host.state("a"), ServerState::Offline);
    assert_eq!(
        host.line("a"),
        "a: offline, local: exited with code 7 after 0s; reconnecting; last output \"giving up\""
    );
    assert_eq!(host.health("a").since.as_secs(), 130);
    let error = host.echo("a").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert_eq!(host.fakes.starts("a"), 2);
}

#[tokio::test(start_paused = true)]
async fn crash_is_seen_on_status_read() {
    let host = Host::settled([server("a", "plain")]).await;
    pass(Duration::from_secs(10)).await;
    let client = host.manager.connection("a").unwrap().client().unwrap();
    let begin = Instant::now();
    // Its output has ended; how it exited will be known later, if ever.
    host.hang_up("a").await;
    assert_eq!(begin.elapsed(), Duration::ZERO);
    let health = host.health("a");
    assert_eq!(health.state, ServerState::Offline);
    assert_eq!(health.tools_source, ToolsSource::LastGood);
    assert_eq!(health.since, Duration::ZERO);
    assert_eq!(
        host.line("a"),
        "a: offline, local: it has just gone; the next call tries again"
    );
    assert_eq!(host.fakes.starts("a"), 1);
    // A call made meanwhile is not sent to it, and is known not to have been.
    let call = ToolCall::new("echo", None);
    let error = client.call_tool(&call, CallOptions::default()).await;
    assert!(matches!(error, Err(ClientError::Gone(_))), "{error:?}");
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    assert_eq!(host.fakes.sent("a", "tools/call echo"), 1);
}

#[tokio::test(start_paused = true)]
async fn demand_while_the_end_is_not_known_yet_is_served_by_a_new_start() {
    let host = Host::settled([server("a", "plain")]).await;
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    // The reconnect is used up: without demand this loss would park it.
    host.hang_up("a").await;
    let deadline = Instant::now() + Duration::from_secs(10);
    let health = host.manager.connect("a", deadline).await.unwrap();
    assert_eq!(health.state, ServerState::Ready);
    assert_eq!(host.fakes.starts("a"), 3);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_fails_is_over_for_all_who_joined_it() {
    let host = Host::start([lazy("a", "no-initialize")]);
    let join_late = async {
        rest().await;
        host.manager.discover();
        host.echo("a").await
    };
    let crash = async {
        pass(Duration::from_secs(5)).await;
        host.fakes.crash("a");
    };
    let (first, second, ()) = tokio::join!(host.echo("a"), join_late, crash);
    for error in [first.unwrap_err(), second.unwrap_err()] {
        assert_eq!(
            error.message,
            "a: the server is not there: exited with code 7 before the handshake, after 5s. Its last output: index corrupt | giving up. Nothing was sent; the next call or `connect` tries again."
        );
    }
    pass(Duration::from_secs(600)).await;
    assert_eq!(host.fakes.starts("a"), 1);
}

#[tokio::test(start_paused = true)]
async fn the_old_process_is_gone_before_a_new_one_starts() {
    let host = Host::settled([server("a", "stubborn,plain")]).await;
    host.hang_up("a").await;
    for _ in 0..4 {
        pass(Duration::from_secs(1)).await;
        assert_eq!((host.fakes.starts("a"), host.fakes.running()), (1, 1));
        assert_eq!(host.state("a"), ServerState::Offline);
    }
    host.settle().await;
    assert_eq!((host.fakes.starts("a"), host.fakes.running()), (2, 1));
    assert_eq!(host.state("a"), ServerState::Ready);
}

#[tokio::test(start_paused = true)]
async fn a_lazy_server_reconnects_like_any_other() {
    let host = Host::settled([lazy("a", "plain")]).await;
    host.echo("a").await.unwrap();
    host.fakes.crash("a");
    rest().await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (2, ServerState::Ready)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_demand_is_lost_between_attempts() {
    let host = Host::start([lazy("a", "no-such-program"), lazy("b", "exit-on-probe")]);
    let mut demands = JoinSet::new();
    for _ in 0..8 {
        let manager = host.manager.clone();
        demands.spawn(async move {
            for _ in 0..200 {
                // So long that it is never reached: a demand that is not served hangs.
                let deadline = Instant::now() + Duration::from_secs(3600);
                let missing = manager.connect("a", deadline).await.unwrap_err();
                assert_eq!(missing.kind, ErrorKind::NotConnected);
                manager.connect("b", deadline).await.unwrap();
            }
        });
    }
    while let Some(demand) = demands.join_next().await {
        demand.unwrap();
    }
    assert!(host.fakes.starts("a") <= 8 * 200);
    assert_eq!(host.fakes.starts("b"), 2);
    host.manager.shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_secret_is_struck_out_of_all_that_is_told_of_a_loss() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sinks = {
        let seen = seen.clone();
        move |name: &str| -> StderrSink {
            let (name, seen) = (name.to_owned(), seen.clone());
            Arc::new(move |chunk: &[u8]| seen.lock().unwrap().push((name.clone(), chunk.to_vec())))
        }
    };
    let options = ManagerOptions {
        redact: Some(Arc::new(|text| text.replace("giving", "***"))),
        stderr_sinks: Some(Arc::new(sinks)),
        ..options()
    };
    let host = Host::with([server("a", "plain")], options);
    host.settle().await;
    for _ in 0..2 {
        host.fakes.crash("a");
        rest().await;
        host.settle().await;
    }
    let health = host.health("a");
    assert_eq!(health.last_output.as_deref(), Some("*** up"));
    let cause = health.cause.unwrap();
    assert_eq!(cause.last_output.as_deref(), Some("*** up"));
    assert!(!cause.stderr_tail.contains("giving"));
    // A sink is given everything as it is; what it makes of it is its own affair.
    let seen = seen.lock().unwrap();
    assert!(
        seen.contains(&("a".to_owned(), b"index corrupt\ngiving up\n".to_vec())),
        "{seen:?}"
    );
}
