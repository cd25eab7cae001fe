//! All servers under one roof: names, bytes, instructions.

use std::sync::Arc;

use async_trait::async_trait;
use mcp_gateway::Surface;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, Raw};
use mcp_server::{List, Reply, RequestContext, ServerDescription, ServerHandler};
use serde_json::json;
use tokio::sync::watch;

use crate::host::{CHANGED, Host, value};
use crate::world::World;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
/// A name of eighty characters.
const LONG: &str =
    "x1234567890123456789012345678901234567890123456789012345678901234567890123456789";

/// A server whose tools a test names and renames; each says its own name.
pub(crate) struct Named {
    names: watch::Sender<Vec<&'static str>>,
    count: watch::Sender<u64>,
    instructions: String,
}

impl Named {
    pub(crate) fn new(names: &[&'static str], instructions: &str) -> Arc<Self> {
        Arc::new(Named {
            names: watch::Sender::new(names.to_vec()),
            count: watch::Sender::new(0),
            instructions: instructions.to_owned(),
        })
    }

    fn rename(&self, names: &[&'static str]) {
        self.names.send_replace(names.to_vec());
        self.count.send_modify(|count| *count += 1);
    }
}

#[async_trait]
impl ServerHandler for Named {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                ..ServerCapabilities::default()
            },
            instructions: Some(self.instructions.clone()),
            ..ServerDescription::new("named", "1")
        }
    }

    async fn list(&self, _: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        let tool =
            |name| json!({"name": name, "inputSchema": {"type": "object", "properties": {}}});
        let names = self.names.borrow().clone();
        Ok(List::of(names.into_iter().map(tool)))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        Ok(Reply::text(params.name))
    }

    fn changes(&self, _: ListKind) -> Option<watch::Receiver<u64>> {
        Some(self.count.subscribe())
    }
}

async fn named(server: &'static str, names: &[&'static str]) -> (World, Arc<Named>) {
    let handler = Named::new(names, "Use it.");
    let world = World::with(&[(server, "named")], [("named", handler.clone() as Arc<_>)]);
    world.settle().await;
    (world, handler)
}

