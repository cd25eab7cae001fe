//! One server as it was: the same bytes, in either era, and everything it has.

use std::sync::Arc;

use async_trait::async_trait;
use fake_mcp_server::{Mode, big_numbers};
use mcp_proto::capabilities::ServerCapabilities;
use mcp_proto::{ErrorObject, Raw, RawObject};
use mcp_server::{Reply, RequestContext, ServerDescription, ServerHandler};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use crate::host::{Host, META, pass_through, value};
use crate::world::World;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const INFO: &str = r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake-mcp-server","version":"1.0.0"}}"#;

async fn world(mode: &str) -> World {
    World::settled(&[("s", mode)]).await
}

async fn legacy(world: &World) -> Host {
    Host::legacy(world, &pass_through("s")).await
}

/// The text of the tool list as the server itself gives it to a legacy client.
async fn listed_directly(mode: Mode) -> String {
    let (near, far) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(async move {
        let (reader, writer) = tokio::io::split(far);
        fake_mcp_server::serve(mode, fake_mcp_server::Options::default(), reader, writer).await
    });
    let (reader, mut writer) = tokio::io::split(near);
    let mut lines = BufReader::new(reader).lines();
    let ask = [
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        LIST,
    ];
    let ask = ask.map(|line| format!("{line}\n")).concat();
    writer.write_all(ask.as_bytes()).await.unwrap();
    lines.next_line().await.unwrap();
    let answer = lines.next_line().await.unwrap().unwrap();
    server.abort();
    let answer = RawObject::parse(&Raw::parse(answer).unwrap()).unwrap();
    answer.get("result").unwrap().get().to_owned()
}

#[tokio::test(start_paused = true)]
async fn tools_are_byte_for_byte_on_the_wire() {
    for mode in [Mode::BigNumbers, Mode::ToolsList, Mode::Annotations] {
        let world = world(mode.name()).await;
        let mut host = legacy(&world).await;
        let direct = listed_directly(mode).await;
        // The two that need `properties` at the root are told by the repair's own test.
        let repaired = direct.replace(
            r#""inputSchema":{"type":"object"}"#,
            r#""inputSchema":{"type":"object","properties":{}}"#,
        );
        assert_eq!(repaired == direct, mode != Mode::Annotations);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{repaired}}}"#);
        host.check(LIST, &answer).await;
        assert_eq!(answer.contains(big_numbers::TOOL), mode == Mode::BigNumbers);
    }
}

#[tokio::test(start_paused = true)]
async fn results_and_arguments_are_byte_for_byte_on_the_wire() {
    let world = world("big-numbers").await;
    let mut host = legacy(&world).await;
    host.check(
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"numbers"}}"#,
        &format!(
            r#"{{"jsonrpc":"2.0","id":2,"result":{}}}"#,
            big_numbers::RESULT
        ),
    )
    .await;
    let sent = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"task":{"ttl":1},"extra" : 1.0,"arguments":{ "b" : 1e400 ,"a":-0.0},"name":"raw","_meta":{"a/b":0.10}}}"#;
    let result = host.ask(sent).await;
    assert!(
        result.contains(r#""{ \"b\" : 1e400 ,\"a\":-0.0}""#),
        "{result}"
    );
    let calls = world.programs.sent("s", "tools/call");
    let params = r#""params":{"name":"raw","arguments":{ "b" : 1e400 ,"a":-0.0},"extra":1.0,"_meta":{"a/b":0.10}}}"#;
    assert!(calls[1].ends_with(params), "{}", calls[1]);
}

