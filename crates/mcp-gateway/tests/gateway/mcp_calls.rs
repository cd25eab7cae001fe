//! Calls through the tool `mcp`: arguments, results and failures.

use mcp_gateway::Surface;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::host::{Host, META, value};
use crate::world::{Servers, World};

async fn settled(servers: Servers<'_>) -> (World, Host) {
    let world = World::settled(servers).await;
    let host = Host::legacy(&world, &Surface::Mcp).await;
    (world, host)
}

/// The text of a failed call, and the code and kind that stand in its `_meta`.
async fn failure(host: &mut Host, arguments: Value) -> (String, String, String) {
    let result = host.call("mcp", arguments).await;
    assert_eq!(result["isError"], true, "{result}");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let error = &result["_meta"]["posthouse/error"];
    (
        text(&result["content"][0]["text"]),
        text(&error["code"]),
        text(&error["kind"]),
    )
}

fn check(failure: &(String, String, String), kind: &str, parts: &[&str]) {
    let (text, code, is) = failure;
    assert_eq!(is, kind, "{text}");
    let unavailable = ["not_connected", "not_ready", "disabled", "disconnected"].contains(&kind);
    let wanted = if unavailable {
        "mcp_server_unavailable"
    } else {
        "mcp_request_failed"
    };
    assert_eq!(code, wanted);
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[tokio::test(start_paused = true)]
async fn call_passes_arguments_in_every_form_and_gives_the_result_as_it_was() {
    let (world, mut host) = settled(&[("odd", "big-numbers")]).await;
    for args in [
        r#"{ "b" : 1e400 ,"a":-0.0}"#,
        r#""{ \"b\" : 1e400 ,\"a\":-0.0}""#,
    ] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"mcp","arguments":{{"action":"call","tool":"odd/raw","args":{args}}}}}}}"#
        );
        host.check(
            &line,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{ \"b\" : 1e400 ,\"a\":-0.0}"}]}}"#,
        )
        .await;
    }
    for args in [r#""args":null"#, r#""args":"""#, r#""server":"odd""#] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"mcp","arguments":{{"action":"call","tool":"numbers",{args}}}}}}}"#
        );
        let result = fake_mcp_server::big_numbers::RESULT;
        host.check(
            &line,
            &format!(r#"{{"jsonrpc":"2.0","id":2,"result":{result}}}"#),
        )
        .await;
    }
    let sent = world.programs.sent("odd", "tools/call");
    assert_eq!(sent.len(), 5);
    assert!(
        sent[4].ends_with(r#""params":{"name":"numbers"}}"#),
        "{}",
        sent[4]
    );
    for args in [json!([1]), json!("path=."), json!(7)] {
        let arguments = json!({"action": "call", "tool": "odd/raw", "args": args});
        let text = host.refuses(arguments).await;
        assert!(
            text.starts_with(
                "args must be an object, such as {\"path\": \".\"}, or its JSON text, not "
            ),
            "{text}"
        );
    }
    assert_eq!(world.programs.sent("odd", "tools/call").len(), 5);
}