async fn said(host: &mut Host, tool: &str) -> String {
    let result = host.call(tool, json!({})).await;
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

#[tokio::test(start_paused = true)]
async fn tools_keep_their_order_and_everything_but_their_name() {
    let world = World::settled(&[("zoo", "annotations"), ("a", "tools-list")]).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let first = host.ask(LIST).await;
    let tools = value(&first)["result"]["tools"].clone();
    let name = |index: usize| tools[index]["name"].as_str().unwrap().to_owned();
    assert_eq!(name(0), "zoo__reads");
    assert_eq!(name(3), "a__echo");
    assert_eq!(name(11), "a__described");
    assert_eq!(host.ask(LIST).await, first);
    // One that needs no repair differs in its name alone, hints and their absence included.
    for tool in [
        r#"{"name":"a__echo","description":"Gives the text back.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}"#,
        r#"{"name":"a__described","title":"Described","description":"Uses every field.","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer","default":1}},"additionalProperties":false},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"annotations":{"title":"Described, annotated","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"icons":[{"src":"data:image/png;base64,iVBORw0KGgo=","mimeType":"image/png","sizes":["1x1"]}],"execution":{"taskSupport":"forbidden"},"_meta":{"example.com/kind":"sample"},"unknownField":{"kept":true}}"#,
        r#"{"name":"zoo__reads","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":true}}"#,
        r#"{"name":"zoo__writes","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":false}}"#,
        r#"{"name":"zoo__undeclared","inputSchema":{"type":"object","properties":{}},"annotations":{"title":"Says nothing"}}"#,
    ] {
        assert!(first.contains(tool), "{tool}");
    }
}

#[tokio::test(start_paused = true)]
async fn odd_bytes_inside_a_tool_and_its_result_survive() {
    let world = World::settled(&[("odd", "big-numbers")]).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let listed = host.ask(LIST).await;
    let schema = fake_mcp_server::big_numbers::TOOL;
    let from = schema.find(r#"{ "properties""#).unwrap();
    let schema = &schema[from..schema.find(" ,\t").unwrap()];
    assert!(listed.contains(schema), "{listed}");
    host.check(
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"odd__numbers"}}"#,
        &format!(
            r#"{{"jsonrpc":"2.0","id":2,"result":{}}}"#,
            fake_mcp_server::big_numbers::RESULT
        ),
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn names_that_hosts_would_fold_are_apart_and_lead_to_their_tools() {
    let (world, _) = named("logs-b1", &["read.file", "read_file", "get", LONG]).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let names = host.names().await;
    assert!(names[0].starts_with("logs_b1__read_file_"), "{names:?}");
    assert_eq!(names[1..3], ["logs_b1__read_file", "logs_b1__get"]);
    assert_eq!(names[3].len(), mcp_gateway::MAX_NAME);
    assert_eq!(said(&mut host, &names[0]).await, "read.file");
    assert_eq!(said(&mut host, &names[1]).await, "read_file");
    assert_eq!(said(&mut host, &names[3]).await, LONG);
}

#[tokio::test(start_paused = true)]
async fn the_names_of_the_list_before_are_accepted_until_the_next_change() {
    let (world, server) = named("s", &["read.file", "get"]).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    assert_eq!(host.names().await, ["s__read_file", "s__get"]);
    // Now the plain name belongs to another tool.
    server.rename(&["read.file", "read_file"]);
    assert_eq!(host.line().await, CHANGED);
    // As long as the host has not listed, a name means what it meant.
    assert_eq!(said(&mut host, "s__read_file").await, "read.file");
    let names = host.names().await;
    assert_eq!(names[1], "s__read_file");
    assert_eq!(said(&mut host, "s__read_file").await, "read_file");
    assert_eq!(said(&mut host, &names[0]).await, "read.file");
    let gone = host.call("s__get", json!({})).await;
    let text = gone["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("s: it has no tool \"get\""),
        "sent to the manager: {text}"
    );
    server.rename(&["other"]);
    assert_eq!(host.line().await, CHANGED);
    // Calls with unknown names do not make the host's lists older than they are.
    for _ in 0..3 {
        host.call("s__nothing", json!({})).await;
    }
    assert_eq!(
        said(&mut host, "s__other").await,
        "other",
        "known before it is listed"
    );
    assert_eq!(host.names().await, ["s__other"]);
    let gone = host.call(&names[0], json!({})).await;
    let text = gone["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("s: it has no tool \"read.file\""), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_name_that_is_not_found_is_answered_with_the_nearest_and_nothing_is_sent() {
    let world = World::settled(&[("my-git", "plain")]).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    host.names().await;
    let refused = host.call("my_git__ecco", json!({})).await;
    assert_eq!(
        refused,
        json!({
            "content": [{"type": "text", "text": "there is no tool \"my_git__ecco\". Nothing was sent. The nearest: my_git__echo."}],
            "isError": true,
            "_meta": {"posthouse/error": {"code": "mcp_request_failed", "kind": "unknown_tool"}},
        })
    );
    let refused = host.call(&"z\u{1b}".repeat(100_000), json!({})).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.len() < 300 && !text.contains('\u{1b}'), "{text}");
    assert_eq!(world.programs.sent("my-git", "tools/call").len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_name_from_an_earlier_session_starts_its_server() {
    let world = World::start(&[("~my-git", "plain"), ("-off", "plain")]);
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let called = host.call("my_git__echo", json!({"text": "hi"})).await;
    assert_eq!(called["content"][0]["text"], "hi");
    let refused = host.call("off__echo", json!({})).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("off: the server is switched off in the configuration"),
        "{text}"
    );
    assert_eq!(refused["_meta"]["posthouse/error"]["kind"], "disabled");
}

#[tokio::test(start_paused = true)]
async fn instructions_stand_alone_early_and_every_server_gets_its_share() {
    let long = "a long story ".repeat(1000);
    let world = World::with(
        &[("git", "long"), ("time", "plain"), ("off-and-on", "long")],
        [("long", Named::new(&["x"], &long) as Arc<_>)],
    );
    world.settle().await;
    let mut host = Host::connect(&world, &Surface::Facade);
    let result = host.initialize().await;
    let text = result["instructions"].as_str().unwrap();
    assert!(text.starts_with("Tools of git, time, off-and-on. Each tool is named <server>__<tool>.\n\n## git\na long story"));
    assert!(text.chars().count() <= 2000, "{}", text.chars().count());
    assert!(
        text.contains("\n\n## time\nFake server in mode plain.\n\n## off-and-on\na long story")
    );
    let share = text.split("## off-and-on").nth(1).unwrap();
    assert!(
        share.chars().count() > 800,
        "what the others leave is its own"
    );
}

#[tokio::test(start_paused = true)]
async fn a_cold_session_does_without_the_servers_own_instructions() {
    let world = World::start(&[("git", "slow-initialize"), ("time", "no-initialize")]);
    let mut host = Host::connect(&world, &Surface::Facade);
    let result = host.initialize().await;
    assert_eq!(
        result["instructions"],
        "Tools of git, time. Each tool is named <server>__<tool>."
    );
}

#[tokio::test(start_paused = true)]
async fn ten_thousand_tools_are_listed_in_one_page_and_found_by_name() {
    let world = World::settled(&[("big", "big-list")]).await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    let listed = host.result("tools/list").await;
    assert_eq!(listed["tools"].as_array().unwrap().len(), 10_000);
    assert_eq!(listed["nextCursor"], serde_json::Value::Null);
    assert_eq!(said(&mut host, "big__tool_09999").await, "tool_09999");
}

/// What the name of a tool becomes must be a name again.
#[tokio::test(start_paused = true)]
async fn a_tool_whose_name_is_hidden_in_other_fields_is_renamed_in_the_right_place() {
    struct Tricky;
    #[async_trait]
    impl ServerHandler for Tricky {
        fn describe(&self) -> ServerDescription {
            Named::new(&[], "").describe()
        }

        async fn list(&self, _: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
            let tool = r#"{"_meta":{"name":"no"},"inputSchema":{"type":"object","properties":{"name":{"type":"string"}}},"n\u0061me":"yes"}"#;
            Ok(List::new([Raw::parse(tool).unwrap_or_default()]))
        }
    }
    let world = World::with(&[("s", "tricky")], [("tricky", Arc::new(Tricky) as Arc<_>)]);
    world.settle().await;
    let mut host = Host::legacy(&world, &Surface::Facade).await;
    host.check(
        LIST,
        r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"_meta":{"name":"no"},"inputSchema":{"type":"object","properties":{"name":{"type":"string"}}},"name":"s__yes"}]}}"#,
    )
    .await;
}
