//! What loads, and as what.

use std::time::Duration;

use mcp_definitions::{ExecutorName, Lifecycle, ListLimits, Placement, Sharing};

use super::*;

/// Program and arguments of the only server, in one line.
fn line(text: &str) -> String {
    let definition = only(text);
    let command = command(&definition);
    format!("{} {}", command.command, command.args.join(" "))
}

#[test]
fn the_entries_of_hosts_load_as_they_are() {
    // Claude Desktop
    assert_eq!(
        line(
            r#"{
              "mcpServers": {
                "filesystem": {
                  "command": "npx",
                  "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/notes"]
                }
              }
            }"#
        ),
        "npx -y @modelcontextprotocol/server-filesystem /srv/notes"
    );
    // Claude Code, a project's .mcp.json
    assert_eq!(
        line(
            r#"{"mcpServers":{"git":{"type":"stdio","command":"uvx","args":["mcp-server-git"],"env":{}}}}"#
        ),
        "uvx mcp-server-git"
    );
    // VS Code
    assert_eq!(
        line(
            r#"{ "inputs": [], "servers": { "time": { "type": "stdio", "command": "uvx", "args": ["mcp-server-time"] } } }"#
        ),
        "uvx mcp-server-time"
    );
    // opencode's way to write a command
    assert_eq!(
        line(
            r#"{ "mcpServers": { "x": { "type": "local", "command": ["npx", "-y", "./x"], "enabled": true } } }"#
        ),
        "npx -y /conf/x"
    );
    // a file that a program wrote
    assert_eq!(
        line(
            r#"{"mcpServers":{"x":{"command":"x","args":null,"env":null,"cwd":null,"url":null,"headers":null}}}"#
        ),
        "x "
    );
}

#[test]
fn comments_trailing_commas_and_a_mark_are_no_trouble() {
    let text = "\u{feff}// servers\r\n{ /* one */ \"mcpServers\": {\r\n \"a\": { \"command\": \"x\", \"args\": [\"1\",], },\r\n }, }\r\n";
    let loaded = loaded(text);
    assert_eq!((loaded.held.len(), loaded.warnings.len()), (0, 0));
    let id = "a".parse().unwrap();
    assert_eq!(loaded.line(&id), Some(3));
    assert_eq!(loaded.place(&id).as_deref(), Some("/conf/mcp.json:3"));
    assert_eq!(loaded.line(&"b".parse().unwrap()), None);
}

