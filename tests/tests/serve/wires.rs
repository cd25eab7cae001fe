//! What hosts connect us with: pipes, sockets, a file; a stderr that nobody reads; lines that are no
//! messages.

use std::fs::File;

use serde_json::{Value, json};
use tests::host::{Host, Wires};
use tests::programs;
use tests::run::Running;
use tests::world::World;

fn world(words: &str) -> World {
    let world = World::new(programs!());
    world.configure("2s", &json!({ "fake": world.fake(words) }));
    world
}

fn echo(host: &mut Host<'_>, text: &str) -> Result<String, String> {
    let args = json!({ "text": text });
    host.mcp(&json!({ "action": "call", "tool": "fake/echo", "args": args }))
}

#[test]
fn sockets_do_as_pipes_do() {
    let world = world("plain");
    let mut host = Host::over(Wires::Sockets, &world, &[]);
    host.handshake();
    // More than a socket holds at a time, in both directions.
    let long = "x".repeat(1_000_000);
    assert_eq!(echo(&mut host, &long), Ok(long));
    host.leave();
}

#[test]
fn a_file_is_read_to_its_end_and_everything_in_it_is_answered() {
    let world = world("slow --delay-ms 300");
    let info = json!({ "name": "t", "version": "1" });
    let start = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    let call = json!({ "action": "call", "tool": "fake/echo", "args": { "text": "from a file" } });
    let request = |id: u64, method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
    };
    let lines = [
        request(1, "initialize", start),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        request(2, "tools/call", json!({ "name": "mcp", "arguments": call })),
        request(3, "tools/list", json!({})),
    ];
    // Without a line end at its end.
    let file = world.write("requests", &lines.join("\n"));
    let mut command = world.command(&["serve"]);
    command.stdin(File::open(file).unwrap());
    let ran = Running::start(&world, &mut command).end().exits(0);
    assert_eq!(ran.stderr, "");
    let answers = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answers: Vec<_> = answers
        .filter(|message| message.get("id").is_some())
        .collect();
    let answer = |id: u64| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert_eq!(answer(1)["result"]["serverInfo"]["name"], "posthouse");
    assert_eq!(answer(2)["result"]["content"][0]["text"], "from a file");
    assert_eq!(answer(3)["result"]["tools"][0]["name"], "mcp");
}

#[test]
fn a_host_that_never_reads_stderr_stalls_nobody() {
    // A server that first fills its own stderr, and with `-vv` ours as well.
    let world = world("plain --stderr-bytes 1000000");
    for args in [&["-vv"][..], &[]] {
        let mut host = Host::over(Wires::DeafToStderr, &world, args);
        host.handshake();
        let long = "x".repeat(2_000);
        for _ in 0..100 {
            assert_eq!(echo(&mut host, &long).as_ref(), Ok(&long));
            let args = json!({ "text": long });
            let printed = json!({ "action": "call", "tool": "fake/stderr", "args": args });
            assert_eq!(host.mcp(&printed).as_deref(), Ok("printed"));
        }
        host.leave();
    }
}

#[test]
fn nothing_is_on_stderr_unless_it_is_asked_for() {
    let world = world("plain --stderr-bytes 5000");
    let mut host = Host::start(&world, &[]);
    host.handshake();
    assert_eq!(echo(&mut host, "hi").as_deref(), Ok("hi"));
    // Asserts that there was nothing.
    host.leave();

    let mut host = Host::start(&world, &["-v"]);
    host.handshake();
    assert_eq!(echo(&mut host, "hi").as_deref(), Ok("hi"));
    host.close_stdin();
    let ended = host.end();
    assert!(
        ended.stderr.contains("connected server=\"fake\""),
        "{}",
        ended.stderr
    );
}

#[test]
fn lines_that_are_no_messages_are_refused_and_the_session_goes_on() {
    let world = world("plain");
    let mut host = Host::start(&world, &[]);
    let refused = |host: &mut Host<'_>, line: &str, code: i64| {
        host.send(line);
        let answer = host.next("a refusal", |message| message["error"].is_object());
        assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
        assert!(answer["id"].is_null(), "{answer}");
    };
    // Before the handshake as well as after it.
    refused(&mut host, "hello?", -32700);
    host.handshake();
    for line in [
        "{\"jsonrpc\":\"2.0\",\"id\":1,",
        "Content-Length: 12",
        "\u{1b}[31mred",
        "{]",
    ] {
        refused(&mut host, line, -32700);
    }
    // Blank lines are nothing at all.
    host.send("");
    host.send("  \r");
    assert_eq!(echo(&mut host, "still there").as_deref(), Ok("still there"));
    assert_eq!(host.leave().rest, Vec::<Value>::new());
}
