//! Servers that never answer, exit at once, print junk or are missing do no harm to a healthy one, and
//! each is explained wherever somebody asks.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tests::host::Host;
use tests::programs;
use tests::until::{LIMIT, until};
use tests::world::World;

/// A healthy server among all kinds of others.
pub(crate) fn servers(world: &World) -> Value {
    let mut off = world.fake("plain");
    off["enabled"] = json!(false);
    json!({
        "silent": world.fake("no-initialize"),
        "exits": world.fake("exit-at-once"),
        "junk": world.fake("junk"),
        "missing": { "command": "no-such-program" },
        "good": world.fake("plain"),
        "off": off,
        "held": { "command": "x", "args": "not a list" },
    })
}

fn world() -> World {
    let world = World::new(programs!());
    world.configure("2s", &servers(&world));
    world
}

/// The text with every age in it as `Ns`, what depends on their length left out, and the world's own folder as `DIR`.
fn ageless(world: &World, text: &str) -> String {
    let text = text.replace(&world.folder().display().to_string(), "DIR");
    let age = |word: &str| {
        let number = word.trim_end_matches([',', ';', '.', ')']);
        let is_age = number
            .strip_suffix('s')
            .is_some_and(|n| n.parse::<f64>().is_ok());
        match is_age {
            true => format!("Ns{}", &word[number.len()..]),
            false => word.to_owned(),
        }
    };
    let line = |line: &str| {
        let line = line.split(' ').map(age).collect::<Vec<_>>().join(" ");
        // A long age leaves less room for last words.
        match line.split_once("the mode") {
            Some((head, _)) => format!("{head}the mode …\""),
            None => line,
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// What is said of each server once it is known what has become of it.
const STATUS: &str = "\
silent: starting for Ns, local: no handshake yet
exits: offline, local: exited with code 3 before the handshake, after Ns; the next call tries again; \
last output \"fake-mcp-server: cannot start: the mode …\"
junk: starting for Ns, local: no handshake yet; last output \"[debug] handled a request\"
missing: offline, local: cannot find command `no-such-program` on executor `local`: install it or give \
its absolute path; it is in n…; the next call tries again
good: ready, 8 tools, local
off: disabled (DIR/home/.config/posthouse/mcp.json:33)
held: held (DIR/home/.config/posthouse/mcp.json:42): \"args\" must be a list, not text; write \
[\"…\", \"…\"], one word per item
6 servers: 1 ready, 2 starting, 2 offline, 1 disabled; 8 tools";

/// What a call of a tool of each says: how it begins, and what it says besides.
const REFUSALS: [(&str, &str, &str); 5] = [
    (
        "silent",
        "still starting (no handshake yet, for ",
        "call again later",
    ),
    (
        "exits",
        "exited with code 3 before the handshake",
        "Its last output: fake-mcp-server: cannot start",
    ),
    (
        "junk",
        "still starting (no handshake yet, for ",
        "Its last output: [debug] handled a request.",
    ),
    (
        "missing",
        "cannot find command `no-such-program`",
        "install it or give its absolute path; it is in no directory of the PATH searched",
    ),
    ("off", "switched off in the configuration", "mcp.json:33"),
];

fn assert_refused(server: &str, result: Result<String, String>) {
    let why = result.unwrap_err();
    let (_, what, more) = REFUSALS.iter().find(|(name, ..)| *name == server).unwrap();
    assert!(
        why.starts_with(&format!("{server}: the server is ")),
        "{why}"
    );
    for part in [what, more, &"Nothing was sent"] {
        assert!(why.contains(part), "{part:?} is not in {why:?}");
    }
}

#[test]
fn the_mcp_tool_works_and_explains_the_others() {
    let world = world();
    let mut host = Host::start(&world, &[]);
    host.handshake();
    assert_eq!(host.tools(), ["mcp"]);
    let args = json!({ "text": "hi" });
    let begin = Instant::now();
    let said = host.mcp(&json!({ "action": "call", "tool": "good/echo", "args": args }));
    assert_eq!(said.as_deref(), Ok("hi"));
    // Nobody waits for servers whose tools are not asked for.
    assert!(
        begin.elapsed() < Duration::from_secs(2),
        "{:?}",
        begin.elapsed()
    );

    for (server, ..) in REFUSALS {
        let tool = format!("{server}/echo");
        assert_refused(
            server,
            host.mcp(&json!({ "action": "call", "tool": tool, "args": args })),
        );
    }
    let status = host.mcp(&json!({ "action": "status" })).unwrap();
    assert_eq!(ageless(&world, &status), STATUS);
    assert_eq!(
        host.mcp(&json!({}))
            .map(|it| ageless(&world, &it))
            .as_deref(),
        Ok(STATUS)
    );

    // A search gives what there is and says what was not searched.
    let found = host
        .mcp(&json!({ "action": "search", "query": "add two numbers" }))
        .unwrap();
    assert!(
        found.starts_with("good/add { a: number; b: number; }"),
        "{found}"
    );
    for server in ["silent", "exits", "junk", "missing"] {
        assert!(
            found.contains(&format!("\nNot searched: {server}: ")),
            "{found}"
        );
    }
    let connected = host.mcp(&json!({ "action": "connect", "server": "exits" }));
    assert_refused("exits", connected);
    host.leave();
}

#[test]
fn the_facade_works_and_explains_the_others() {
    let world = world();
    let mut host = Host::start(&world, &["--all"]);
    host.handshake();
    let id = host.request("tools/list", &json!({}));
    // Not held by the list, which waits for the others.
    let said = host.call("good__echo", &json!({ "text": "hi" }));
    assert_eq!(said.as_deref(), Ok("hi"));
    for (server, ..) in REFUSALS {
        let tool = format!("{server}__echo");
        assert_refused(server, host.call(&tool, &json!({ "text": "hi" })));
    }
    let list = host.answer(id);
    let tools = list["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    let own = [
        "echo", "add", "pid", "sleep", "fail", "count", "env", "stderr",
    ];
    assert_eq!(names, own.map(|name| format!("good__{name}")));
    host.leave();
}

#[test]
fn each_server_alone_works_or_explains_itself() {
    let world = world();
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut host = Host::start(&world, &["--server", "good"]);
            host.handshake();
            assert_eq!(host.tools()[0], "echo");
            assert_eq!(
                host.call("echo", &json!({ "text": "hi" })).as_deref(),
                Ok("hi")
            );
            host.close_stdin();
            host.end_beside_others();
        });
        for (server, ..) in REFUSALS {
            let world = &world;
            scope.spawn(move || {
                let mut host = Host::start(world, &["--server", server]);
                let welcome = host.handshake();
                assert!(welcome["capabilities"]["tools"].is_object(), "{welcome}");
                let id = host.request("tools/list", &json!({}));
                assert_refused(server, host.call("echo", &json!({ "text": "hi" })));
                assert_eq!(host.answer(id)["result"]["tools"], json!([]));
                host.close_stdin();
                host.end_beside_others();
            });
        }
    });
    world.wait_until_nothing_is_left();
}

