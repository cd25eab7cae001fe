//! The well-behaved server: handshake, default tools, the tally.

use std::time::Duration;

use tokio::time::Instant;

use super::{INITIALIZE, INITIALIZED, Peer, check, check_ready};
use crate::{Exit, Mode, Options};

#[tokio::test(start_paused = true)]
async fn the_handshake_is_demanded_and_echoes_the_version() {
    check(
        Mode::Plain,
        &[
            r#"> {"jsonrpc":"2.0","id":"d","method":"server/discover","params":{}}"#,
            r#"< {"jsonrpc":"2.0","id":"d","error":{"code":-32601,"message":"Method not found: server/discover"}}"#,
            r#"> {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"tools/list before the handshake is over"}}"#,
            r#"> {"jsonrpc":"2.0","id":2,"method":"ping"}"#,
            r#"< {"jsonrpc":"2.0","id":2,"result":{}}"#,
            INITIALIZE,
            r#"< {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake-mcp-server","version":"1.0.0"},"instructions":"Fake server in mode plain."}}"#,
            r#"> {"jsonrpc":"2.0","id":3,"method":"tools/list"}"#,
            r#"< {"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"tools/list before the handshake is over"}}"#,
            INITIALIZED,
            r#"> {"jsonrpc":"2.0","id":4,"method":"resources/list"}"#,
            r#"< {"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"Method not found: resources/list"}}"#,
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn versions_are_negotiated_as_the_mode_says() {
    for (mode, asked, answered) in [
        (Mode::Plain, "2024-11-05", "2024-11-05"),
        (Mode::Plain, "2025-11-25", "2025-11-25"),
        (Mode::Plain, "2026-07-28", "2025-11-25"),
        (Mode::Old, "2025-11-25", "2024-11-05"),
    ] {
        let mut peer = Peer::start(mode, Options::default());
        peer.say(&INITIALIZE.replace("2025-06-18", asked)).await;
        let answer = peer.hear().await;
        let version = format!(r#""protocolVersion":"{answered}""#);
        assert!(answer.contains(&version), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_default_tools_do_what_they_say() {
    check_ready(
        Mode::Plain,
        &[
            r#"> {"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo","arguments":{"text":"h\"i"}}}"#,
            r#"< {"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"h\"i"}]}}"#,
            r#"> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":-5}}}"#,
            r#"< {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"-3"}]}}"#,
            r#"> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fail"}}"#,
            r#"< {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"failed, as asked"}],"isError":true}}"#,
            r#"> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"none"}}"#,
            r#"< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Unknown tool: none"}}"#,
            r"> [1]",
            r#"< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The message is not an object"}}"#,
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn env_looks_up_what_the_options_hold() {
    let environment = [("KEY".to_owned(), "value".to_owned())].into();
    let options = Options {
        environment,
        ..Options::default()
    };
    let mut peer = Peer::ready(Mode::Plain, options).await;
    peer.call(1, "env", r#"{"name":"KEY"}"#).await;
    assert!(peer.hear().await.contains(r#""text":"value""#));
    peer.call(2, "env", r#"{"name":"OTHER"}"#).await;
    assert!(peer.hear().await.contains(r#""isError":true"#));
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_sleep_is_recorded_and_not_answered() {
    let mut peer = Peer::ready(Mode::Plain, Options::default()).await;
    peer.call(7, "sleep", r#"{"ms":60000}"#).await;
    peer.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
        .await;
    tokio::time::sleep(Duration::from_mins(2)).await;
    peer.play(&[
        r#"> {"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"count"}}"#,
        r#"< {"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"received\":{\"initialize\":1,\"notifications/cancelled\":1,\"notifications/initialized\":1,\"tools/call\":2,\"tools/list\":0},\"calls\":{\"count\":1,\"sleep\":1},\"cancelled\":[7],\"grandchildren\":[]}"}]}}"#,
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn sleep_takes_its_time_and_others_overtake_it() {
    let mut peer = Peer::ready(Mode::Plain, Options::default()).await;
    let start = Instant::now();
    peer.call(1, "sleep", r#"{"ms":5000}"#).await;
    peer.call(2, "echo", r#"{"text":"x"}"#).await;
    assert!(peer.hear().await.contains(r#""id":2"#));
    assert!(peer.hear().await.contains("slept 5000 ms"));
    assert_eq!(start.elapsed().as_secs(), 5);
    assert_eq!(peer.close().await, Exit::Closed);
}
