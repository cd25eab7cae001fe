//! Mode `modern`: envelopes, discovery, listen streams.

use super::{INITIALIZE, check};
use crate::Mode;

const ENVELOPE: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// A request with an envelope; `params` are its other parameters, each with a comma before it.
fn request(id: &str, method: &str, params: &str) -> String {
    format!(
        r#"> {{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{ENVELOPE}{params}}}}}"#
    )
}

#[tokio::test(start_paused = true)]
async fn requests_need_the_right_envelope() {
    let right = request("1", "tools/list", "");
    check(
        Mode::Modern,
        &[
            INITIALIZE,
            r#"< {"jsonrpc":"2.0","id":0,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-06-18"}}}"#,
            r#"> {"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"_meta without io.modelcontextprotocol/protocolVersion"}}"#,
            &right.replace("2026-07-28", "1900-01-01"),
            r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}"#,
            &right.replace("clientCapabilities", "clientInfo"),
            r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"_meta without io.modelcontextprotocol/clientCapabilities"}}"#,
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn results_say_that_they_are_complete() {
    check(
        Mode::Modern,
        &[
            &request(r#""d-1""#, "server/discover", ""),
            r#"< {"jsonrpc":"2.0","id":"d-1","result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake-mcp-server","version":"1.0.0"}},"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"instructions":"Fake server in mode modern."}}"#,
            &request("2", "tools/call", r#","name":"echo","arguments":{"text":"hi"}"#),
            r#"< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake-mcp-server","version":"1.0.0"}},"content":[{"type":"text","text":"hi"}]}}"#,
            r#"> {"jsonrpc":"2.0","id":3,"method":"ping"}"#,
            r#"< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake-mcp-server","version":"1.0.0"}}}}"#,
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn changes_reach_the_streams_that_asked() {
    let tools = r#","notifications":{"toolsListChanged":true,"promptsListChanged":true}"#;
    let called = |id: u32, text: &str| {
        format!(
            r#"< {{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"fake-mcp-server","version":"1.0.0"}}}},"content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )
    };
    check(
        Mode::Modern,
        &[
            &request(r#""l""#, "subscriptions/listen", tools),
            r#"< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"},"notifications":{"toolsListChanged":true}}}"#,
            &request("2", "subscriptions/listen", r#","notifications":{}"#),
            r#"< {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{}}}"#,
            &request("3", "tools/call", r#","name":"grow""#),
            r#"< {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}"#,
            &called(3, "grown"),
            r#"> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}}"#,
            &request("4", "tools/call", r#","name":"end_listen""#),
            r#"< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#,
            &called(4, "ended"),
        ],
    )
    .await;
}
