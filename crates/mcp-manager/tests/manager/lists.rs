//! Lists: what makes a server degraded, and when its lists are read again.

use std::time::Duration;

use mcp_client::{CallOptions, Params};
use mcp_definitions::ServerDefinition;
use mcp_manager::{ServerState, ToolsSource};
use mcp_proto::list::ListKind;
use tokio::time::Instant;

use crate::host::{Host, pass, rest, server};

#[tokio::test(start_paused = true)]
async fn manager_degraded_on_empty_list() {
    let host = Host::settled([server("empty", "empty-list")]).await;
    assert_eq!(host.state("empty"), ServerState::Degraded);
    assert_eq!(
        host.line("empty"),
        "empty: degraded, 0 tools, local: it declares tools and lists none; read again when it announces a change"
    );
    let error = host.echo("empty").await.unwrap_err();
    assert_eq!(
        error.message,
        "empty: it has no tool \"echo\"; it has no tools at all. Not sent."
    );
}

#[tokio::test(start_paused = true)]
async fn manager_live_server_with_failed_list_is_degraded_not_restarted() {
    let host = Host::start([server("slow", "slow-list --delay-ms 40000")]);
    rest().await;
    let pid = host.health("slow").pid;
    host.settle().await;
    assert_eq!(
        host.line("slow"),
        "slow: degraded, no tool list, local: no answer to tools/list within 30 s; the next call tries again"
    );
    // It is there: what needs no tool list is answered, and a call reads the list once more.
    let begin = Instant::now();
    let ping = host
        .manager
        .request("slow", "ping", Params::new(), CallOptions::default());
    assert_eq!(ping.await.unwrap().get(), "{}");
    assert_eq!(begin.elapsed(), Duration::ZERO);
    let error = host.echo("slow").await.unwrap_err();
    assert!(error.message.starts_with("slow: "), "{error}");
    assert!(error.message.contains("tool list"), "{error}");
    assert_eq!(host.fakes.sent("slow", "tools/list"), 2);
    let health = host.health("slow");
    assert_eq!((health.state, health.pid), (ServerState::Degraded, pid));
    assert_eq!(host.fakes.starts("slow"), 1);
}

#[tokio::test(start_paused = true)]
async fn the_last_good_list_stays_while_a_new_one_fails() {
    let host = Host::settled([server("a", "plain,slow-list")]).await;
    let changes = host.manager.changes(ListKind::Tools);
    host.fakes.crash("a");
    rest().await;
    assert_eq!(host.tools("a").len(), 8);
    host.settle().await;
    let health = host.health("a");
    assert_eq!(health.state, ServerState::Degraded);
    assert_eq!(health.tools_source, ToolsSource::LastGood);
    assert_eq!(
        host.line("a"),
        "a: degraded, 8 tools from the last good list, local: no answer to tools/list within 30 s; the next call tries again"
    );
    // A call is sent at once by the last good list, and the list is read again behind it.
    let begin = Instant::now();
    assert_eq!(host.echo("a").await.unwrap(), "hi");
    assert_eq!(begin.elapsed(), Duration::ZERO);
    assert_eq!(host.state("a"), ServerState::Degraded);
    // Once: not for as long as it fails.
    pass(Duration::from_secs(600)).await;
    assert_eq!(host.fakes.sent("a", "tools/list"), 3);
    assert!(!changes.has_changed().unwrap());
}

#[tokio::test(start_paused = true)]
async fn resources_only_server_is_ready() {
    let host = Host::settled([server("files", "resources-only")]).await;
    assert_eq!(
        host.line("files"),
        "files: ready, 4 resources, 1 prompt, local"
    );
    assert_eq!(host.health("files").tools, None);
}

#[tokio::test(start_paused = true)]
async fn a_filter_that_leaves_nothing_is_told() {
    let filtered = |names: &[&str]| ServerDefinition {
        tool_names: Some(names.iter().map(|&name| name.to_owned()).collect()),
        ..server("a", "plain")
    };
    let host = Host::settled([filtered(&[])]).await;
    assert_eq!(host.line("a"), "a: ready, 0 of 8 tools after filter, local");
    assert_eq!(
        host.echo("a").await.unwrap_err().message,
        "a: it has no tool \"echo\" to offer: the configuration leaves out all of its 8 tools. Not sent; change the filter there and reload."
    );
    let host = Host::settled([filtered(&["add", "gone"])]).await;
    assert_eq!(
        host.line("a"),
        "a: ready, 1 tool, local: the configuration names the tool \"gone\", which the server does not have"
    );
    assert_eq!(
        host.echo("a").await.unwrap_err().message,
        "a: it has no tool \"echo\" among the 1 of its 8 tools that the configuration offers. Not sent; list or search for the right name."
    );
    assert_eq!(host.fakes.sent("a", "tools/call echo"), 0);
}

