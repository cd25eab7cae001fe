//! What is right in itself, but not available in this version.

use super::*;

#[test]
fn what_is_not_in_this_version() {
    let bridge = r#"until it is, run it through a bridge that speaks stdio, for example "command": "npx", "args": ["-y", "mcp-remote", "<url>"]"#;
    for members in [
        r#"{ "url": "https://example.com/mcp" }"#,
        r#"{ "type": "streamable-http", "url": "http://127.0.0.1:3001/mcp", "headers": { "A": "b" } }"#,
    ] {
        check(
            members,
            &format!("streamable HTTP is not available in this version; {bridge}"),
        );
    }
    check(
        r#"{ "type": "sse", "url": "https://example.com/sse" }"#,
        &format!("HTTP with SSE is not available in this version; {bridge}"),
    );
    check(
        r#"{ "url": "example.com/mcp" }"#,
        r#""url" is not an http or https URL; write "https://host/path""#,
    );
    check(
        r#"{ "command": "x", "executors": ["build1"] }"#,
        r#""executors[0]" is "build1", and this version runs servers on "local" only; remove "executors" to run it on this machine"#,
    );
    check(
        r#"{ "command": "x", "executors": ["local", "build1"] }"#,
        r#""executors[1]" is "build1", and this version runs servers on "local" only; remove "executors" to run it on this machine"#,
    );
    check(
        r#"{ "command": "x", "disabled": true, "executors": ["local", "build1"] }"#,
        r#""executors" names several, and "placement" does not say what that means; add "placement": "each" for a server on each of them, or "failover" for one that moves to the next when its executor is lost"#,
    );
    check(
        r#"{ "command": "x", "executors": ["Build 1"] }"#,
        r#""executors[0]" is not an executor name; use 1 to 16 of the characters a-z 0-9 -"#,
    );
    check(
        r#"{ "command": "x", "executors": ["local", "local"] }"#,
        r#""executors[1]" names an executor a second time; remove it"#,
    );
    check(
        r#"{ "command": "x", "http": { "path": "/mcp" } }"#,
        r#""http" is not available in this version: a command must speak MCP on its standard streams; start the server in its stdio mode"#,
    );
}

#[test]
fn values_that_entries_ask_for_are_not_looked_up_without_an_expander() {
    let loaded = loaded(
        r#"{ "mcpServers": { "it": { "command": "x", "env": { "A": "${TOKEN:-none}" } },
                             "other": { "command": "x", "envFile": ".env" } } }"#,
    );
    let held: Vec<_> = loaded.held.iter().map(|it| it.reason.as_str()).collect();
    assert_eq!(
        held,
        [
            r#""env.A" asks for ${TOKEN}, which is not looked up here"#,
            r#""envFile" names the file /conf/.env, which is not read here"#,
        ]
    );
}
