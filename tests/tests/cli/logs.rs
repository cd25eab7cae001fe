//! Logs, and that no secret gets into them or into anything else that we write.

use std::fs;
use std::path::Path;

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tests::host::Host;
use tests::programs;
use tests::run::Running;
use tests::until::{LIMIT, until};
use tests::world::World;

/// Told to servers by their environment and arguments, and to nobody else.
const SECRET: &str = "planted-7d1e\"quoted";
/// The same, read from a file into a variable whose name says nothing.
const OURS: &str = "planted-2b9f";
/// What both have in common.
const PLANTED: &str = "planted-";

/// A server that is a line of shell, in which `$SERVER` is the fake server.
fn shell(world: &World, line: &str) -> Value {
    let fake = world.fake("plain")["command"].clone();
    let ours = world.folder().join("ours");
    let env = json!({ "API_TOKEN": SECRET, "HARMLESS": format!("${{file:{}}}", ours.display()), "SERVER": fake });
    json!({ "command": "sh", "args": ["-c", line, "sh", format!("--token={SECRET}")], "env": env })
}

/// Servers that print the secrets and then behave in every way.
fn world() -> World {
    let world = World::new(programs!());
    world.write("ours", OURS);
    let print = r#"echo "told $API_TOKEN and $HARMLESS, $1" >&2;"#;
    let after = |what: &str| shell(&world, &format!("{print} {what}"));
    let servers = json!({
        "works": after("exec \"$SERVER\" plain"),
        "exits": after("exit 3"),
        "killed": after("kill -9 $$"),
        "hangs": after("exec \"$SERVER\" no-initialize"),
        "refuses": after("exec \"$SERVER\" junk"),
        "prints": shell(&world, r#"echo "$API_TOKEN $HARMLESS"; exit 1"#),
        "torn": shell(&world, r#"printf '%s' "$API_TOKEN" >&2; exit 1"#),
        // Where a text that is cut would cut it in two.
        "long": shell(&world, r#"printf '%390s%s\n' x "$API_TOKEN" >&2; exit 1"#),
        "longer": shell(&world, r#"printf '%190s%s\n' x "$API_TOKEN" >&2; exec "$SERVER" die-on-call"#),
        "missing": { "command": format!("no-such-{SECRET}"), "env": { "API_TOKEN": SECRET } },
        "held": { "command": 7, "env": { "API_TOKEN": SECRET } },
    });
    world.configure("1s", &servers);
    world
}

/// Everything under the state folder, as one text.
fn logged(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => text.push_str(&logged(&path)),
            false => text.push_str(&fs::read_to_string(path).unwrap()),
        }
    }
    text
}

#[test]
fn no_secret_that_servers_print_gets_anywhere() {
    let world = world();
    let run = |args: &[&str]| world.run(args);
    for args in [
        &["status"][..],
        &["status", "--json"],
        &["list"],
        &["list", "--json"],
        &["search", "planted"],
        &["describe", "works/echo"],
        &["describe", "exits/echo"],
        &["call", "exits/echo"],
        &["call", "exits/echo", "--json"],
        &["call", "hangs/echo"],
        &["call", "long/echo"],
        &["call", "prints/echo"],
        &["call", "missing/echo"],
        &["call", "held/echo"],
        &["call", "works/nothing"],
        &["call", "works/echo", "wrong=1"],
        &["doctor"],
        &["doctor", "--json"],
        &["config", "explain"],
    ] {
        for more in [&[][..], &["-vv"]] {
            let ran = run(&[args, more].concat());
            assert!(!ran.stdout.contains(PLANTED), "{args:?} {ran:#?}");
            assert!(!ran.stderr.contains(PLANTED), "{args:?} {ran:#?}");
        }
    }
    let status = run(&["status"]);
    assert!(status.stdout.contains("[redacted]"), "{status:?}");
    // What a tool says is handed on, and is still not logged.
    let ran = run(&["-vv", "call", "works/env", "name=API_TOKEN"]).exits(0);
    assert_eq!(ran.stdout, format!("{SECRET}\n"));
    let text = format!("text=it is {SECRET}");
    run(&["-vv", "call", "works/stderr", &text]).exits(0);

    let logs = world.folder().join("home/.local/state/posthouse/logs");
    let all = logged(&logs);
    assert!(all.contains("DEBUG"), "{all}");
    assert!(!all.contains(PLANTED), "{all}");
    let works = run(&["logs", "works"]).exits(0).stdout;
    let told = "Z told [redacted] and [redacted], --token=[redacted]\n";
    assert!(works.contains(told), "{works}");
    assert!(works.contains("Z it is [redacted]\n"), "{works}");
    // Its line has no end until it is started again, or for good.
    let torn = run(&["logs", "torn"]).exits(0).stdout;
    assert!(torn.contains("Z [redacted]"), "{torn}");
}

#[test]
fn no_secret_that_servers_print_reaches_a_host() {
    let world = world();
    let mut host = Host::start(&world, &["-vv"]);
    let mut said = host.handshake().to_string();
    for arguments in [
        json!({ "action": "status" }),
        json!({ "action": "connect", "server": "exits" }),
        json!({ "action": "connect", "server": "long" }),
        json!({ "action": "call", "tool": "torn/echo" }),
        json!({ "action": "call", "tool": "longer/die" }),
        json!({ "action": "describe", "tool": "works/env" }),
        json!({ "action": "reload" }),
        json!({ "action": "status" }),
    ] {
        said.push_str(&host.mcp(&arguments).unwrap_or_else(|why| why));
    }
    assert!(said.contains("[redacted]"), "{said}");
    assert!(!said.contains(PLANTED), "{said}");
    host.close_stdin();
    let stderr = host.end().stderr;
    assert!(!stderr.contains(PLANTED), "{stderr}");
    let logs = world.folder().join("home/.local/state/posthouse/logs");
    assert!(!logged(&logs).contains(PLANTED));
    assert!(logged(&logs).contains(" INFO "), "{}", logged(&logs));
}

#[test]
fn logs_are_shown_by_server_and_followed() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "one": world.fake("plain") }));
    let ran = world.run(&["logs"]).exits(2);
    ran.complains("there is no log at ");
    let ran = world.run(&["logs", "one"]).exits(2);
    ran.complains("no server has written any");
    for text in ["first", "second \u{1b}[31mred", "third"] {
        let text = format!("text={text}");
        world.run(&["call", "one/stderr", &text]).exits(0);
    }
    let lines = |args: &[&str]| {
        let printed = world.run(&[&["logs"], args].concat()).exits(0).stdout;
        let words = printed.lines().map(|line| line.split_once(' ').unwrap().1);
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(&["one"]), ["first", "second red", "third"]);
    assert_eq!(lines(&["one", "--lines", "1"]), ["third"]);
    let json = world.run(&["logs", "one", "-n2", "--json"]).exits(0).json();
    assert_eq!(json["lines"].as_array().unwrap().len(), 2, "{json}");
    assert!(lines(&[]).iter().any(|line| line.contains(" INFO ")));
    let ran = world.run(&["logs", "two"]).exits(2);
    ran.complains("there are those of one");

    let followed = world.write("followed", "");
    let out = fs::File::create(&followed).unwrap();
    let mut command = world.command(&["logs", "one", "--follow"]);
    let following = Running::to(&world, &mut command, out.into());
    let is_there = |text: &str| {
        let all = fs::read_to_string(&followed).unwrap();
        all.contains(text).then_some(())
    };
    until("the old lines", LIMIT, || is_there("third\n"));
    let call = ["call", "one/stderr", "text=fourth"];
    let mut call = world.command(&call);
    assert!(call.output().unwrap().status.success());
    until("the new line", LIMIT, || is_there("fourth\n"));
    following.signal(Signal::SIGINT);
    following.end().exits(130);
}

#[test]
fn a_log_that_cannot_be_written_is_one_warning() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "one": world.fake("plain") }));
    world.write("home/.local", "no folder");
    let ran = world.run(&["call", "one/echo", "text=hi"]).exits(0);
    assert_eq!(ran.stdout, "hi\n");
    let warning = "posthouse: warning: cannot write the log ";
    assert_eq!(ran.stderr.matches(warning).count(), 1, "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    // A server's own lines change nothing.
    let ran = world.run(&["call", "one/stderr", "text=hi"]).exits(0);
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
}

#[test]
fn a_try_leaves_no_log() {
    let world = World::new(programs!());
    world.run(&["try"]).exits(0);
    assert!(!world.folder().join("home/.local").exists());
}
