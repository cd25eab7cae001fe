//! Reload: what stayed as it was keeps its process, the rest is closed and started.

use std::time::Duration;

use mcp_definitions::ServerDefinition;
use mcp_manager::ServerState;
use mcp_proto::list::ListKind;
use tokio::time::timeout;

use crate::host::{Host, options, pass, rest, server, set};

#[tokio::test(start_paused = true)]
async fn reload_keeps_the_pid_of_what_is_unchanged() {
    let host = Host::settled([
        server("a", "plain"),
        server("b", "plain"),
        server("c", "plain"),
    ])
    .await;
    let (a, b) = (host.health("a").pid, host.health("b").pid);
    let gone = host.manager.connection("c").unwrap();
    let mut changes = host.manager.changes(ListKind::Tools);
    let own = host.manager.changes_of("a", ListKind::Tools);
    changes.borrow_and_update();
    let new = [
        server("d", "plain"),
        server("b", "modern"),
        server("a", "plain"),
    ];
    host.manager.reload(set(new), options()).await;
    assert!(changes.has_changed().unwrap());
    host.settle().await;
    assert_eq!(host.health("a").pid, a);
    assert_ne!(host.health("b").pid, b);
    assert_eq!(
        host.manager.status_lines(0),
        [
            "d: ready, 8 tools, local",
            "b: ready, 10 tools, local",
            "a: ready, 8 tools, local",
        ]
    );
    assert!(!own.has_changed().unwrap());
    assert_eq!(host.fakes.running(), 3);
    assert_eq!(gone.health().state, ServerState::Offline);
    assert!(host.manager.connection("c").is_none());
}

#[tokio::test(start_paused = true)]
async fn reload_without_a_change_changes_nothing() {
    let servers = || [server("a", "plain"), server("b", "exit-at-once")];
    let host = Host::settled(servers()).await;
    let changes = host.manager.changes(ListKind::Tools);
    let (pid, starts) = (host.health("a").pid, host.fakes.starts("b"));
    host.manager.reload(set(servers()), options()).await;
    rest().await;
    assert_eq!(host.health("a").pid, pid);
    assert_eq!(host.fakes.starts("b"), starts);
    assert!(!changes.has_changed().unwrap());
}

#[tokio::test(start_paused = true)]
async fn reload_switches_servers_on_and_off_and_moves_their_origin() {
    let off = || ServerDefinition {
        enabled: false,
        ..server("a", "plain")
    };
    let at = |place: &str| {
        let mut options = options();
        options.origins.insert("a".parse().unwrap(), place.into());
        options
    };
    let host = Host::with([off()], at("mcp.json:3"));
    assert_eq!(host.line("a"), "a: disabled (mcp.json:3)");
    host.manager.reload(set([off()]), at("mcp.json:9")).await;
    assert_eq!(host.line("a"), "a: disabled (mcp.json:9)");
    host.manager
        .reload(set([server("a", "plain")]), options())
        .await;
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    host.manager.reload(set([off()]), options()).await;
    assert_eq!(
        (host.line("a").as_str(), host.fakes.running()),
        ("a: disabled", 0)
    );
}

#[tokio::test(start_paused = true)]
async fn a_reload_that_was_given_up_is_mended_by_the_next() {
    let host = Host::settled([server("a", "stubborn")]).await;
    // Dropped while the old server is being stopped.
    let second = Duration::from_secs(1);
    let reload = host.manager.reload(set([server("a", "plain")]), options());
    assert!(timeout(second, reload).await.is_err());
    host.manager
        .reload(set([server("a", "stubborn")]), options())
        .await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("a"), host.state("a")),
        (2, ServerState::Ready)
    );
}

#[tokio::test(start_paused = true)]
async fn a_reload_that_a_shutdown_overtakes_starts_nothing() {
    let host = Host::settled([server("a", "stubborn")]).await;
    let both = tokio::join!(
        host.manager.reload(set([server("b", "plain")]), options()),
        async {
            rest().await;
            host.manager.shutdown().await;
        }
    );
    assert_eq!(both, ((), ()));
    pass(Duration::from_secs(60)).await;
    assert_eq!((host.fakes.starts("b"), host.fakes.running()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn reloads_come_one_after_another() {
    let host = Host::settled([server("a", "stubborn")]).await;
    tokio::join!(
        host.manager.reload(set([server("a", "plain")]), options()),
        host.manager.reload(set([server("a", "modern")]), options()),
    );
    host.settle().await;
    assert_eq!(host.health("a").revision, Some("2026-07-28"));
    assert_eq!(
        (host.fakes.starts("a") <= 3, host.fakes.running()),
        (true, 1)
    );
}
