//! Real client SDKs through `posthouse serve`, with real public servers behind it.
//!
//! `cargo xtask gates clients` installs both and runs this. Every topic is seen by each SDK in each of
//! its modes; what was said is read from shims on both sides of posthouse.

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};
use std::fs;
use std::future::Future;
use std::panic::resume_unwind;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tempfile::TempDir;
use tests::installed::{PublicServer, example, text};
use tests::line_client::tools_of;
use tests::recording_shim::Shim;
use tests::sdk_client::{SdkClient, Seen};
use tests::wire::{assert_bytes, assert_era, shakes_hands};
use tokio::task::JoinSet;

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// `posthouse --config CONFIG serve …`
fn serve(config: String, args: &[&str]) -> Vec<String> {
    let posthouse = env!("CARGO_BIN_EXE_posthouse-under-test").to_owned();
    let words = [posthouse, "--config".to_owned(), config, "serve".to_owned()];
    let args = args.iter().map(|it| (*it).to_owned());
    words.into_iter().chain(args).collect()
}

fn shim(folder: &TempDir, name: &str) -> Shim {
    let program = env!("CARGO_BIN_EXE_recording-shim");
    Shim::new(program, folder.path().join(name))
}

/// Does it for each, several at a time.
async fn each<T, F>(all: &[T], see: impl Fn(T) -> F)
where
    T: Copy,
    F: Future<Output = ()> + Send + 'static,
{
    let mut tasks: JoinSet<()> = all.iter().map(|one| see(*one)).collect();
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended {
            resume_unwind(error.into_panic());
        }
    }
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(name).collect()
}

/// The text of the result of the call at `index`.
fn text_of(seen: &Seen, index: usize) -> &str {
    let content = &seen.results[index]["result"]["content"];
    let text = content[0]["text"].as_str();
    text.unwrap_or_else(|| panic!("no text: {}", seen.results[index]))
}

fn assert_revision(client: SdkClient, seen: &Seen) {
    let expected = match client.prefers_modern() {
        true => ("modern", MODERN),
        false => ("legacy", LEGACY),
    };
    let got = (seen.era.as_str(), seen.protocol.as_str());
    assert_eq!(got, expected, "{}", client.name());
}

#[tokio::test]
async fn through_serve_a_client_sees_one_tool_and_searches_describes_and_calls() {
    let mcp = |arguments: Value| json!({ "name": "mcp", "arguments": arguments });
    // However slow the machine: search waits for servers only so long.
    let connect = |server: PublicServer| mcp(json!({ "action": "connect", "server": server.id() }));
    let search = |words| mcp(json!({ "action": "search", "query": words }));
    let describe = |tool| mcp(json!({ "action": "describe", "tool": tool }));
    let call = |tool, args| mcp(json!({ "action": "call", "tool": tool, "args": args }));
    let calls = json!([
        connect(PublicServer::Everything),
        connect(PublicServer::Filesystem),
        connect(PublicServer::Time),
        search("add two numbers"),
        search("read a text file"),
        search("what time is it in Tokyo"),
        describe("everything/get-sum"),
        describe("filesystem/read_text_file"),
        describe("time/get_current_time"),
        call("everything/get-sum", json!({ "a": 2, "b": 3 })),
        call("filesystem/list_allowed_directories", json!({})),
        call("time/get_current_time", json!({ "timezone": "Asia/Tokyo" })),
        call("time/get_current_time", json!({ "timezone": "Nowhere" })),
    ]);
    let expected = [
        "everything: ready, 13 tools",
        "filesystem: ready, 14 tools",
        "time: ready, 2 tools",
        "everything/get-sum { a: number; b: number; }",
        "filesystem/read_text_file { path: string;",
        "time/get_current_time { timezone: string; }",
        "\"b\":{\"type\":\"number\",\"description\":\"Second number\"}",
        "\"path\":{\"type\":\"string\"",
        "\"required\":[\"timezone\"]",
        "The sum of 2 and 3 is 5.",
        "/examples",
        "+09:00",
        "Invalid timezone",
    ];
    each(&SdkClient::all(), move |client| {
        let calls = calls.clone();
        async move {
            let seen = client.run(&calls, &serve(text(example()), &[])).await;
            assert_revision(client, &seen);
            assert_eq!(names(&seen.tools), ["mcp"], "{}", client.name());
            for (index, part) in expected.into_iter().enumerate() {
                let shown = text_of(&seen, index);
                let first: Vec<_> = shown.lines().take(3).collect();
                let place = if (3..6).contains(&index) {
                    first.join("\n")
                } else {
                    shown.to_owned()
                };
                assert!(place.contains(part), "{}: {index}: {shown}", client.name());
                // Absent where all went well, but for the server that says so.
                let is_error = seen.results[index]["result"]["isError"] == true;
                assert_eq!(
                    is_error,
                    index == expected.len() - 1,
                    "{}: {index}: {shown}",
                    client.name()
                );
            }
            if client.is_silent() {
                assert_eq!(seen.stderr, "", "{}", client.name());
            }
        }
    })
    .await;
}