#[tokio::test(start_paused = true)]
async fn curated_counts_but_does_not_filter() {
    let curated = ServerDefinition {
        curated: vec!["echo".into(), "add".into()],
        ..server("a", "plain")
    };
    let host = Host::settled([curated]).await;
    assert_eq!(host.line("a"), "a: ready, 8 tools (6 external), local");
    assert_eq!(host.tools("a").len(), 8);
    assert_eq!(host.echo("a").await.unwrap(), "hi");
}

#[tokio::test(start_paused = true)]
async fn manager_list_changed_refreshes_tools() {
    for mode in ["list-changed", "modern"] {
        let host = Host::settled([server("a", mode)]).await;
        let mut changes = host.manager.changes(ListKind::Tools);
        let mut own = host.manager.changes_of("a", ListKind::Tools);
        changes.borrow_and_update();
        own.borrow_and_update();
        assert!(!host.tools("a").contains(&"grown".to_owned()));
        // Announced before the call that causes it is answered.
        assert_eq!(host.call("a", "grow", "{}").await.unwrap(), "grown");
        changes.changed().await.unwrap();
        own.changed().await.unwrap();
        assert!(host.tools("a").contains(&"grown".to_owned()), "{mode}");
        assert_eq!(host.call("a", "grown", "{}").await.unwrap(), "grown");
    }
}

#[tokio::test(start_paused = true)]
async fn manager_list_changed_before_the_handshake_is_served_by_the_first_list() {
    let host = Host::settled([server("early", "notify-before-init")]).await;
    pass(Duration::from_secs(1)).await;
    assert_eq!(host.state("early"), ServerState::Ready);
    // Every reading begins after what was announced before it: one is enough.
    assert_eq!(host.fakes.sent("early", "tools/list"), 1);
    assert_eq!(host.tools("early").len(), 8);
}

#[tokio::test(start_paused = true)]
async fn unchanged_list_does_not_fire_on_tools_changed() {
    let host = Host::settled([server("a", "list-changed")]).await;
    let mut changes = host.manager.changes(ListKind::Tools);
    host.call("a", "grow", "{}").await.unwrap();
    changes.changed().await.unwrap();
    changes.borrow_and_update();
    let lists = host.fakes.sent("a", "tools/list");
    // The same announcement once more, of the same list.
    host.call("a", "grow", "{}").await.unwrap();
    pass(Duration::from_secs(1)).await;
    assert_eq!(host.fakes.sent("a", "tools/list"), lists + 1);
    assert!(!changes.has_changed().unwrap());
    // As is the list of a server that comes back as it was.
    let host = Host::settled([server("b", "plain")]).await;
    let changes = host.manager.changes(ListKind::Tools);
    host.fakes.crash("b");
    rest().await;
    host.settle().await;
    assert_eq!(host.fakes.sent("b", "tools/list"), 2);
    assert!(!changes.has_changed().unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_announcements_is_read_at_intervals() {
    let host = Host::settled([server("a", "list-changed")]).await;
    let begin = Instant::now();
    for _ in 0..50 {
        host.call("a", "grow", "{}").await.unwrap();
        rest().await;
    }
    pass(Duration::from_secs(1)).await;
    assert!(begin.elapsed() < Duration::from_secs(2));
    let lists = host.fakes.sent("a", "tools/list");
    assert!((2..=3).contains(&lists), "{lists}");
    assert!(host.tools("a").contains(&"grown".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn callback_may_reenter_manager() {
    let host = Host::settled([server("a", "list-changed")]).await;
    let mut changes = host.manager.changes(ListKind::Tools);
    let manager = host.manager.clone();
    let watcher = tokio::spawn(async move {
        changes.changed().await.unwrap();
        let ready = manager.health()[0].state;
        let call = mcp_client::ToolCall::new("grown", None);
        let called = manager.call("a", &call, CallOptions::default()).await;
        (ready, called.is_ok(), manager.status_lines(0).len())
    });
    host.call("a", "grow", "{}").await.unwrap();
    assert_eq!(watcher.await.unwrap(), (ServerState::Ready, true, 1));
}
