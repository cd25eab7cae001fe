//! Calls: bytes, capabilities, progress, cancellation, and what goes wrong in a handler.

use std::sync::atomic::Ordering;

use mcp_proto::Raw;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_server::PAGE;

use crate::host::{Fixture, Host, raw};

fn call(id: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{{params}}}}}"#)
}

fn result(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

#[tokio::test]
async fn a_legacy_result_passes_byte_for_byte_unless_it_says_what_its_era_has_not() {
    let (mut host, _) = Host::start(Fixture::default());
    for (given, answered) in [
        (
            r#"{ "content" : [ ], "z":1E400, "a":"\u0041", "structuredContent": null }"#,
            r#"{ "content" : [ ], "z":1E400, "a":"\u0041", "structuredContent": null }"#,
        ),
        (
            r#"{"content":[{"type":"text","text":"\"input_required\""}]}"#,
            r#"{"content":[{"type":"text","text":"\"input_required\""}]}"#,
        ),
        (
            r#"{"content":[ ],"resultType":"complete","_meta":{"x":1,"io.modelcontextprotocol/serverInfo":{}}}"#,
            r#"{"content":[ ],"_meta":{"x":1}}"#,
        ),
    ] {
        let params = format!(r#""name":"raw","arguments":{given}"#);
        host.check(&call("0", &params), &result("0", answered))
            .await;
    }
    host.check(
        &call("0", r#""name":"raw","arguments":{"resultType":"input_required","requestState":"s"}"#),
        r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"the server asks back, which a host of this revision cannot answer"}}"#,
    )
    .await;
}

#[tokio::test]
async fn methods_behind_a_capability_that_was_not_declared_are_not_found() {
    let all = [
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "tasks/get",
    ];
    let (mut host, _) = Host::start(Fixture {
        capabilities: ServerCapabilities::default(),
        ..Fixture::default()
    });
    for method in all {
        host.check(
            &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":"raw","uri":"x"}}}}"#),
            &format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-32601,"message":"method not found: {method}"}}}}"#),
        )
        .await;
    }
    let (mut host, _) = Host::start(Fixture {
        capabilities: ServerCapabilities {
            tools: None,
            prompts: Some(ListCapability::default()),
            resources: Some(ListCapability::default()),
            logging: Some(raw("{}")),
            ..ServerCapabilities::default()
        },
        ..Fixture::default()
    });
    for (method, params, answer) in [
        ("prompts/get", r#""name":"p""#, r#"{"messages":[ ]}"#),
        (
            "resources/read",
            r#""uri":"test://a""#,
            r#"{"contents":[ ]}"#,
        ),
        ("logging/setLevel", r#""level":"info""#, "{}"),
    ] {
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{params}}}}}"#);
        host.check(&line, &result("1", answer)).await;
    }
    host.check(
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"test://missing"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"no such resource"}}"#,
    )
    .await;
}

#[tokio::test]
async fn progress_is_told_under_the_token_in_its_json_type_and_not_without_one() {
    let (mut host, _) = Host::start(Fixture::default());
    for token in ["1", r#""1""#, r#""""#, "-7"] {
        let params = format!(r#""name":"progress","_meta":{{"progressToken":{token}}}"#);
        host.check(
            &call("5", &params),
            &format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1.0,"total":2.5,"message":"half"}}}}"#),
        )
        .await;
        assert_eq!(host.line().await, result("5", "{}"));
    }
    host.check(&call("6", r#""name":"progress""#), &result("6", "{}"))
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_says_nothing_tells_every_twenty_seconds_that_it_runs() {
    let (mut host, fixture) = Host::start(Fixture::default());
    let begin = tokio::time::Instant::now();
    host.send(&call("5", r#""name":"wait","_meta":{"progressToken":"t"}"#))
        .await;
    for (seconds, progress) in [(20, "0.0"), (40, "1e-9"), (60, "2e-9")] {
        let told = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"t","progress":{progress}}}}}"#
        );
        assert_eq!(host.line().await, told);
        assert_eq!(begin.elapsed().as_secs(), seconds);
    }
    fixture.go.notify_one();
    let answer = result("5", r#"{"content":[{"type":"text","text":"gone"}]}"#);
    assert_eq!(host.line().await, answer);
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    host.is_quiet().await;
}

#[tokio::test]
async fn progress_that_comes_after_the_answer_is_not_told() {
    let (mut host, fixture) = Host::start(Fixture::default());
    let params = r#""name":"progress","_meta":{"progressToken":1}"#;
    host.ask(&call("5", params)).await;
    assert_eq!(host.line().await, result("5", "{}"));
    let reporter = fixture.reporter.lock().unwrap().take();
    reporter.unwrap().report(crate::host::half());
    host.is_quiet().await;
}

#[tokio::test]
async fn a_call_that_the_host_cancels_is_dropped_and_never_answered() {
    let (mut host, fixture) = Host::start(Fixture::default());
    host.send(&call("1", r#""name":"wait""#)).await;
    host.is_quiet().await;
    assert_eq!(fixture.dropped.load(Ordering::SeqCst), 0);
    for _ in 0..2 {
        host.send(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        )
        .await;
        host.is_quiet().await;
        assert_eq!(fixture.dropped.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn a_handler_that_panics_costs_one_answer() {
    let (mut host, _) = Host::start(Fixture::default());
    host.check(
        &call("1", r#""name":"panic""#),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the server failed"}}"#,
    )
    .await;
    host.check(&call("1", r#""name":"raw""#), &result("1", "{}"))
        .await;
}

#[tokio::test]
async fn garbage_is_answered_and_unknown_notifications_are_not() {
    let (mut host, _) = Host::start(Fixture::default());
    host.check(
        "garbage",
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON: expected value at line 1 column 1"}}"#,
    )
    .await;
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/novel","params":[1]}"#)
        .await;
    host.send("").await;
    host.is_quiet().await;
}

#[tokio::test]
async fn ten_thousand_tools_are_one_page_and_more_go_on_at_a_cursor() {
    let tools: Vec<Raw> = (0..=PAGE)
        .map(|number| raw(&format!(r#"{{"name":"t{number}"}}"#)))
        .collect();
    let page = |tools: &[Raw], rest: &str| {
        let tools: Vec<_> = tools.iter().map(Raw::get).collect();
        result("1", &format!(r#"{{"tools":[{}]{rest}}}"#, tools.join(",")))
    };
    let list = |params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{params}}}}}"#)
    };
    let (mut host, _) = Host::start(Fixture {
        items: tools[..PAGE].to_vec(),
        ..Fixture::default()
    });
    host.check(&list(r#""cursor":null"#), &page(&tools[..PAGE], ""))
        .await;
    let (mut host, _) = Host::start(Fixture {
        items: tools.clone(),
        ..Fixture::default()
    });
    let first = page(&tools[..PAGE], r#","nextCursor":"10000""#);
    host.check(&list(""), &first).await;
    host.check(&list(r#""cursor":"10000""#), &page(&tools[PAGE..], ""))
        .await;
    host.check(
        &list(r#""cursor":"20000""#),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: unknown cursor \"20000\""}}"#,
    )
    .await;
}