#[test]
fn the_commands_explain_them_too() {
    let world = world();
    let begin = Instant::now();
    let ran = world.run(&["status"]).exits(0);
    // Two servers use up their two seconds, at the same time.
    assert!(
        begin.elapsed() < Duration::from_millis(3900),
        "{:?}",
        ran.took
    );
    assert_eq!(ageless(&world, ran.stdout.trim_end()), STATUS);
    assert_eq!(ran.stderr, "");

    let json = world.run(&["status", "--json"]).exits(0).json();
    let one = |name: &str| {
        let servers = json["servers"].as_array().unwrap();
        servers
            .iter()
            .find(|it| it["name"] == name)
            .unwrap()
            .clone()
    };
    let exits = one("exits");
    assert_eq!(exits["exit"], "exited with code 3");
    let tail = "fake-mcp-server: cannot start: the mode says so\n";
    assert_eq!(exits["stderrTail"], tail);
    assert_eq!(one("junk")["lastOutput"], "[debug] handled a request");
    assert!(
        one("missing")["cause"]
            .as_str()
            .unwrap()
            .contains("PATH searched")
    );
    assert_eq!(json["held"][0]["line"], 42);
    assert_eq!(
        json["held"][0]["reason"],
        "\"args\" must be a list, not text"
    );
    assert_eq!(
        json["held"][0]["remedy"],
        "write [\"…\", \"…\"], one word per item"
    );
}

#[test]
fn a_server_that_dies_is_told_and_comes_back() {
    let world = World::new(programs!());
    world.configure("2s", &json!({ "mortal": world.fake("die-on-call") }));
    let mut host = Host::start(&world, &[]);
    host.handshake();
    let call = |tool: &str| json!({ "action": "call", "tool": tool });
    let before = host.mcp(&call("mortal/pid")).unwrap();
    let why = host.mcp(&call("mortal/die")).unwrap_err();
    assert!(
        why.contains("lost in mid-call (exited with code 1)"),
        "{why}"
    );
    assert!(why.contains("Outcome unknown, not repeated"), "{why}");
    let after = until("the server again", LIMIT, || {
        host.mcp(&call("mortal/pid")).ok()
    });
    assert_ne!(before, after);
    host.leave();
}
