//! `call`: how a tool and its arguments are written, and what the exit status says.

use serde_json::{Value, json};
use tests::programs;
use tests::world::World;

fn world() -> World {
    let world = World::new(programs!());
    let mut off = world.fake("plain");
    off["enabled"] = json!(false);
    let servers = json!({
        "fake": world.fake("plain"),
        "other": world.fake("die-on-call"),
        "exits": world.fake("exit-at-once"),
        "missing": { "command": "no-such-program" },
        "off": off,
    });
    world.configure("10s", &servers);
    world
}

#[test]
fn a_tool_is_named_in_four_ways() {
    let world = world();
    for words in [
        &["fake/echo", "text=hi"][..],
        &["fake", "echo", "text=hi"],
        &["fake__echo", "text=hi"],
        &["mcp__fake__echo", "text=hi"],
    ] {
        let ran = world.run(&[&["call"], words].concat()).exits(0);
        assert_eq!(
            (ran.stdout.as_str(), ran.stderr.as_str()),
            ("hi\n", ""),
            "{words:?}"
        );
    }
    // Alone where one server has it.
    world
        .run(&["call", "die"])
        .exits(3)
        .complains("lost in mid-call");
    let ran = world.run(&["call", "echo", "text=hi"]);
    let why = "\"echo\" is a tool of several servers: fake/echo, other/echo; name the one you mean";
    assert!(ran.stderr.contains(why) && ran.code != Some(0), "{ran:?}");
}

#[test]
fn arguments_are_typed_by_the_schema() {
    let world = world();
    for (words, stdout) in [
        // Text that looks like a number stays text, a number becomes one.
        (&["fake/echo", "text=007"][..], "007\n"),
        (&["fake/echo", "text=true"], "true\n"),
        (&["fake/echo", "text=a=b c"], "a=b c\n"),
        (&["fake/add", "a=2", "b=40"], "42\n"),
        (&["fake/add", r#"{"a": 1.5, "b": 1}"#], "2.5\n"),
        (&["fake/sleep", "ms=1"], "slept 1 ms\n"),
        (&["fake", "add", r#"{"a":1,"b":2}"#], "3\n"),
    ] {
        let ran = world.run(&[&["call"], words].concat()).exits(0);
        assert_eq!(ran.stdout, stdout, "{words:?}");
    }
    let ran = world
        .run(&["call", "fake/echo", "text=hi", "--json"])
        .exits(0);
    assert_eq!(
        ran.json(),
        json!({ "content": [{ "type": "text", "text": "hi" }] })
    );
}

#[test]
fn an_error_of_the_tool_is_told_on_stdout_with_status_1() {
    let world = world();
    let ran = world.run(&["call", "fake/fail"]).exits(1);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("failed, as asked\n", "")
    );
    let json: Value = world.run(&["call", "fake/fail", "--json"]).exits(1).json();
    assert_eq!(json["isError"], true);
}

#[test]
fn wrong_usage_is_status_2_and_says_what_would_be_right() {
    let world = world();
    for (words, text) in [
        (
            &["fake/ecko", "text=hi"][..],
            "no tool \"fake/ecko\" is known; the nearest: fake/echo",
        ),
        (
            &["fake/add", "a=x", "b=1"],
            "fake/add: a=x: the tool wants number here\n  fake/add { a: number; b: number; }",
        ),
        (
            &["fake/add", "a"],
            "\"a\" is no argument: write key=value, or give one JSON object",
        ),
        (&["fake/add", "a=1", "a=2"], "\"a\" is given twice"),
        (&["fake/add", "{oops"], "the arguments are no JSON object: "),
        (
            &["off/echo", "text=hi"],
            "the server off is switched off; enable it first\n  off: disabled (",
        ),
        (&[], "required arguments were not provided"),
    ] {
        let ran = world
            .run(&[&["call"], words].concat())
            .exits(2)
            .complains(text);
        assert_eq!(ran.stdout, "", "{words:?}");
    }
}

#[test]
fn a_server_that_is_not_there_is_status_3_with_the_cause() {
    let world = world();
    let ran = world.run(&["call", "exits/echo", "text=hi"]).exits(3);
    let ran = ran.complains("posthouse: exits/echo: the server exits is not available\n");
    let ran = ran.complains("exited with code 3 before the handshake");
    ran.complains("| fake-mcp-server: cannot start: the mode says so\n");
    let ran = world
        .run(&["call", "missing/echo", "text=hi", "--json"])
        .exits(3);
    let ran = ran.complains("cannot find command `no-such-program`");
    let ran = ran.complains("install it or give its absolute path");
    assert_eq!(ran.stdout, "");
    // A name without a server may be that of a tool of one that is not there.
    let ran = world.run(&["call", "nothing", "text=hi"]).exits(3);
    ran.complains("not available:\n  exits: offline")
        .complains("\n  missing: offline");
}