#[tokio::test(start_paused = true)]
async fn image_blocks_pass_through_call() {
    let (world, mut host) = settled(&[("pics", "images")]).await;
    let mut direct = Host::legacy(&world, &crate::host::pass_through("pics")).await;
    for tool in ["image", "mixed"] {
        let through = host
            .call("mcp", json!({"action": "call", "tool": tool}))
            .await;
        assert_eq!(through, direct.call(tool, json!({})).await);
        let blocks = through["content"].as_array().unwrap();
        assert!(
            blocks
                .iter()
                .any(|block| block["type"] == "image" && block["data"].is_string())
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_host_adds_to_a_call_goes_on_and_what_is_the_hops_own_does_not() {
    let (world, mut host) = settled(&[("time", "modern")]).await;
    let meta = META.replace("{\"io", "{\"a/b\":0.10,\"io");
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"mcp","arguments":{{"action":"call","tool":"echo","args":{{"text":"x"}}}},"requestState":"s1","inputResponses":{{ }},{meta}}}}}"#
    );
    host.send(&line).await;
    host.line().await;
    let sent = &world.programs.sent("time", "tools/call")[0];
    let params = value(sent)["params"].clone();
    assert_eq!(params["requestState"], "s1");
    assert_eq!(params["inputResponses"], json!({}));
    assert!(sent.contains(r#""a/b":0.10"#), "{sent}");
    assert_eq!(sent.matches("protocolVersion").count(), 1, "{sent}");
}

#[tokio::test(start_paused = true)]
async fn progress_of_a_call_goes_on_under_the_hosts_own_token() {
    let (_world, mut host) = settled(&[("s", "progress")]).await;
    host.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mcp","arguments":{"action":"call","tool":"progress","args":{"steps":1}},"_meta":{"progressToken":"t"}}}"#)
        .await;
    let told = value(&host.line().await);
    assert_eq!(told["params"]["progressToken"], "t");
    assert_eq!(told["params"]["message"], "step 1");
    assert_eq!(value(&host.line().await)["id"], 1);
}

#[tokio::test(start_paused = true)]
async fn the_failure_of_a_tool_is_its_own_result() {
    let (_world, mut host) = settled(&[("s", "plain")]).await;
    let result = host
        .call("mcp", json!({"action": "call", "tool": "fail"}))
        .await;
    assert_eq!(
        result,
        json!({"content": [{"type": "text", "text": "failed, as asked"}], "isError": true})
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_cannot_be_sent_says_why_what_next_and_that_nothing_was_sent() {
    let (world, mut host) = settled(&[
        ("good", "plain"),
        ("dead", "exit-at-once"),
        ("gone", "no-such-program"),
        ("-off", "plain"),
    ])
    .await;
    let call = |tool: &str| json!({"action": "call", "tool": tool, "args": {}});
    let unknown = failure(&mut host, call("good/ecco")).await;
    check(
        &unknown,
        "unknown_tool",
        &[
            "no tool \"good/ecco\" is known",
            "good/echo",
            "Nothing was sent",
        ],
    );
    assert!(
        !unknown.0.contains("Not searched"),
        "the others do not matter"
    );
    let dead = failure(&mut host, call("dead/echo")).await;
    let parts = [
        "dead: ",
        "exited with code 3",
        "cannot open /data",
        "Nothing was sent",
        "tries again",
    ];
    check(&dead, "not_connected", &parts);
    let gone = failure(&mut host, call("gone/echo")).await;
    check(
        &gone,
        "not_connected",
        &[
            "gone: ",
            "no-such-program",
            "/bin; install it",
            "Nothing was sent",
        ],
    );
    let off = failure(&mut host, call("off/echo")).await;
    check(
        &off,
        "disabled",
        &["off: ", "switched off in the configuration"],
    );
    let (bare, ..) = failure(&mut host, call("qqqq")).await;
    assert!(
        bare.contains("\nNot searched: dead: offline, local: "),
        "{bare}"
    );
    assert!(
        bare.contains("\nNot searched: gone: offline, local: ") && !bare.contains("off: "),
        "{bare}"
    );
    assert_eq!(world.programs.sent("good", "tools/call").len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_of_a_dead_server_tries_it_anew_each_time() {
    let (world, mut host) = settled(&[("dead", "exit-at-once")]).await;
    // One attempt is two starts: its end may have been the era's probe.
    assert_eq!(world.programs.starts("dead"), 2);
    for attempts in 2..=3 {
        failure(&mut host, json!({"action": "call", "tool": "dead/x"})).await;
        assert_eq!(world.programs.starts("dead"), 2 * attempts);
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_server_costs_a_call_of_another_no_time() {
    let world = World::start(&[("hung", "no-initialize"), ("good", "plain")]);
    let mut host = Host::legacy(&world, &Surface::Mcp).await;
    let begin = Instant::now();
    let call = json!({"action": "call", "tool": "good/echo", "args": {"text": "x"}});
    assert_eq!(host.says(call).await, "x");
    assert_eq!(begin.elapsed().as_secs(), 0);
    let hung = failure(&mut host, json!({"action": "call", "tool": "hung/echo"})).await;
    check(&hung, "not_ready", &["hung: ", "still starting"]);
    assert_eq!(begin.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_call_whose_outcome_is_unknown_says_so_and_is_not_repeated() {
    let (world, mut host) = settled(&[("s", "die-on-call")]).await;
    let lost = failure(&mut host, json!({"action": "call", "tool": "s/die"})).await;
    check(
        &lost,
        "disconnected",
        &[
            "s: call die: ",
            "exited with code 1",
            "Outcome unknown, not repeated",
        ],
    );
    assert_eq!(world.programs.sent("s", "tools/call").len(), 1);
    world.settle().await;
    let call = json!({"action": "call", "tool": "s/echo", "args": {"text": "x"}});
    assert_eq!(host.says(call).await, "x", "its successor serves");
    assert_eq!(world.programs.sent("s", "tools/call").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_without_an_answer_ends_after_the_surfaces_own_time() {
    for (surface, tool, seconds) in [
        (Surface::Mcp, "mcp", 60),
        (Surface::Facade, "s__echo", 180),
        (crate::host::pass_through("s"), "echo", 180),
    ] {
        let world = World::settled(&[("s", "hang")]).await;
        let mut host = Host::legacy(&world, &surface).await;
        let begin = Instant::now();
        let arguments = match surface {
            Surface::Mcp => json!({"action": "call", "tool": "s/echo"}),
            _ => json!({}),
        };
        let result = host.call(tool, arguments).await;
        assert_eq!(begin.elapsed().as_secs(), seconds);
        assert_eq!(
            result["_meta"]["posthouse/error"],
            json!({"code": "mcp_request_failed", "kind": "timeout"})
        );
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains("s: call echo: no answer within ")
                && text.contains("may have been carried out"),
            "{text}"
        );
        assert_eq!(world.programs.sent("s", "notifications/cancelled").len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_has_just_listed_is_found_though_nobody_was_told_yet() {
    for _ in 0..50 {
        let world = World::start(&[("good", "plain"), ("~lazy", "plain")]);
        let mut host = Host::legacy(&world, &Surface::Mcp).await;
        let call = |tool: &str| json!({"action": "call", "tool": tool, "args": {"text": "x"}});
        assert_eq!(host.says(call("good/echo")).await, "x");
        assert_eq!(host.says(call("lazy/echo")).await, "x");
        world.gateway.manager().shutdown().await;
    }
}