#[test]
fn what_is_left_out_gets_the_defaults_of_a_file() {
    let definition = only_entry(r#""command": "x""#);
    assert_eq!(
        definition,
        ServerDefinition {
            lifecycle: Lifecycle::Lazy,
            ..ServerDefinition::new(definition.id.clone(), definition.server.clone())
        }
    );
    assert_eq!(definition.sharing, Sharing::Folder);
    assert_eq!(definition.executor_ids, [ExecutorName::local()]);
    assert_eq!(definition.list_limits, ListLimits::default());
}

#[test]
fn every_field_is_read() {
    let definition = only_entry(
        r#""type": "stdio", "command": "./bin/x", "args": ["./a", "../b", "c", "~/d"],
           "env": { "A": "1", "B": "two words", "HOME_OF_X": "~/x" }, "inheritEnv": ["TOKEN"], "cwd": "work",
           "executors": ["local"], "placement": "failover", "sharing": "session",
           "lifecycle": "lazy-keep-alive", "startupTimeout": "1m", "toolTimeout": "500ms",
           "idleTimeout": 0, "enabled": true, "disabled": false, "required": true,
           "tools": { "include": ["read_*"], "exclude": ["read_secret"] }, "about": "things",
           "notReadyAdvice": "Use ls instead.", "curated": ["read_file"]"#,
    );
    let command = command(&definition);
    assert_eq!(command.command, "/conf/bin/x");
    assert_eq!(command.args, ["/conf/a", "/conf/../b", "c", "/home/me/d"]);
    let env: Vec<_> = command
        .env
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(env, ["A=1", "B=two words", "HOME_OF_X=~/x"]);
    assert_eq!(command.inherit_env, ["TOKEN"]);
    assert_eq!(command.cwd.as_deref(), Some("/conf/work"));
    assert_eq!(definition.placement, Some(Placement::Failover));
    assert_eq!(definition.sharing, Sharing::Session);
    assert_eq!(definition.lifecycle, Lifecycle::LazyKeepAlive);
    assert_eq!(definition.startup_timeout, Some(Duration::from_secs(60)));
    assert_eq!(definition.tool_timeout, Some(Duration::from_millis(500)));
    assert_eq!(definition.idle_timeout, Some(Duration::ZERO));
    assert!(definition.enabled && definition.required);
    let offered = ["read_file", "read_secret", "write"].map(|tool| definition.offers(tool));
    assert_eq!(offered, [true, false, false]);
    assert_eq!(definition.about.as_deref(), Some("things"));
    assert_eq!(
        definition.not_ready_advice.as_deref(),
        Some("Use ls instead.")
    );
    assert_eq!(definition.curated, ["read_file"]);
}

#[test]
fn absent_and_empty_tool_lists_differ() {
    let offers = |tools: &str| only_entry(&format!(r#""command": "x"{tools}"#)).offers("any");
    assert!(offers(""));
    assert!(offers(r#", "tools": {}"#));
    assert!(offers(r#", "tools": ["*"]"#));
    assert!(!offers(r#", "tools": { "include": [] }"#));
    assert!(!offers(r#", "tools": ["other"]"#));
}

#[test]
fn numbers_and_booleans_in_env_and_args_are_taken_as_written() {
    let definition = only_entry(
        r#""command": "x", "args": ["--port", 8080, true], "env": { "N": 1e3, "F": false }"#,
    );
    let command = command(&definition);
    assert_eq!(command.args, ["--port", "8080", "true"]);
    assert_eq!(command.env["N"], "1e3");
    assert_eq!(command.env["F"], "false");
}

#[test]
fn a_program_whose_path_holds_spaces_is_no_command_line() {
    for path in [
        "/Applications/My App.app/Contents/MacOS/server",
        "/opt/a - b/server",
    ] {
        let definition = only_entry(&format!(r#""command": {path:?}"#));
        assert_eq!(command(&definition).command, path);
    }
}

#[test]
fn the_defaults_of_the_file_fill_what_entries_leave_out() {
    let loaded = loaded(
        r#"{
          "defaults": { "startupTimeout": "30s", "toolTimeout": 60, "idleTimeout": "10m" },
          "mcpServers": { "a": { "command": "a" }, "b": { "command": "b", "toolTimeout": "3m" } }
        }"#,
    );
    assert_eq!(loaded.warnings, []);
    let timeouts: Vec<_> = loaded
        .servers
        .iter()
        .map(|server| server.tool_timeout)
        .collect();
    assert_eq!(
        timeouts,
        [
            Some(Duration::from_secs(60)),
            Some(Duration::from_secs(180))
        ]
    );
    let first = loaded.servers.iter().next().unwrap();
    assert_eq!(first.startup_timeout, loaded.defaults.startup_timeout);
    assert_eq!(first.idle_timeout, Some(Duration::from_secs(600)));
}

#[test]
fn disabled_servers_are_loaded_as_such() {
    for members in [
        r#""command": "x", "disabled": true"#,
        r#""command": "x", "enabled": false"#,
        r#""enabled": false, "disabled": true, "command": "x""#,
        // what is not in this version is no trouble while it is switched off
        r#""url": "https://example.com/mcp", "enabled": false"#,
        r#""enabled": false, "command": "x", "env": { "TOKEN": "${TOKEN}" }"#,
        r#""disabled": true, "command": "x", "executors": ["build1"]"#,
    ] {
        assert!(!only_entry(members).enabled, "{members}");
    }
}

#[test]
fn servers_keep_the_order_of_the_file() {
    let loaded = loaded(
        r#"{ "mcpServers": { "z": { "command": "1" }, "a": { "command": "2" }, "m": { "command": "3" } } }"#,
    );
    let ids: Vec<_> = loaded
        .servers
        .iter()
        .map(|server| server.id.as_str())
        .collect();
    assert_eq!(ids, ["z", "a", "m"]);
}