#[tokio::test]
async fn everything_is_the_same_direct_and_through() {
    let call = |name, arguments| json!({ "name": name, "arguments": arguments });
    let calls = json!([
        call("echo", json!({ "message": "hé\u{2028}llo \"you\"" })),
        call("get-sum", json!({ "a": 1, "b": 2.5 })),
        call("get-structured-content", json!({ "location": "Chicago" })),
        call("get-tiny-image", json!({})),
        call(
            "get-annotated-message",
            json!({ "messageType": "error", "includeImage": true })
        ),
        call("get-resource-links", json!({ "count": 3 })),
        // An error of the tool is a result too.
        call("echo", json!({})),
    ]);
    each(&SdkClient::SDKS, move |modes| {
        compare(modes, PublicServer::Everything, calls.clone())
    })
    .await;
}

#[tokio::test]
async fn time_is_the_same_direct_and_through() {
    let zones =
        json!({ "source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo" });
    let calls = json!([
        { "name": "convert_time", "arguments": zones },
        { "name": "get_current_time", "arguments": { "timezone": "Nowhere" } },
        { "name": "convert_time", "arguments": {} },
    ]);
    each(&SdkClient::SDKS, move |modes| {
        let calls = calls.clone();
        async move {
            // The server's answers hold the date.
            let day = today();
            let comparison = tokio::spawn(compare(modes, PublicServer::Time, calls.clone()));
            if let Err(error) = comparison.await {
                if day == today() {
                    resume_unwind(error.into_panic());
                }
                compare(modes, PublicServer::Time, calls).await;
            }
        }
    })
    .await;
}

fn today() -> u64 {
    SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs() / Duration::from_hours(24).as_secs()
}

/// Has an SDK see a server directly in each era that both have, and compares that with what it sees
/// through posthouse in each of its modes.
async fn compare(modes: &[SdkClient], server: PublicServer, calls: Value) {
    let mut direct = BTreeMap::new();
    for client in modes {
        let modern = client.prefers_modern() && server.is_modern();
        if let Entry::Vacant(place) = direct.entry(modern) {
            let client = client.pinned(modern);
            place.insert(client.run(&calls, &server.command()).await);
        }
        compare_with(&direct[&modern], *client, server, &calls).await;
    }
}

/// Compares what a client sees in pass-through with what it saw directly, and looks at what was said.
async fn compare_with(direct: &Seen, client: SdkClient, server: PublicServer, calls: &Value) {
    let folder = tempfile::tempdir().unwrap();
    let (outer, inner) = (shim(&folder, "outer"), shim(&folder, "inner"));
    let config = folder.path().join("mcp.json");
    let command = inner.before(server.command());
    let servers = json!({ server.id(): { "command": command[0], "args": command[1..] } });
    fs::write(&config, json!({ "mcpServers": servers }).to_string()).unwrap();
    let command = outer.before(serve(text(config), &["--server", server.id()]));
    let mut through = client.run(calls, &command).await;

    let who = format!("{} on {}", client.name(), server.id());
    assert_revision(client, &through);
    let mut expected = direct.tools.clone();
    assert!(!expected.is_empty(), "{who}");
    if through.era != direct.era {
        // The modern era has none, and says with each result whose it is.
        let removed = expected.iter_mut().filter_map(|tool| {
            let tool = tool.as_object_mut().unwrap();
            tool.remove("execution")
        });
        assert_ne!(removed.count(), 0, "{who}: nothing to project");
        for result in &mut through.results {
            without_envelope(&mut result["result"], &direct.server);
        }
    }
    assert_eq!(names(&through.tools), names(&expected), "{who}");
    assert_eq!(through.tools, expected, "{who}");
    assert_eq!(through.results, direct.results, "{who}");
    assert_eq!(
        calls.as_array().unwrap().len(),
        direct.results.len(),
        "{who}"
    );

    let (hosts, ours) = (outer.conversations(), inner.conversations());
    for conversation in &hosts {
        assert_era(&who, conversation, client.prefers_modern());
    }
    // What we say to a server is said in the newest era that it has. A process that a client started
    // only to probe it may not have come that far.
    let has_handshake = ours.iter().any(shakes_hands);
    assert_eq!(has_handshake, !server.is_modern(), "{who}");
    assert_bytes(&who, &hosts, &ours, client.prefers_modern());
}

