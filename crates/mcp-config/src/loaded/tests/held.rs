//! What holds one entry, and what is said of it.

use super::*;

#[test]
fn what_an_entry_must_have() {
    check(
        "{}",
        r#"it has neither "command" nor "url"; add the one that it needs"#,
    );
    check(
        r#"{ "command": null }"#,
        r#"it has neither "command" nor "url"; add the one that it needs"#,
    );
    check(
        r#"{ "type": "stdio", "args": ["x"] }"#,
        r#"it has no "command"; add the program to start"#,
    );
    check(
        r#"{ "type": "http" }"#,
        r#"it has no "url"; add the URL of the server"#,
    );
    check(
        r#""uvx mcp-server-git""#,
        r#"it must be an object; write { "command": "…", "args": ["…"] }"#,
    );
    check(
        r#"null"#,
        r#"it must be an object; write { "command": "…", "args": ["…"] }"#,
    );
    check(
        r#"{ "command": "" }"#,
        r#""command" is empty; write the program to start"#,
    );
    check(
        r#"{ "command": [] }"#,
        r#""command" is empty; write the program to start"#,
    );
    check(
        r#"{ "command": " x" }"#,
        r#""command" begins or ends with a space; remove it"#,
    );
}

#[test]
fn a_command_that_is_a_whole_command_line() {
    let remedy = r#"write "command": "npx" and the rest in "args", one word per item"#;
    check(
        r#"{ "command": "npx -y some-server" }"#,
        &format!(r#""command" holds a whole command line; {remedy}"#),
    );
    check(
        r#"{ "command": "/usr/bin/npx -y some-server" }"#,
        r#""command" holds a whole command line; write "command": "/usr/bin/npx" and the rest in "args", one word per item"#,
    );
    check(
        r#"{ "command": "TOKEN=abc npx some-server" }"#,
        r#""command" holds a whole command line; put variables into "env", the program alone into "command", and its arguments into "args", one word per item"#,
    );
}

#[test]
fn values_of_the_wrong_shape() {
    check(
        r#"{ "command": 5 }"#,
        r#""command" must be text, not a number; put it in double quotes"#,
    );
    check(
        r#"{ "command": { "path": "x", "args": [] } }"#,
        r#""command" must be text, not an object; write "command": "…", "args": ["…"]"#,
    );
    check(
        r#"{ "command": "x", "args": "-y server" }"#,
        r#""args" must be a list, not text; write ["…", "…"], one word per item"#,
    );
    check(
        r#"{ "command": "x", "args": ["a", ["b"]] }"#,
        r#""args[1]" must be text, not a list; put it in double quotes"#,
    );
    check(
        r#"{ "command": "x", "env": ["A=1"] }"#,
        r#""env" must be an object, not a list; write { "NAME": "value" }"#,
    );
    check(
        r#"{ "command": "x", "env": { "A": null } }"#,
        r#""env.A" must be text, not null; put it in double quotes"#,
    );
    check(
        r#"{ "command": "x", "env": { "A=B": "" } }"#,
        r#""env" holds what is no name of a variable; write names without ="#,
    );
    check(
        r#"{ "command": "x", "inheritEnv": "TOKEN" }"#,
        r#""inheritEnv" must be a list, not text; write ["…", "…"], one word per item"#,
    );
    check(
        r#"{ "command": "x\u0000" }"#,
        r#""command" holds a NUL character; remove it"#,
    );
    check(
        r#"{ "command": "x", "cwd": "" }"#,
        r#""cwd" is empty; leave it out or write a folder"#,
    );
    check(
        r#"{ "command": "x", "enabled": "true" }"#,
        r#""enabled" must be true or false, not text; write it without quotes"#,
    );
    check(
        r#"{ "command": "x", "required": 1 }"#,
        r#""required" must be true or false, not a number; write it without quotes"#,
    );
    check(
        r#"{ "command": ["x", "a"], "args": ["b"] }"#,
        r#""args" is given, and "command" holds arguments too; write the program alone in "command""#,
    );
}

#[test]
fn words_that_are_not_known() {
    check(
        r#"{ "command": "x", "type": "websocket" }"#,
        r#""type" is "websocket", which is not known; write one of "stdio", "http", "sse", or leave it out"#,
    );
    check(
        r#"{ "command": "x", "lifecycle": "lasy" }"#,
        r#""lifecycle" is "lasy", which is not known; write one of "eager", "lazy", "keep-alive", "lazy-keep-alive""#,
    );
    check(
        r#"{ "command": "x", "sharing": "project" }"#,
        r#""sharing" is "project", which is not known; write one of "user", "folder", "session""#,
    );
    check(
        r#"{ "command": "x", "placement": "spread" }"#,
        r#""placement" is "spread", which is not known; write one of "each", "failover""#,
    );
}

#[test]
fn spans_of_time() {
    let remedy = r#"write "500ms", "30s" or "2m""#;
    let timeout = |value: &str| said(&format!(r#"{{ "command": "x", "toolTimeout": {value} }}"#));
    assert_eq!(
        timeout(r#""30""#),
        format!(r#""toolTimeout" has a number without a unit; {remedy}"#)
    );
    assert_eq!(
        timeout(r#""soon""#),
        format!(r#""toolTimeout" is not a span of time; {remedy}"#)
    );
    assert_eq!(
        timeout("-1"),
        format!(r#""toolTimeout" is less than zero; {remedy}"#)
    );
    assert_eq!(
        timeout("1e300"),
        format!(r#""toolTimeout" is longer than 30 days; {remedy}"#)
    );
    assert_eq!(
        timeout("true"),
        format!(r#""toolTimeout" must be a span of time, not true or false; {remedy}"#)
    );
    assert_eq!(
        timeout("0"),
        r#""toolTimeout" is zero; leave it out for the usual limit"#
    );
}

#[test]
fn keys_that_were_mistyped_or_are_another_hosts() {
    check(
        r#"{ "comand": "npx", "args": [] }"#,
        r#""comand" is not known; did you mean "command"?"#,
    );
    check(
        r#"{ "command": "x", "inherit_env": [] }"#,
        r#""inherit_env" is not known; did you mean "inheritEnv"?"#,
    );
    check(
        r#"{ "command": "x", "tools": { "exlude": ["drop_*"] } }"#,
        r#""tools.exlude" is not known; did you mean "exclude"?"#,
    );
    check(
        r#"{ "command": "x", "tools": { "some": {} } }"#,
        r#""tools.some" is not known; write "include" or "exclude" with a list of tool names"#,
    );
    check(
        r#"{ "cmd": "x" }"#,
        r#""cmd" is not known here; write "command""#,
    );
    check(
        r#"{ "command": "x", "excludeTools": ["drop"] }"#,
        r#""excludeTools" is not known here; write "tools": { "exclude": ["…"] }"#,
    );
}

#[test]
fn fields_that_do_not_go_together() {
    check(
        r#"{ "command": "x", "url": "https://example.com/mcp" }"#,
        r#""url" is not supported together with "command"; keep "command" to start a server, or "url" to reach one that runs"#,
    );
    check(
        r#"{ "command": "x", "headers": {} }"#,
        r#""headers" is not supported together with "command"; remove it"#,
    );
    check(
        r#"{ "url": "https://example.com/mcp", "args": [] }"#,
        r#""args" is not supported together with "url"; remove it"#,
    );
    check(
        r#"{ "type": "http", "command": "x" }"#,
        r#""type" says something else than "command"; remove "type"; the other says enough"#,
    );
    check(
        r#"{ "command": "x", "enabled": true, "disabled": true }"#,
        r#""disabled" contradicts the other of "enabled" and "disabled"; keep one of them"#,
    );
}

#[test]
fn a_home_that_is_not_known() {
    let text = r#"{ "mcpServers": { "it": { "command": "~/bin/x" } } }"#;
    let loaded = parse(text, &Context { home: None, ..cx() }).unwrap();
    assert_eq!(
        loaded.held[0].to_string(),
        r#"/conf/mcp.json:1: server "it" is held: "command" starts with ~, but the home folder is not known; set HOME or write the whole path"#
    );
}

#[test]
fn the_line_is_that_of_the_problem_and_each_entry_stands_alone() {
    let loaded = loaded(
        r#"{
  "mcpServers": {
    "one": {
      "command": "x",
      "args": "y"
    },
    "two": { "command": "x" },
    "three": {
      "env": {}
    }
  }
}"#,
    );
    let lines: Vec<_> = loaded.held.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            r#"/conf/mcp.json:5: server "one" is held: "args" must be a list, not text; write ["…", "…"], one word per item"#,
            r#"/conf/mcp.json:8: server "three" is held: it has neither "command" nor "url"; add the one that it needs"#,
        ]
    );
    assert_eq!(loaded.servers.len(), 1);
}

#[test]
fn names_that_come_to_the_same_id_hold_the_later_one() {
    let loaded = loaded(
        r#"{ "mcpServers": {
          "my-git": { "command": "1" },
          "My_Git": { "command": "2" },
          "my git": { "command": "3" },
          "a.b": { },
          "a b": { },
          "a-b ": { "command": "6" }
        } }"#,
    );
    let held: Vec<_> = loaded
        .held
        .iter()
        .map(|held| {
            format!(
                "{} {:?} {}",
                held.line,
                held.id.as_ref().map(AsRef::as_ref),
                held.reason
            )
        })
        .collect();
    assert_eq!(
        held,
        [
            "3 None servers my-git and My_Git differ only in case or in - for _",
            "4 None server my-git is defined twice",
            r#"5 None it has neither "command" nor "url""#,
            r#"6 None it has neither "command" nor "url""#,
        ]
    );
    let ids: Vec<_> = loaded
        .servers
        .iter()
        .map(|server| server.id.as_str())
        .collect();
    assert_eq!(ids, ["my-git", "a-b"]);
}
