//! The first list of a session: held while some server's tools are unknown, never for long, and never
//! twice; what comes later is announced.

use std::time::Duration;

use mcp_gateway::{FIRST_LIST_HOLD, Surface};
use serde_json::json;
use tokio::time::Instant;

use crate::host::{CHANGED, Host, META, pass_through, value};
use crate::world::World;

fn surfaces() -> [Surface; 2] {
    [pass_through("s"), Surface::Facade]
}

#[tokio::test(start_paused = true)]
async fn the_first_list_waits_for_a_server_that_is_on_its_way() {
    for surface in surfaces() {
        let world = World::start(&[("s", "slow-initialize --delay-ms 5000")]);
        let mut host = Host::legacy(&world, &surface).await;
        let begin = Instant::now();
        assert_eq!(host.names().await.len(), 8, "{surface:?}");
        assert_eq!(begin.elapsed().as_secs(), 5);
        // What the list has is not announced once more.
        host.is_quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_list_is_held_no_longer_than_the_hold_and_the_change_follows() {
    for surface in surfaces() {
        let world = World::start(&[("s", "slow-initialize --delay-ms 20000")]);
        let mut host = Host::legacy(&world, &surface).await;
        let begin = Instant::now();
        assert_eq!(host.names().await.len(), 0, "{surface:?}");
        assert_eq!(begin.elapsed().as_secs(), FIRST_LIST_HOLD.as_secs());
        assert_eq!(host.line().await, CHANGED);
        assert_eq!(begin.elapsed().as_secs(), 20);
        assert_eq!(host.names().await.len(), 8);
        host.is_quiet().await;
    }
}

#[tokio::test(start_paused = true)]
async fn later_lists_are_never_held() {
    for surface in surfaces() {
        let world = World::start(&[("s", "no-initialize")]);
        let mut host = Host::legacy(&world, &surface).await;
        let begin = Instant::now();
        host.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
            .await;
        host.check(
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#,
        )
        .await;
        assert_eq!(begin.elapsed(), Duration::ZERO, "asked twice, held once");
        assert_eq!(value(&host.line().await)["id"], 1);
        assert_eq!(begin.elapsed().as_secs(), FIRST_LIST_HOLD.as_secs());
        assert_eq!(host.names().await.len(), 0);
        assert_eq!(begin.elapsed().as_secs(), FIRST_LIST_HOLD.as_secs());
    }
}

#[tokio::test(start_paused = true)]
async fn every_session_has_its_own_hold_however_old_the_gateway_is() {
    let world = World::start(&[("s", "slow-initialize --delay-ms 62000")]);
    let mut early = Host::legacy(&world, &Surface::Facade).await;
    early.names().await;
    tokio::time::advance(Duration::from_secs(52)).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let begin = Instant::now();
    assert_eq!(host.names().await.len(), 8);
    assert_eq!(begin.elapsed().as_secs(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_nobody_has_needed_yet_is_asked_for_its_tools() {
    let world = World::start(&[("~s", "plain")]);
    for surface in surfaces() {
        let mut host = Host::legacy(&world, &surface).await;
        let begin = Instant::now();
        assert_eq!(host.names().await.len(), 8, "{surface:?}");
        assert_eq!(begin.elapsed(), Duration::ZERO);
    }
    assert_eq!(world.programs.starts("s"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_known_list_is_given_at_once_also_when_the_server_has_gone() {
    let world = World::settled(&[("s", "die-on-call"), ("t", "plain")]).await;
    let mut host = Host::legacy(&world, &pass_through("s")).await;
    for _ in 0..2 {
        host.call("die", json!({})).await;
    }
    let begin = Instant::now();
    let mut other = Host::legacy(&world, &Surface::Facade).await;
    assert_eq!(other.names().await.len(), 17);
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn handshakes_never_wait_for_a_server() {
    for surface in [pass_through("s"), Surface::Facade, Surface::Mcp] {
        let world = World::start(&[("s", "no-initialize")]);
        let mut host = Host::connect(&world, &surface);
        let begin = Instant::now();
        let result = host.initialize().await;
        assert_eq!(
            result["capabilities"],
            json!({"tools": {"listChanged": true}})
        );
        assert_eq!(result["serverInfo"]["name"], "posthouse");
        host.send(&format!(
            r#"{{"jsonrpc":"2.0","id":3,"method":"server/discover","params":{{{META}}}}}"#
        ))
        .await;
        let discovered = value(&host.line().await)["result"].clone();
        assert_eq!(discovered["ttlMs"], 0);
        assert_eq!(discovered["supportedVersions"], json!(["2026-07-28"]));
        assert_eq!(begin.elapsed(), Duration::ZERO, "{surface:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_list_of_the_mcp_tool_is_never_held() {
    let world = World::start(&[("s", "no-initialize")]);
    let mut host = Host::legacy(&world, &Surface::Mcp).await;
    let begin = Instant::now();
    assert_eq!(host.names().await, ["mcp"]);
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn bad_servers_cost_the_healthy_one_nothing() {
    let world = World::settled(&[
        ("dead", "exit-at-once"),
        ("gone", "no-such-program"),
        ("loud", "junk-first"),
        ("good", "plain"),
    ])
    .await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let begin = Instant::now();
    let names = host.names().await;
    assert_eq!(names.len(), 16);
    assert!(names.contains(&"good__echo".to_owned()) && names.contains(&"loud__echo".to_owned()));
    let called = host.call("good__echo", json!({"text": "hi"})).await;
    assert_eq!(called["content"][0]["text"], "hi");
    assert_eq!(begin.elapsed(), Duration::ZERO);
    let mut host = Host::legacy(&world, &Surface::Mcp).await;
    let status = host.says(json!({})).await;
    for part in [
        "dead: offline, local: exited with code 3",
        "cannot open /data",
        "gone: offline, local: ",
        "no-such-program",
        "loud: ready, 8 tools",
        "good: ready, 8 tools",
        "4 servers: 2 ready, 2 offline; 16 tools",
    ] {
        assert!(status.contains(part), "{part}: {status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_changes_is_announced_to_every_session_that_shows_it() {
    let world = World::settled(&[("s", "list-changed"), ("t", "plain")]).await;
    let mut facade = Host::legacy(&world, &Surface::Facade).await;
    let mut alone = Host::legacy(&world, &pass_through("s")).await;
    let mut other = Host::legacy(&world, &pass_through("t")).await;
    let mut mcp = Host::legacy(&world, &Surface::Mcp).await;
    for host in [&mut facade, &mut alone, &mut other, &mut mcp] {
        host.result("tools/list").await;
    }
    mcp.says(json!({"action": "call", "tool": "s/grow"})).await;
    assert_eq!(facade.line().await, CHANGED);
    assert_eq!(alone.line().await, CHANGED);
    assert!(facade.names().await.contains(&"s__grown".to_owned()));
    assert!(alone.names().await.contains(&"grown".to_owned()));
    for host in [&mut facade, &mut alone, &mut other, &mut mcp] {
        host.is_quiet().await;
    }
}
