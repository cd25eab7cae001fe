//! The one tool `mcp`: its description, and every action that only looks.

use std::sync::Arc;

use mcp_gateway::Surface;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::facade::Named;
use crate::host::Host;
use crate::world::{Servers, World};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

async fn host(world: &World) -> Host {
    Host::legacy(world, &Surface::Mcp).await
}

async fn settled(servers: Servers<'_>) -> (World, Host) {
    let world = World::settled(servers).await;
    let host = host(&world).await;
    (world, host)
}

#[tokio::test(start_paused = true)]
async fn tools_list_has_exactly_one_tool() {
    let (_world, mut host) = settled(&[("a", "plain"), ("b", "tools-list"), ("-c", "plain")]).await;
    let listed = host.result("tools/list").await;
    let [tool] = &listed["tools"].as_array().unwrap()[..] else {
        panic!("{listed}");
    };
    assert_eq!(tool["name"], "mcp");
    assert_eq!(tool["_meta"], json!({"anthropic/alwaysLoad": true}));
    assert_eq!(tool["inputSchema"]["required"], Value::Null);
    let description = tool["description"].as_str().unwrap();
    assert!(
        description.starts_with("Tools of a, b. Search with plain words"),
        "{description}"
    );
    let refused = host
        .ask(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a__echo"}}"#)
        .await;
    assert!(refused.contains("unknown tool"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn description_is_byte_identical_across_state_changes() {
    let servers: Servers<'_> = &[
        ("a", "slow-initialize"),
        ("b", "list-changed"),
        ("c", "die-on-call"),
    ];
    let world = World::start(servers);
    let mut host = host(&world).await;
    let cold = host.ask(LIST).await;
    world.settle().await;
    assert_eq!(host.ask(LIST).await, cold, "ready");
    host.says(json!({"action": "call", "tool": "b/grow"})).await;
    host.refuses(json!({"action": "call", "tool": "c/die"}))
        .await;
    assert_eq!(
        host.ask(LIST).await,
        cold,
        "another list, and a server lost"
    );
    host.is_quiet().await;
}

#[tokio::test(start_paused = true)]
async fn without_an_action_it_is_the_status() {
    let (_world, mut host) = settled(&[("time", "plain"), ("-slack", "plain")]).await;
    let status =
        "time: ready, 8 tools, local\nslack: disabled\n2 servers: 1 ready, 1 disabled; 8 tools";
    for arguments in [
        json!({}),
        json!(null),
        json!({"action": "status"}),
        json!({"action": null, "server": "time"}),
    ] {
        assert_eq!(host.says(arguments).await, status);
    }
    let called = host.result_of("tools/call", json!({"name": "mcp"})).await;
    assert_eq!(called["content"][0]["text"], status);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_action_or_no_argument_is_answered_with_those_there_are() {
    let (_world, mut host) = settled(&[("time", "plain")]).await;
    assert_eq!(
        host.refuses(json!({"action": "serach", "query": "x"}))
            .await,
        r#"there is no action "serach"; the actions are search, describe, call, status, connect, reload. Nothing was sent."#
    );
    assert_eq!(
        host.refuses(json!({"action": "search", "querry": "x"}))
            .await,
        r#"mcp has no argument "querry"; it has action, query, tool, args, server, limit, offset, regex. What the called tool takes goes into args. Nothing was sent."#
    );
    let long = host
        .refuses(json!({"action": "\u{1b}".repeat(1 << 20)}))
        .await;
    assert!(long.len() < 400 && !long.contains('\u{1b}'), "{long}");
    assert_eq!(
        host.refuses(json!({"tool": "time/echo", "args": {"text": "x"}}))
            .await,
        r#"to call a tool, say action "call". Nothing was sent."#
    );
    for (action, needs) in [
        ("describe", "tool"),
        ("call", "tool"),
        ("connect", "server"),
    ] {
        let text = host.refuses(json!({"action": action})).await;
        assert!(
            text.starts_with(&format!("{action} needs a {needs}")),
            "{text}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn search_gives_a_line_for_a_tool() {
    let (_world, mut host) = settled(&[("time", "plain"), ("notes", "tools-list")]).await;
    let found = host
        .says(json!({"action": "search", "query": "add two numbers"}))
        .await;
    let mut lines = found.lines();
    assert_eq!(
        lines.next(),
        Some("notes/add { a: number; b: number; } - Adds two numbers.")
    );
    assert_eq!(
        lines.next(),
        Some("time/add { a: number; b: number; } - Adds two numbers.")
    );
    assert_eq!(
        host.says(json!({"query": "add two numbers"})).await,
        found,
        "needs no action"
    );
    let one = json!({"action": "search", "query": "add two numbers", "server": "time"});
    assert_eq!(
        host.says(one).await.lines().count(),
        found.lines().count() / 2
    );
    let pattern = json!({"action": "search", "query": "^desc.*d$", "regex": true});
    assert_eq!(
        host.says(pattern).await,
        "notes/described { n?: number; } - Uses every field."
    );
    assert_eq!(
        host.says(json!({"action": "search", "query": "xyzzy"}))
            .await,
        "No tool fits. Try other words."
    );
    for (arguments, reason) in [
        (json!({"action": "search"}), "cannot search without words: "),
        (
            json!({"action": "search", "query": "(", "regex": true}),
            "cannot read the regular expression: ",
        ),
        (
            json!({"action": "search", "query": "x", "limit": -1}),
            "limit must be a whole number, not -1",
        ),
        (
            json!({"action": "search", "query": "x", "server": "tiem"}),
            "there is no server \"tiem\"; there are: ",
        ),
    ] {
        let text = host.refuses(arguments).await;
        assert!(text.starts_with(reason), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn search_pages_are_disjoint_and_complete() {
    let (_world, mut host) = settled(&[("time", "plain")]).await;
    let mut seen = Vec::new();
    for (offset, note) in [
        (0, Some("3 of 8 tools; offset 3 gives more")),
        (3, Some("3 of 8 tools; offset 6 gives more")),
        (6, None),
    ] {
        let page = json!({"action": "search", "server": "time", "limit": "3", "offset": offset});
        let page = host.says(page).await;
        let (tools, rest): (Vec<_>, Vec<_>) = page.lines().partition(|line| line.contains('/'));
        assert_eq!(rest.first().copied(), note);
        seen.extend(tools.iter().map(ToString::to_string));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 8);
    let beyond = json!({"action": "search", "server": "time", "offset": 1e30});
    assert_eq!(
        host.says(beyond).await,
        "No more: 8 tools fit, from offset 0 on."
    );
    let zero = json!({"action": "search", "server": "time", "limit": 0});
    assert_eq!(host.says(zero).await.lines().count(), 2, "at least one");
}

#[tokio::test(start_paused = true)]
async fn search_never_contains_a_full_schema_and_stays_small() {
    let (_world, mut host) = settled(&[("big", "big-list"), ("odd", "big-numbers")]).await;
    for (arguments, most) in [
        (json!({"action": "search", "query": "thing number"}), 4_000),
        (
            json!({"action": "search", "query": "thing ".repeat(100_000)}),
            4_000,
        ),
        (
            json!({"action": "search", "query": "thing", "limit": 1_000_000}),
            40_000,
        ),
    ] {
        let text = host.says(arguments).await;
        assert!(text.len() < most, "{}", text.len());
        assert!(
            !text.contains("inputSchema") && !text.contains("\"type\""),
            "{text}"
        );
        assert!(text.contains("of 9992 tools"), "{text}");
    }
    let numbers = host
        .says(json!({"action": "search", "server": "odd", "query": "numbers"}))
        .await;
    assert!(
        numbers.len() < 1000 && !numbers.contains("x-unknown"),
        "{numbers}"
    );
}

#[tokio::test(start_paused = true)]
async fn names_of_any_length_and_content_stay_one_bounded_line() {
    let long = "very_".repeat(2_000).leak();
    let handler = Named::new(&[long, "two\nlines\u{1b}[2J"], "");
    let world = World::with(&[("s", "named")], [("named", handler as Arc<_>)]);
    world.settle().await;
    let mut host = host(&world).await;
    let text = host.says(json!({"action": "search", "server": "s"})).await;
    assert_eq!(text.lines().count(), 2);
    assert!(text.len() < 600 && !text.contains('\u{1b}'), "{text}");
}

#[tokio::test(start_paused = true)]
async fn describe_has_the_full_schema_and_a_call_to_copy() {
    let (_world, mut host) = settled(&[("notes", "tools-list")]).await;
    assert_eq!(
        host.says(json!({"action": "describe", "tool": "notes/described"}))
            .await,
        r#"notes/described (Described)
Uses every field.
hints: read-only, not destructive, idempotent, closed world
arguments: {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer","default":1}},"additionalProperties":false}
result: {"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}
example: {"action":"call","tool":"notes/described","args":{}}"#
    );
    let add = host.says(json!({"tool": "add"})).await;
    assert!(add.contains("hints: none declared\n"), "{add}");
    assert!(
        add.ends_with(r#"example: {"action":"call","tool":"notes/add","args":{"a":1,"b":1}}"#),
        "{add}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_tool_is_found_under_every_form_of_its_name() {
    let (_world, mut host) = settled(&[("my-git", "tools-list"), ("time", "plain")]).await;
    for arguments in [
        json!({"action": "describe", "tool": "my-git/described"}),
        json!({"action": "describe", "tool": "my-git__described"}),
        json!({"action": "describe", "tool": "mcp__my-git__described"}),
        json!({"action": "describe", "tool": "described"}),
        json!({"action": "describe", "tool": "described", "server": "my-git"}),
        json!({"action": "describe", "tool": "my-git/described", "server": "my-git"}),
        json!({"action": "describe", "tool": "DESCRIBED"}),
    ] {
        let text = host.says(arguments.clone()).await;
        assert!(text.starts_with("my-git/described"), "{arguments}: {text}");
    }
    assert_eq!(
        host.refuses(json!({"action": "describe", "tool": "echo"}))
            .await,
        r#""echo" is a tool of several servers: my-git/echo, time/echo; name the one you mean. Nothing was sent."#
    );
    assert_eq!(
        host.refuses(json!({"action": "describe", "tool": "time/descirbed"}))
            .await,
        r#"no tool "time/descirbed" is known; the nearest: my-git/described. Nothing was sent."#
    );
    assert_eq!(
        host.refuses(json!({"action": "describe", "tool": "qqqq"}))
            .await,
        r#"no tool "qqqq" is known; search with plain words. Nothing was sent."#
    );
    let other = host
        .refuses(json!({"action": "describe", "tool": "echo", "server": "nope"}))
        .await;
    assert!(
        other.starts_with("there is no server \"nope\"; there are: my-git, time"),
        "{other}"
    );
}

#[tokio::test(start_paused = true)]
async fn of_many_candidates_a_few_are_named() {
    let names: Vec<String> = (0..30).map(|n| format!("s{n}")).collect();
    let servers: Vec<_> = names.iter().map(|name| (name.as_str(), "plain")).collect();
    let (_world, mut host) = settled(&servers).await;
    let text = host
        .refuses(json!({"action": "call", "tool": "echo"}))
        .await;
    assert!(
        text.contains("s9/echo, 20 more; name the one you mean"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn connect_says_how_the_server_is_or_why_it_is_not() {
    let world = World::start(&[
        ("time", "plain"),
        ("~lazy", "plain"),
        ("-off", "plain"),
        ("dead", "exit-at-once"),
    ]);
    let mut host = host(&world).await;
    for (server, line) in [
        ("time", "time: ready, 8 tools, local"),
        ("lazy", "lazy: ready, 8 tools, local"),
    ] {
        assert_eq!(
            host.says(json!({"action": "connect", "server": server}))
                .await,
            line
        );
    }
    for (server, parts) in [
        (
            "off",
            &["off: the server is switched off in the configuration"][..],
        ),
        (
            "dead",
            &[
                "dead: ",
                "exited with code 3",
                "cannot open /data",
                "Nothing was sent",
            ],
        ),
        (
            "nope",
            &["there is no server \"nope\"; there are: time, lazy"],
        ),
    ] {
        let text = host
            .refuses(json!({"action": "connect", "server": server}))
            .await;
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn search_waits_for_servers_once_after_the_start_and_then_names_the_missing() {
    let world = World::start(&[
        ("slow", "slow-initialize --delay-ms 3000"),
        ("hung", "no-initialize"),
    ]);
    let mut host = host(&world).await;
    let begin = Instant::now();
    let first = host
        .says(json!({"action": "search", "query": "echo"}))
        .await;
    assert_eq!(begin.elapsed().as_secs(), 8);
    assert_eq!(
        first,
        "slow/echo { text: string; } - Gives the text back.\nNot searched: hung: starting for 8s, local: no handshake yet"
    );
    host.says(json!({"action": "search", "query": "echo"}))
        .await;
    assert_eq!(begin.elapsed().as_secs(), 8);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_never_needed_is_started_by_its_name() {
    for arguments in [
        json!({"action": "search", "server": "lazy"}),
        json!({"action": "describe", "tool": "lazy/echo"}),
        json!({"action": "call", "tool": "lazy__echo", "args": {"text": "x"}}),
        json!({"action": "call", "tool": "echo", "server": "lazy", "args": {"text": "x"}}),
        json!({"action": "search", "query": "echo"}),
    ] {
        let world = World::start(&[("~lazy", "plain"), ("hung", "no-initialize")]);
        let mut host = host(&world).await;
        host.says(arguments.clone()).await;
        assert_eq!(world.programs.starts("lazy"), 1, "{arguments}");
    }
}
