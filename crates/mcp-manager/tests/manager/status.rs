//! Status: one source for the words, seconds that count from the right moment, and no traffic.

use std::time::Duration;

use mcp_definitions::ServerDefinition;
use mcp_manager::{ServerState, format_server_line, render_status_lines};

use crate::host::{Host, lazy, pass, rest, server};

#[tokio::test(start_paused = true)]
async fn manager_status_lines_is_single_source() {
    let off = ServerDefinition {
        enabled: false,
        ..server("off", "plain")
    };
    let host = Host::settled([
        server("a", "plain"),
        off,
        lazy("b", "plain"),
        server("c", "exit-at-once"),
        server("d", "empty-list"),
    ])
    .await;
    let health = host.manager.health();
    for limit in [0, 1, 3, 5, 9] {
        let lines = host.manager.status_lines(limit);
        assert_eq!(lines, render_status_lines(&health, limit));
    }
    let each: Vec<_> = health.iter().map(format_server_line).collect();
    assert_eq!(host.manager.status_lines(0), each);
    assert_eq!(host.manager.status_lines(2)[1], "+4 more servers");
    assert!(each.iter().all(|line| line.chars().count() <= 160));
}

#[tokio::test(start_paused = true)]
async fn health_polling_never_lists_tools() {
    let host = Host::settled([server("a", "plain")]).await;
    for _ in 0..100 {
        host.manager.health();
        host.manager.status_lines(0);
        rest().await;
    }
    let count = host.call("a", "count", "{}").await.unwrap();
    let count: serde_json::Value = serde_json::from_str(&count).unwrap();
    assert_eq!(count["received"]["tools/list"], 1, "{count}");
}

#[tokio::test(start_paused = true)]
async fn instructions_reach_health() {
    let host = Host::settled([server("a", "plain")]).await;
    let instructions = host.health("a").instructions;
    assert_eq!(instructions.as_deref(), Some("Fake server in mode plain."));
}

#[tokio::test(start_paused = true)]
async fn since_counts_from_the_last_change_of_state() {
    let host = Host::start([server("a", "slow-initialize")]);
    let since = || {
        let health = host.health("a");
        (health.state, health.since.as_secs())
    };
    pass(Duration::from_millis(1500)).await;
    assert_eq!(since(), (ServerState::Starting, 1));
    pass(Duration::from_secs(10)).await;
    assert_eq!(since(), (ServerState::Ready, 9));
    // What does not change the state does not set it back.
    host.manager.discover();
    host.echo("a").await.unwrap();
    assert_eq!(since(), (ServerState::Ready, 9));
    host.fakes.crash("a");
    rest().await;
    assert_eq!(since(), (ServerState::Offline, 0));
    pass(Duration::from_secs(4)).await;
    assert_eq!(since(), (ServerState::Ready, 2));
    // A second loss, and a demand that fails, are one time offline.
    host.fakes.crash("a");
    pass(Duration::from_secs(20)).await;
    assert_eq!(since(), (ServerState::Offline, 20));
}