#[tokio::test(start_paused = true)]
async fn a_modern_host_gets_what_its_era_has_from_a_legacy_server() {
    let world = world("tools-list").await;
    let mut host = Host::connect(&world, &pass_through("s"));
    let direct = listed_directly(Mode::ToolsList).await;
    let projected = direct.replace(r#","execution":{"taskSupport":"forbidden"}"#, "");
    assert_ne!(projected, direct);
    let tools = projected.strip_suffix('}').unwrap();
    host.check(
        &format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{{META}}}}}"#),
        &format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{tools},"ttlMs":0,"cacheScope":"private","resultType":"complete",{INFO}}}}}"#
        ),
    )
    .await;
    host.check(
        &format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hi"}},{META}}}}}"#),
        &format!(r#"{{"jsonrpc":"2.0","id":2,"result":{{"content":[{{"type":"text","text":"hi"}}],"resultType":"complete",{INFO}}}}}"#),
    )
    .await;
    let calls = world.programs.sent("s", "tools/call");
    assert!(
        !calls[0].contains("io.modelcontextprotocol"),
        "{}",
        calls[0]
    );
}

#[tokio::test(start_paused = true)]
async fn a_legacy_host_gets_what_its_era_has_from_a_modern_server() {
    let world = world("modern").await;
    let mut host = legacy(&world).await;
    let names = host.names().await;
    assert_eq!(names.last().unwrap(), "end_listen");
    host.check(
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hi"}]}}"#,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn between_a_modern_host_and_a_modern_server_a_result_keeps_its_bytes() {
    let world = world("modern").await;
    let mut host = Host::connect(&world, &pass_through("s"));
    host.check(
        &format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"hi"}},{META}}}}}"#),
        &format!(r#"{{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete",{INFO},"content":[{{"type":"text","text":"hi"}}]}}}}"#),
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_handshake_says_what_the_server_says() {
    let world = world("resources-only").await;
    let mut host = Host::connect(&world, &pass_through("s"));
    assert_eq!(
        host.initialize().await,
        json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {"listChanged": true}, "resources": {"listChanged": true}, "prompts": {"listChanged": true}},
            "serverInfo": {"name": "fake-mcp-server", "version": "1.0.0"},
            "instructions": "Fake server in mode resources-only.",
        })
    );
}

#[tokio::test(start_paused = true)]
async fn resources_and_prompts_are_forwarded() {
    let world = world("resources-only").await;
    let mut host = legacy(&world).await;
    assert_eq!(host.names().await, Vec::<String>::new());
    let resources = host.result("resources/list").await;
    assert_eq!(resources["resources"].as_array().unwrap().len(), 3);
    assert_eq!(resources["nextCursor"], serde_json::Value::Null);
    let templates = host.result("resources/templates/list").await;
    assert_eq!(templates["resourceTemplates"][0]["name"], "item");
    let prompts = host.result("prompts/list").await;
    assert_eq!(prompts["prompts"][0]["name"], "greet");
    host.check(
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"fake:///item/7"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"fake:///item/7","mimeType":"text/plain","text":"item 7"}]}}"#,
    )
    .await;
    host.check(
        r#"{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"greet","arguments":{"name":"Ada"}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Say hello to Ada."}}]}}"#,
    )
    .await;
    let missing = host
        .ask(r#"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"fake:///no"}}"#)
        .await;
    let error = &value(&missing)["error"];
    assert_eq!(error["code"], -32002);
    assert_eq!(error["data"], json!({"uri": "fake:///no"}));
}

/// Completes, and asks back.
struct Modern;

#[async_trait]
impl ServerHandler for Modern {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            capabilities: ServerCapabilities {
                completions: Some(Raw::empty_object()),
                ..ServerCapabilities::default()
            },
            ..ServerDescription::new("modern", "1")
        }
    }

    async fn other(
        &self,
        method: &str,
        params: Option<Raw>,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        assert_eq!(method, "completion/complete");
        let params = RawObject::parse(&params.unwrap_or_default()).unwrap_or_default();
        let argument = params.get("argument").cloned().unwrap_or_default();
        let completion = format!(r#"{{"completion":{{"values":[],"x":{argument:?}}}}}"#);
        Ok(Raw::parse(completion).unwrap_or_default().into())
    }
}

