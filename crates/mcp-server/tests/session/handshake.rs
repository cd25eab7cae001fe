//! The legacy handshake, ping, and what comes before and around them.

use crate::host::{Fixture, Host, META};

fn initialize(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":"i","method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"host","version":"2"}}}}}}"#
    )
}

fn answer(version: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":"i","result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{"listChanged":true}}}},"serverInfo":{{"name":"fixture","version":"1"}},"instructions":"Ask."}}}}"#
    )
}

#[tokio::test]
async fn a_known_legacy_revision_is_echoed_and_a_modern_one_never_answered() {
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2025-08-01", "2025-06-18"),
        ("2026-07-28", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
        ("nonsense", "2025-11-25"),
    ] {
        let (mut host, _) = Host::start(Fixture::default());
        host.check(&initialize(asked), &answer(answered)).await;
        host.check(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"who"}}"#,
            &format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"content":[{{"type":"text","text":"host {answered}"}}]}}}}"#),
        )
        .await;
    }
}

#[tokio::test]
async fn a_handshake_without_its_parameters_is_refused_and_may_be_tried_again() {
    let (mut host, _) = Host::start(Fixture::default());
    host.check(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: missing field `protocolVersion` at line 1 column 2"}}"#,
    )
    .await;
    host.check(&initialize("2025-11-25"), &answer("2025-11-25"))
        .await;
}

#[tokio::test]
async fn ping_and_lists_are_answered_before_the_handshake() {
    let (mut host, _) = Host::start(Fixture::default());
    host.check(
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
    )
    .await;
    host.check(
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name" : "a"}]}}"#,
    )
    .await;
}

#[tokio::test]
async fn the_handler_hears_who_is_connected_at_the_end_of_the_handshake() {
    let (mut host, fixture) = Host::start(Fixture::default());
    let mut connected = fixture.connected.subscribe();
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    host.is_quiet().await;
    assert_eq!(*connected.borrow(), "", "there was no handshake yet");
    host.shake_hands().await;
    connected.wait_for(|name| name == "host").await.unwrap();
}

#[tokio::test]
async fn a_probe_leaves_the_era_open_and_both_may_be_spoken_in_one_session() {
    let (mut host, _) = Host::start(Fixture::default());
    let discover =
        format!(r#"{{"jsonrpc":"2.0","id":"p","method":"server/discover","params":{{{META}}}}}"#);
    let found = r#"{"jsonrpc":"2.0","id":"p","result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"instructions":"Ask.","ttlMs":7,"cacheScope":"public","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"1"}}}}"#;
    host.check(&discover, found).await;
    host.check(&initialize("2025-06-18"), &answer("2025-06-18"))
        .await;
    for (params, revision) in [
        (r#""name":"who""#.to_owned(), "host 2025-06-18"),
        (format!(r#""name":"who",{META}"#), " 2026-07-28"),
    ] {
        let call =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{params}}}}}"#);
        let answer = host.ask(&call).await;
        let text = format!(r#""text":"{revision}""#);
        assert!(answer.contains(&text), "{answer}");
    }
    host.check(&discover, found).await;
}

#[tokio::test]
async fn an_unfinished_envelope_on_initialize_is_a_legacy_handshake() {
    let (mut host, _) = Host::start(Fixture::default());
    let line = initialize("2026-07-28").replace(
        r#""capabilities""#,
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"capabilities""#,
    );
    host.check(&line, &answer("2025-11-25")).await;
}
