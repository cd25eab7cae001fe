//! Ending: nothing is left, whatever was going on, and it does not take long.

use std::time::Duration;

use mcp_manager::{ErrorKind, ServerState};
use tokio::runtime::Handle;
use tokio::time::Instant;

use crate::host::{Host, lazy, pass, rest, server};

#[tokio::test(start_paused = true)]
async fn no_task_outlives_manager() {
    let tasks = || Handle::current().metrics().num_alive_tasks();
    let before = tasks();
    let host = Host::settled([
        server("a", "plain"),
        server("b", "slow-list"),
        server("c", "modern"),
        server("d", "exit-at-once"),
        lazy("e", "plain"),
    ])
    .await;
    host.manager.discover();
    host.fakes.crash("a");
    rest().await;
    assert!(tasks() > before);
    host.manager.shutdown().await;
    assert_eq!(host.fakes.running(), 0);
    // What is left are the players of the servers, who see the end of their input.
    rest().await;
    assert_eq!(tasks(), before);
}

#[tokio::test(start_paused = true)]
async fn shutdown_while_starting_leaves_nothing() {
    for passed in [0, 1, 500, 7000] {
        let host = Host::start([
            server("a", "no-initialize"),
            server("b", "silent-probe"),
            server("c", "slow-list"),
        ]);
        pass(Duration::from_millis(passed)).await;
        host.manager.shutdown().await;
        assert_eq!(host.fakes.running(), 0);
        let starts = host.fakes.starts("a");
        host.manager.discover();
        pass(Duration::from_secs(60)).await;
        assert_eq!(host.fakes.starts("a"), starts);
        assert_eq!(host.state("a"), ServerState::Offline);
    }
    // Not even begun.
    let host = Host::start([server("a", "plain")]);
    host.manager.shutdown().await;
    rest().await;
    assert_eq!(host.fakes.starts("a"), 0);
}

#[tokio::test(start_paused = true)]
async fn shutdown_is_bounded() {
    let stubborn = ["a", "b", "c"].map(|id| server(id, "stubborn"));
    let host = Host::settled(stubborn).await;
    assert_eq!(host.fakes.running(), 3);
    let begin = Instant::now();
    host.manager.shutdown().await;
    assert_eq!(host.fakes.running(), 0);
    // All at once, each within its grace.
    assert!(begin.elapsed() > Duration::from_secs(1));
    assert!(begin.elapsed() <= Duration::from_secs(6));
}

#[tokio::test(start_paused = true)]
async fn a_call_in_flight_at_shutdown_has_an_unknown_outcome() {
    let host = Host::settled([server("a", "hang")]).await;
    let (error, ()) = tokio::join!(host.echo("a"), async {
        rest().await;
        host.manager.shutdown().await;
    });
    let error = error.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Disconnected);
    assert!(error.message.contains("Outcome unknown"), "{error}");
    let error = host.echo("a").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotConnected);
    assert_eq!(
        error.message,
        "a: the server was closed, by a reload or a shutdown. Nothing was sent; see in the status whether it is still there."
    );
}

#[tokio::test(start_paused = true)]
async fn dropping_the_manager_stops_its_servers() {
    let host = Host::settled([server("a", "plain"), server("b", "no-initialize")]).await;
    assert_eq!(host.fakes.running(), 2);
    drop(host.manager);
    rest().await;
    assert_eq!(host.fakes.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_life_that_is_dropped_is_closed() {
    let host = Host::start([lazy("a", "plain")]);
    let connection = host.manager.connection("a").unwrap();
    rest().await;
    assert!(!connection.run().await, "it runs already");
    connection.close().await;
    assert!(!connection.run().await, "it is over");
    assert_eq!(
        host.echo("a").await.unwrap_err().kind,
        ErrorKind::NotConnected
    );
}
