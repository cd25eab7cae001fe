//! Requests of the modern era: what is refused, and what their results must have.

use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_server::ServeOptions;

use crate::host::{Fixture, Host, META, SERVER, raw};

fn request(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#)
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told_by_its_code() {
    let (mut host, _) = Host::start(Fixture::default());
    let version = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
    let table = [
        (
            request("tools/list", &format!(r#""_meta":{{{version}}}"#)),
            r#"{"code":-32602,"message":"invalid params: _meta has no io.modelcontextprotocol/clientCapabilities"}"#,
        ),
        (
            request("server/discover", ""),
            r#"{"code":-32602,"message":"invalid params: _meta has no io.modelcontextprotocol/protocolVersion"}"#,
        ),
        (
            request("server/discover", &META.replace("2026-07-28", "1900-01-01")),
            r#"{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}"#,
        ),
        (
            request("tools/call", META),
            r#"{"code":-32602,"message":"invalid params: missing field `name` at line 1 column 114"}"#,
        ),
        (
            request("tools/call", &format!(r#""name":"x",{META}"#)),
            r#"{"code":-32602,"message":"invalid params: unknown tool \"x\""}"#,
        ),
        (
            request("no/such", META),
            r#"{"code":-32601,"message":"method not found: no/such"}"#,
        ),
    ];
    for (line, error) in table {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{error}}}"#);
        host.check(&line, &answer).await;
    }
}

#[tokio::test]
async fn methods_that_the_modern_era_removed_are_not_found() {
    let capability = ListCapability {
        subscribe: Some(true),
        ..ListCapability::default()
    };
    let (mut host, _) = Host::start(Fixture {
        capabilities: ServerCapabilities {
            resources: Some(capability),
            logging: Some(raw("{}")),
            ..ServerCapabilities::default()
        },
        ..Fixture::default()
    });
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        let answer = format!(
            r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32601,"message":"method not found: {method}"}}}}"#
        );
        host.check(&request(method, META), &answer).await;
    }
}

#[tokio::test]
async fn results_gain_what_the_era_wants_and_tools_lose_what_it_dropped() {
    let (mut host, _) = Host::start(Fixture {
        capabilities: ServerCapabilities {
            tools: Some(ListCapability::default()),
            resources: Some(ListCapability::default()),
            ..ServerCapabilities::default()
        },
        items: vec![
            raw(r#"{"name" : "a"}"#),
            raw(r#"{"name":"b","execution":{}}"#),
        ],
        ..Fixture::default()
    });
    let table = [
        (
            request("tools/list", META),
            format!(
                r#"{{"tools":[{{"name" : "a"}},{{"name":"b"}}],"ttlMs":0,"cacheScope":"public","resultType":"complete",{SERVER}}}"#
            ),
        ),
        (
            request(
                "tools/call",
                &format!(r#""name":"raw","arguments":{{"content":[ ],"n":1E400}},{META}"#),
            ),
            format!(r#"{{"content":[ ],"n":1E400,"resultType":"complete",{SERVER}}}"#),
        ),
        (
            request(
                "tools/call",
                &format!(
                    r#""name":"raw","arguments":{{"resultType":"input_required","requestState":"s"}},{META}"#
                ),
            ),
            format!(r#"{{"resultType":"input_required","requestState":"s",{SERVER}}}"#),
        ),
        (
            request("resources/read", &format!(r#""uri":"test://a",{META}"#)),
            format!(
                r#"{{"contents":[ ],"resultType":"complete","ttlMs":0,"cacheScope":"private",{SERVER}}}"#
            ),
        ),
    ];
    for (line, result) in table {
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
        host.check(&line, &answer).await;
    }
    // The older code for a missing resource is never said to a modern host.
    host.check(
        &request(
            "resources/read",
            &format!(r#""uri":"test://missing",{META}"#),
        ),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such resource"}}"#,
    )
    .await;
}

fn listen(id: &str, filter: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{{filter}}},{META}}}}}"#
    )
}

fn told(method: &str, id: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    )
}

fn acknowledged(id: &str, filter: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"notifications":{{{filter}}},"_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}}}"#
    )
}

#[tokio::test]
async fn a_subscription_is_acknowledged_told_and_ended_by_cancelling() {
    let (mut host, fixture) = Host::start(Fixture::default());
    let all = r#""toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["test://a"],"taskIds":[]"#;
    let honoured = r#""toolsListChanged":true"#;
    host.check(&listen("7", all), &acknowledged("7", honoured))
        .await;
    host.check(
        &listen(r#""7""#, honoured),
        &acknowledged(r#""7""#, honoured),
    )
    .await;
    host.check(&listen("9", ""), &acknowledged("9", "")).await;
    fixture.tools.send_replace(1);
    let mut lines = [host.line().await, host.line().await];
    lines.sort();
    assert_eq!(
        lines,
        [
            told("tools/list_changed", r#""7""#),
            told("tools/list_changed", "7"),
        ]
    );
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
        .await;
    host.is_quiet().await;
    fixture.tools.send_replace(2);
    let line = host.line().await;
    assert_eq!(line, told("tools/list_changed", r#""7""#));
    host.is_quiet().await;
}

#[tokio::test]
async fn a_change_between_the_last_list_and_the_subscription_is_told_at_once() {
    let (mut host, fixture) = Host::start(Fixture::default());
    fixture.tools.send_replace(1);
    host.ask(&request("tools/list", META)).await;
    let filter = r#""toolsListChanged":true"#;
    host.check(&listen("1", filter), &acknowledged("1", filter))
        .await;
    host.is_quiet().await;
    host.ask(&request("tools/list", META).replace(r#""id":1"#, r#""id":2"#))
        .await;
    fixture.tools.send_replace(2);
    assert_eq!(host.line().await, told("tools/list_changed", "1"));
    host.check(&listen("3", filter), &acknowledged("3", filter))
        .await;
    assert_eq!(host.line().await, told("tools/list_changed", "3"));
    host.is_quiet().await;
}

#[tokio::test]
async fn subscriptions_end_with_a_result_when_we_stop() {
    let options = ServeOptions::default();
    let stop = options.stop.clone();
    let fixture = std::sync::Arc::new(Fixture::default());
    let mut host = Host::of(fixture, options);
    let filter = r#""toolsListChanged":true"#;
    host.check(&listen("1", filter), &acknowledged("1", filter))
        .await;
    stop.cancel();
    assert_eq!(
        host.rest().await,
        [
            r#"{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"1"}},"resultType":"complete"}}"#
        ]
    );
    let reason = host.session.await.unwrap();
    assert!(matches!(reason, mcp_server::CloseReason::Local));
}

#[tokio::test]
async fn a_server_whose_lists_never_change_cannot_be_listened_to() {
    let (mut host, _) = Host::start(Fixture {
        capabilities: ServerCapabilities {
            tools: Some(ListCapability::default()),
            ..ServerCapabilities::default()
        },
        ..Fixture::default()
    });
    host.check(
        &listen("1", r#""toolsListChanged":true"#),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"method not found: subscriptions/listen"}}"#,
    )
    .await;
}