#[tokio::test(start_paused = true)]
async fn completion_is_forwarded() {
    let world = World::with(&[("s", "own")], [("own", Arc::new(Modern) as Arc<_>)]);
    world.settle().await;
    let mut host = legacy(&world).await;
    host.check(
        r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{},"argument":{ "name":"a","value" : ""}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":[],"x":{ "name":"a","value" : ""}}}}"#,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn progress_goes_on_under_the_hosts_own_token() {
    let world = world("progress").await;
    let mut host = legacy(&world).await;
    for token in ["5", r#""five""#] {
        host.send(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"progress","arguments":{{"steps":2}},"_meta":{{"progressToken":{token}}}}}}}"#))
            .await;
        for step in [1, 2] {
            let told = value(&host.line().await);
            assert_eq!(told["method"], "notifications/progress");
            assert_eq!(
                told["params"],
                json!({"progressToken": value(token), "progress": f64::from(step), "total": 2.0, "message": format!("step {step}")})
            );
        }
        let answer = value(&host.line().await);
        assert_eq!(answer["result"]["content"][0]["text"], "2 steps done");
    }
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_is_cancelled_at_the_server() {
    let world = world("plain").await;
    let mut host = legacy(&world).await;
    host.send(r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"sleep","arguments":{"ms":100000}}}"#)
        .await;
    host.is_quiet().await;
    host.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#)
        .await;
    host.is_quiet().await;
    let counted = host.call("count", json!({})).await;
    let counted = value(counted["content"][0]["text"].as_str().unwrap());
    assert_eq!(counted["cancelled"].as_array().unwrap().len(), 1);
    assert_eq!(counted["calls"]["sleep"], 1);
}

#[tokio::test(start_paused = true)]
async fn what_the_server_refuses_keeps_its_code_and_what_we_refuse_is_a_result() {
    let world = World::settled(&[("s", "resources-only"), ("b", "exit-at-once")]).await;
    let mut host = Host::legacy(&world, &pass_through("b")).await;
    let refused = host.call("anything", json!({})).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    for part in [
        "b: ",
        "exited with code 3",
        "cannot open /data",
        "Nothing was sent",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(
        refused["_meta"]["posthouse/error"],
        json!({"code": "mcp_server_unavailable", "kind": "not_connected"})
    );
    assert_eq!(refused["isError"], true);
    let mut host = legacy(&world).await;
    let refused = host
        .ask(r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"nope"}}"#)
        .await;
    assert_eq!(value(&refused)["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn only_a_schema_root_that_hosts_refuse_is_repaired() {
    let world = world("bad-schema").await;
    let mut host = legacy(&world).await;
    let listed = host.ask(LIST).await;
    let direct = listed_directly(Mode::BadSchema).await;
    for (before, after) in [
        (
            r#"{"name":"no_schema","description":"Has no inputSchema."}"#,
            r#"{"name":"no_schema","description":"Has no inputSchema.","inputSchema":{"type":"object","properties":{}}}"#,
        ),
        (
            r#"{"name":"empty_schema","inputSchema":{}}"#,
            r#"{"name":"empty_schema","inputSchema":{"type":"object","properties":{}}}"#,
        ),
        (
            r#"{"name":"untyped_schema","inputSchema":{"properties":{"a":{"type":"string"}},"required":["a"]}}"#,
            r#"{"name":"untyped_schema","inputSchema":{"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}}"#,
        ),
    ] {
        assert!(
            direct.contains(before) && listed.contains(after),
            "{listed}"
        );
    }
    assert!(
        !listed.contains("text_schema"),
        "what is beyond repair is left out"
    );
    // The rest is as it was: everything from the tool after the bad ones to the end.
    let rest = &direct[direct.find(r#"{"name":"add""#).unwrap()..];
    assert!(listed.ends_with(&format!("{rest}}}")), "{listed}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_configured_is_named_with_those_that_are() {
    let world = World::start(&[("git", "plain"), ("time", "plain")]);
    let unknown = world.gateway.session(&pass_through("gti")).err().unwrap();
    assert_eq!(
        unknown.to_string(),
        r#"there is no server "gti" in the configuration; there are: git, time"#
    );
}
