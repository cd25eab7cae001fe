//! Hosts of older revisions: they get what their revision has, and may send what it alone has.

use crate::host::{Fixture, Host, raw};

fn initialize(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"h","version":"1"}}}}}}"#
    )
}

async fn host_of(version: &str, items: &[&str]) -> Host {
    let items = items.iter().map(|item| raw(item)).collect();
    let (mut host, _) = Host::start(Fixture {
        items,
        ..Fixture::default()
    });
    host.ask(&initialize(version)).await;
    host
}

#[tokio::test]
async fn a_tool_loses_the_fields_that_the_hosts_revision_does_not_have_and_no_other_byte() {
    let tool = r#"{ "name":"a" ,"title":"A","inputSchema":{"type" : "object"},"annotations":{"readOnlyHint":true},"icons":[],"execution":{},"x-own":1.0}"#;
    for (version, seen) in [
        (
            "2024-11-05",
            r#"{"name":"a","inputSchema":{"type" : "object"},"x-own":1.0}"#,
        ),
        (
            "2025-03-26",
            r#"{"name":"a","inputSchema":{"type" : "object"},"annotations":{"readOnlyHint":true},"x-own":1.0}"#,
        ),
        (
            "2025-06-18",
            r#"{"name":"a","title":"A","inputSchema":{"type" : "object"},"annotations":{"readOnlyHint":true},"x-own":1.0}"#,
        ),
        ("2025-11-25", tool),
    ] {
        let mut host = host_of(version, &[tool]).await;
        host.check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            &format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{seen}]}}}}"#),
        )
        .await;
    }
}

#[tokio::test]
async fn a_block_that_the_hosts_revision_does_not_have_becomes_text() {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"raw","arguments":{"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]}}}"#;
    let mut old = host_of("2025-03-26", &[]).await;
    old.check(
        call,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[resource: a: file:///a]"}]}}"#,
    )
    .await;
    let mut new = host_of("2025-06-18", &[]).await;
    new.check(
        call,
        r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"file:///a","name":"a"}]}}"#,
    )
    .await;
}

#[tokio::test]
async fn a_batch_is_served_in_the_one_revision_that_has_them() {
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]"#;
    let mut host = host_of("2025-03-26", &[]).await;
    host.check(batch, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .await;
    let mut host = host_of("2025-06-18", &[]).await;
    let refused = host.ask(batch).await;
    assert!(refused.contains("-32600"), "{refused}");
}
