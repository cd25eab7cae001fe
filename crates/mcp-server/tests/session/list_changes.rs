//! What a legacy host is told of lists that changed: every change once, none before its handshake.

use mcp_proto::capabilities::{ListCapability, ServerCapabilities};

use crate::host::{Fixture, Host};

const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const LISTED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name" : "a"}]}}"#;

#[tokio::test]
async fn a_change_is_told_once_however_often_it_ticks() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.shake_hands().await;
    host.is_quiet().await;
    fixture.tools.send_replace(1);
    fixture.tools.send_replace(2);
    assert_eq!(host.line().await, CHANGED);
    host.is_quiet().await;
    fixture.tools.send_replace(2);
    host.is_quiet().await;
    host.check(LIST, LISTED).await;
    host.is_quiet().await;
    fixture.tools.send_replace(3);
    assert_eq!(host.line().await, CHANGED);
}

#[tokio::test]
async fn a_change_before_the_end_of_the_handshake_is_told_after_it() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.is_quiet().await;
    fixture.tools.send_replace(1);
    host.is_quiet().await;
    host.shake_hands().await;
    assert_eq!(host.line().await, CHANGED);
    host.is_quiet().await;
}

#[tokio::test]
async fn a_change_that_the_last_list_has_is_not_told() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.is_quiet().await;
    fixture.tools.send_replace(1);
    host.check(LIST, LISTED).await;
    host.shake_hands().await;
    host.is_quiet().await;
}

#[tokio::test]
async fn while_a_list_is_being_served_the_change_waits_for_its_answer() {
    let (mut host, fixture) = Host::start(Fixture {
        hold_lists: true,
        ..Fixture::default()
    });
    host.shake_hands().await;
    host.send(LIST).await;
    host.is_quiet().await;
    fixture.tools.send_replace(1);
    fixture.tools.send_replace(2);
    host.is_quiet().await;
    fixture.go.notify_one();
    let mut lines = [host.line().await, host.line().await];
    lines.sort();
    assert_eq!(lines, [LISTED, CHANGED]);
    host.is_quiet().await;
}

#[tokio::test]
async fn a_list_that_is_cancelled_does_not_hold_a_change_back() {
    let (mut host, fixture) = Host::start(Fixture {
        hold_lists: true,
        ..Fixture::default()
    });
    host.shake_hands().await;
    host.send(LIST).await;
    host.is_quiet().await;
    fixture.tools.send_replace(1);
    host.is_quiet().await;
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    assert_eq!(host.line().await, CHANGED);
}

#[tokio::test]
async fn only_what_the_capabilities_declare_is_told() {
    let (mut host, fixture) = Host::start(Fixture {
        capabilities: ServerCapabilities {
            tools: Some(ListCapability::default()),
            prompts: Some(ListCapability::changing()),
            ..ServerCapabilities::default()
        },
        ..Fixture::default()
    });
    host.shake_hands().await;
    fixture.tools.send_replace(1);
    fixture.prompts.send_replace(1);
    assert_eq!(
        host.line().await,
        r#"{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}"#
    );
    host.is_quiet().await;
}

#[tokio::test]
async fn a_host_that_shakes_hands_again_is_told_nothing_in_between() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.shake_hands().await;
    host.is_quiet().await;
    host.ask(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#)
        .await;
    fixture.tools.send_replace(1);
    host.is_quiet().await;
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    assert_eq!(host.line().await, CHANGED);
}