/// Takes away what the modern era adds to the result of a server of the legacy era.
fn without_envelope(result: &mut Value, server: &Value) {
    let result = result.as_object_mut().unwrap();
    let meta = result.remove("_meta");
    assert_eq!(meta, Some(json!({ SERVER_KEY: server })));
    // One SDK keeps it to itself.
    let kind = result.remove("resultType");
    assert!(kind.is_none_or(|kind| kind == "complete"));
}

#[tokio::test]
async fn through_serve_all_every_tool_of_every_server_has_a_legal_name() {
    let mut expected = BTreeSet::new();
    for server in PublicServer::ALL {
        let tools = tools_of(server).await;
        let names = tools.iter().map(|tool| name(tool).replace('-', "_"));
        expected.extend(names.map(|name| format!("{}__{name}", server.id())));
    }
    let calls = json!([
        { "name": "everything__get_sum", "arguments": { "a": 2, "b": 3 } },
        { "name": "filesystem__list_allowed_directories", "arguments": {} },
        { "name": "time__get_current_time", "arguments": { "timezone": "Asia/Tokyo" } },
    ]);
    let defaults = SdkClient::SDKS.map(|modes| modes[0]);
    each(&defaults, move |client| {
        let (calls, expected) = (calls.clone(), expected.clone());
        async move {
            let command = serve(text(example()), &["--all"]);
            let mut seen = client.run(&calls, &command).await;
            // A first list is held for eight seconds (D38). On a machine that is too busy for a server
            // to start in that time, all its tools are missing, never some.
            for _ in 0..3 {
                if PublicServer::ALL.into_iter().all(|it| has_any(&seen, it)) {
                    break;
                }
                seen = client.run(&calls, &command).await;
            }
            assert_revision(client, &seen);
            let shown = names(&seen.tools);
            for name in &shown {
                let is_plain = name
                    .bytes()
                    .all(|it| it.is_ascii_alphanumeric() || it == b'_');
                assert!(is_plain && name.len() <= 44, "{}: {name}", client.name());
            }
            assert_eq!(shown.len(), expected.len(), "{}", client.name());
            let shown: BTreeSet<_> = shown.into_iter().map(str::to_owned).collect();
            assert_eq!(shown, expected, "{}", client.name());
            let texts = ["The sum of 2 and 3 is 5.", "/examples", "+09:00"];
            for (index, expected) in texts.into_iter().enumerate() {
                let shown = text_of(&seen, index);
                assert!(shown.contains(expected), "{}: {shown}", client.name());
            }
        }
    })
    .await;
}

fn has_any(seen: &Seen, server: PublicServer) -> bool {
    let prefix = format!("{}__", server.id());
    seen.tools.iter().any(|it| name(it).starts_with(&prefix))
}

/// A host is told of a change, not of the list that it has just been served: it would ask again, and a
/// Python client that has all it wants and leaves dies of the notification.
#[tokio::test]
async fn a_first_list_that_was_held_is_not_followed_by_its_own_list_changed() {
    let folder = tempfile::tempdir().unwrap();
    let outer = shim(&folder, "outer");
    let command = outer.before(serve(text(example()), &["--server", "everything"]));
    let call = json!([{ "name": "echo", "arguments": { "message": "late" } }]);
    let client = SdkClient::SDKS[0][0];
    let seen = client.run(&call, &command).await;
    assert!(!seen.tools.is_empty(), "it was not held for long enough");
    for conversation in outer.conversations() {
        let told = conversation.told();
        assert!(told.is_empty(), "{}: {told:?}", client.name());
    }
}
