//! Golden messages of each revision, as we write them.

use mcp_proto::Revision;

use crate::{check, json, official, subject};

/// A definition of the official schema, and a message as we write it.
type Golden = (&'static str, &'static str);

#[test]
fn the_golden_messages_are_read_written_and_valid() {
    let folder = official::folder();
    let all = folder.as_deref().map(official::all);
    for (at, revision) in Revision::ALL.into_iter().enumerate() {
        let messages = of(revision);
        for (definition, text) in messages {
            let kind = subject::kind(definition, &json(text));
            let written = subject::round(definition, kind, text).unwrap();
            assert_eq!(written, *text, "{definition} of {revision}");
            let projected = subject::projected(definition, kind, text, revision);
            assert_eq!(projected, *text, "{definition} of {revision}");
            if let Some(all) = &all {
                check(all, &all[at], definition, &json(text), "golden");
            }
        }
        println!("{revision}: {} golden messages", messages.len());
    }
}

/// The messages of a revision.
fn of(revision: Revision) -> &'static [Golden] {
    match revision {
        Revision::V2024_11_05 => GOLDEN_2024_11_05,
        Revision::V2025_03_26 => GOLDEN_2025_03_26,
        Revision::V2025_06_18 => GOLDEN_2025_06_18,
        Revision::V2025_11_25 => GOLDEN_2025_11_25,
        Revision::V2026_07_28 => GOLDEN_2026_07_28,
    }
}

const GOLDEN_2024_11_05: &[Golden] = &[
    (
        "InitializeRequest",
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{"roots":{"listChanged":true},"sampling":{}},"clientInfo":{"name":"posthouse","version":"0.1.0"}}}"#,
    ),
    (
        "InitializeResult",
        r#"{"protocolVersion":"2024-11-05","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"posthouse","version":"0.1.0"},"instructions":"Find a tool, then call it."}"#,
    ),
    (
        "InitializedNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ),
    (
        "ListToolsResult",
        r#"{"tools":[{"name":"greet","description":"Greets.","inputSchema":{"type":"object","properties":{"who":{"type":"string"}}}}],"nextCursor":"2"}"#,
    ),
    (
        "CallToolRequest",
        r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"greet","arguments":{"who":"Ada"},"_meta":{"progressToken":7}}}"#,
    ),
    (
        "CallToolResult",
        r#"{"content":[{"type":"text","text":"Hello","annotations":{"audience":["user"],"priority":0.5}},{"type":"image","data":"QUJD","mimeType":"image/png"}],"isError":false}"#,
    ),
    (
        "ProgressNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":0.5,"total":2.5}}"#,
    ),
    (
        "CancelledNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"timeout"}}"#,
    ),
    (
        "JSONRPCError",
        r#"{"jsonrpc":"2.0","id":"a","error":{"code":-32002,"message":"unknown resource","data":{"uri":"file:///a"}}}"#,
    ),
    (
        "SetLevelRequest",
        r#"{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}"#,
    ),
    (
        "LoggingMessageNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"db","data":null}}"#,
    ),
    (
        "CompleteRequest",
        r#"{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"file:///{path}"},"argument":{"name":"path","value":"a"}}}"#,
    ),
    (
        "CreateMessageResult",
        r#"{"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m","stopReason":"endTurn"}"#,
    ),
    (
        "ListRootsResult",
        r#"{"roots":[{"uri":"file:///project","name":"project"}]}"#,
    ),
];

const GOLDEN_2025_03_26: &[Golden] = &[
    (
        "InitializeResult",
        r#"{"protocolVersion":"2025-03-26","capabilities":{"tools":{},"completions":{}},"serverInfo":{"name":"posthouse","version":"0.1.0"}}"#,
    ),
    (
        "Tool",
        r#"{"name":"greet","inputSchema":{"type":"object"},"annotations":{"title":"Greet","readOnlyHint":true,"openWorldHint":false}}"#,
    ),
    (
        "CallToolResult",
        r#"{"content":[{"type":"audio","data":"QUJD","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"a"}}]}"#,
    ),
    (
        "ProgressNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"message":"half"}}"#,
    ),
    (
        "JSONRPCBatchRequest",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping","params":{}},{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
    ),
    (
        "GetPromptResult",
        r#"{"description":"A greeting","messages":[{"role":"user","content":{"type":"text","text":"Greet me"}}]}"#,
    ),
    (
        "ReadResourceResult",
        r#"{"contents":[{"uri":"file:///a","blob":"QUJD"}]}"#,
    ),
    (
        "SubscribeRequest",
        r#"{"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":"file:///a"}}"#,
    ),
    (
        "ResourceUpdatedNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}"#,
    ),
    (
        "CreateMessageRequest",
        r#"{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"audio","data":"QUJD","mimeType":"audio/wav"}}],"modelPreferences":{"hints":[{"name":"small"}],"speedPriority":0.5},"systemPrompt":"Be brief.","includeContext":"none","temperature":0.5,"maxTokens":100,"stopSequences":["."]}}"#,
    ),
];

