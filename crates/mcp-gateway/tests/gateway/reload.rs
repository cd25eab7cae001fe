//! The configuration read again while hosts are connected.

use mcp_gateway::Surface;
use serde_json::json;

use crate::host::{CHANGED, Host, pass_through};
use crate::world::{Servers, World};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

async fn settled(servers: Servers<'_>, surface: &Surface) -> (World, Host) {
    let world = World::settled(servers).await;
    let host = Host::legacy(&world, surface).await;
    (world, host)
}

#[tokio::test(start_paused = true)]
async fn reload_with_new_server_changes_description_and_notifies() {
    let (world, mut host) = settled(&[("a", "plain")], &Surface::Mcp).await;
    let before = host.ask(LIST).await;
    assert!(before.contains("Tools of a. "));
    world.file.write(&[("a", "plain"), ("~b", "tools-list")]);
    host.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"mcp","arguments":{"action":"reload"}}}"#)
        .await;
    let mut lines = [host.line().await, host.line().await];
    lines.sort();
    assert_eq!(
        lines[0],
        r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"read again"}]}}"#
    );
    assert_eq!(lines[1], CHANGED);
    let after = host.ask(LIST).await;
    assert_eq!(after, before.replace("Tools of a. ", "Tools of a, b. "));
    assert_eq!(
        world.programs.starts("a"),
        1,
        "what stayed keeps its process"
    );
    // The new one is discovered in the background, though it is lazy.
    world.settle().await;
    assert_eq!(world.programs.starts("b"), 1);
    let found = host
        .says(json!({"action": "search", "query": "described"}))
        .await;
    assert!(found.starts_with("b/described "), "{found}");
    world.file.write(&[("~b", "tools-list")]);
    host.result_of(
        "tools/call",
        json!({"name": "mcp", "arguments": {"action": "reload"}}),
    )
    .await;
    let gone = host
        .refuses(json!({"action": "call", "tool": "a/echo"}))
        .await;
    assert!(gone.contains("no tool \"a/echo\" is known"), "{gone}");
}

#[tokio::test(start_paused = true)]
async fn reload_without_change_is_byte_identical_and_silent() {
    let servers: Servers<'_> = &[("a", "plain"), ("b", "plain")];
    for surface in [Surface::Mcp, Surface::Facade, pass_through("a")] {
        let (world, mut host) = settled(servers, &surface).await;
        let before = host.ask(LIST).await;
        world.file.write(servers);
        assert_eq!(world.gateway.reload().await, Ok("read again".to_owned()));
        host.is_quiet().await;
        host.check(LIST, &before).await;
        assert_eq!(world.programs.starts("a"), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn reload_with_broken_file_keeps_everything_running() {
    let (world, mut host) = settled(&[("a", "plain")], &Surface::Mcp).await;
    let before = host.ask(LIST).await;
    world
        .file
        .break_it("mcp.json:3: a comma is missing; everything stays as it was");
    assert_eq!(
        host.refuses(json!({"action": "reload"})).await,
        "mcp.json:3: a comma is missing; everything stays as it was"
    );
    let call = json!({"action": "call", "tool": "a/echo", "args": {"text": "x"}});
    assert_eq!(host.says(call).await, "x");
    assert_eq!(world.programs.starts("a"), 1);
    host.check(LIST, &before).await;
    host.is_quiet().await;
}

#[tokio::test(start_paused = true)]
async fn the_facade_and_pass_through_follow_a_reload() {
    let (world, mut facade) = settled(&[("a", "plain"), ("b", "plain")], &Surface::Facade).await;
    let mut alone = Host::legacy(&world, &pass_through("b")).await;
    assert_eq!(facade.names().await.len(), 16);
    assert_eq!(alone.names().await.len(), 8);
    world.file.write(&[("b", "tools-list"), ("a", "plain")]);
    assert!(world.gateway.reload().await.is_ok());
    world.settle().await;
    assert_eq!(facade.line().await, CHANGED);
    assert_eq!(alone.line().await, CHANGED);
    let names = facade.names().await;
    assert_eq!((names.len(), names[0].as_str()), (17, "b__echo"));
    assert_eq!(alone.names().await.len(), 9);
    world.file.write(&[("a", "plain")]);
    assert!(world.gateway.reload().await.is_ok());
    assert_eq!(
        alone.names().await.len(),
        0,
        "it is gone, and so are its tools"
    );
    let gone = alone.call("echo", json!({})).await;
    let text = gone["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("there is no server \"b\"; there are: a"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn another_order_alone_is_followed_too() {
    let (world, mut host) = settled(&[("a", "plain"), ("b", "plain")], &Surface::Facade).await;
    assert_eq!(host.names().await[0], "a__echo");
    world.file.write(&[("b", "plain"), ("a", "plain")]);
    assert!(world.gateway.reload().await.is_ok());
    assert_eq!(host.names().await[0], "b__echo");
}