const GOLDEN_2025_06_18: &[Golden] = &[
    (
        "InitializeRequest",
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"posthouse","version":"0.1.0","title":"Post House"}}}"#,
    ),
    (
        "Tool",
        r#"{"name":"greet","title":"Greet","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},"_meta":{"example.com/a":1}}"#,
    ),
    (
        "CallToolResult",
        r#"{"content":[{"type":"text","text":"{\"n\":1}"},{"type":"resource_link","uri":"file:///a","name":"a","title":"A","size":3}],"structuredContent":{"n":1}}"#,
    ),
    (
        "ElicitRequest",
        r#"{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"who":{"type":"string","enum":["a","b"],"enumNames":["A","B"]}},"required":["who"]}}}"#,
    ),
    (
        "ElicitResult",
        r#"{"action":"accept","content":{"who":"a"}}"#,
    ),
    (
        "CompleteRequest",
        r#"{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"p","title":"P"},"argument":{"name":"n","value":"v"},"context":{"arguments":{"m":"w"}}}}"#,
    ),
    (
        "CompleteResult",
        r#"{"completion":{"values":["vv"],"total":1,"hasMore":false}}"#,
    ),
    (
        "ResourceTemplate",
        r#"{"uriTemplate":"file:///{path}","name":"files","title":"Files","mimeType":"text/plain","annotations":{"lastModified":"2025-06-18T00:00:00Z"}}"#,
    ),
    (
        "Prompt",
        r#"{"name":"p","title":"P","arguments":[{"name":"n","title":"N","required":true}]}"#,
    ),
];

const GOLDEN_2025_11_25: &[Golden] = &[
    (
        "InitializeRequest",
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"posthouse","version":"0.1.0","description":"Runs servers.","icons":[{"src":"https://example.com/i.png","sizes":["48x48"],"theme":"dark"}],"websiteUrl":"https://example.com/"}}}"#,
    ),
    (
        "Tool",
        r#"{"name":"greet","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"},"icons":[{"src":"data:image/png;base64,QUJD"}],"execution":{"taskSupport":"forbidden"}}"#,
    ),
    (
        "CallToolRequest",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","task":{"ttl":1000}}}"#,
    ),
    (
        "ElicitRequest",
        r#"{"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{"mode":"url","message":"Sign in","url":"https://example.com/","elicitationId":"e1"}}"#,
    ),
    (
        "ElicitationCompleteNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}"#,
    ),
    (
        "ElicitRequestFormParams",
        r#"{"mode":"form","message":"Which?","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"const":"x","title":"X"}]},"default":["x"]},"s":{"type":"string","oneOf":[{"const":"y","title":"Y"}]},"n":{"type":"integer","default":3}}}}"#,
    ),
    (
        "CreateMessageResult",
        r#"{"role":"assistant","content":[{"type":"text","text":"I call."},{"type":"tool_use","id":"u1","name":"greet","input":{"who":"Ada"}}],"model":"m","stopReason":"toolUse"}"#,
    ),
    (
        "CreateMessageRequestParams",
        r#"{"messages":[{"role":"user","content":[{"type":"tool_result","toolUseId":"u1","content":[{"type":"text","text":"Hello"}],"isError":false}]}],"maxTokens":100,"tools":[{"name":"greet","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}}"#,
    ),
    (
        "JSONRPCErrorResponse",
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"not JSON"}}"#,
    ),
];

const GOLDEN_2026_07_28: &[Golden] = &[
    (
        "DiscoverRequest",
        r#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
    ),
    (
        "DiscoverResult",
        r#"{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"extensions":{"io.modelcontextprotocol/ui":{}}},"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"posthouse","version":"0.1.0"}}}"#,
    ),
    (
        "ListToolsRequest",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
    ),
    (
        "ListToolsResult",
        r#"{"tools":[{"name":"greet","inputSchema":{"type":"object","oneOf":[{"required":["who"]}]},"outputSchema":{"type":"array"}}],"resultType":"complete","ttlMs":1000,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"posthouse","version":"0.1.0"}}}"#,
    ),
    (
        "CallToolRequest",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{},"inputResponses":{"q":{"action":"accept","content":{"who":"Ada"}}},"requestState":"s\u0000","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
    ),
    (
        "CallToolResult",
        r#"{"content":[{"type":"text","text":"null"}],"structuredContent":null,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"posthouse","version":"0.1.0"}}}"#,
    ),
    (
        "InputRequiredResult",
        r#"{"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"url","message":"Sign in","url":"https://example.com/"}},"r":{"method":"roots/list"}},"requestState":"s","resultType":"input_required"}"#,
    ),
    (
        "SubscriptionsListenRequest",
        r#"{"jsonrpc":"2.0","id":3,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"]},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
    ),
    (
        "SubscriptionsAcknowledgedNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}"#,
    ),
    (
        "ToolListChangedNotification",
        r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}"#,
    ),
    (
        "SubscriptionsListenResult",
        r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":3}}"#,
    ),
    (
        "UnsupportedProtocolVersionError",
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}"#,
    ),
    (
        "MissingRequiredClientCapabilityError",
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"needs elicitation","data":{"requiredCapabilities":{"elicitation":{}}}}}"#,
    ),
];
