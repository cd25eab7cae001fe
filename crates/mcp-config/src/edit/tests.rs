//! What changes in a text, and what does not.

use std::path::Path;

use serde_json::json;

use super::*;

fn cx() -> Context<'static> {
    Context::of_file(Path::new("/conf/mcp.json"), Some(Path::new("/home/me")))
}

fn add(text: &str, name: &str, entry: Value) -> String {
    let entry = entry.as_object().unwrap();
    add_server(text, &cx(), name, entry).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn remove(text: &str, name: &str) -> String {
    remove_server(text, &cx(), name).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const FILE: &str = r#"// My servers.
{
	"mcpServers": {
		// one per folder
		"git":   { "command": "uvx", "args": ["mcp-server-git"] }, // from pip

		/* needs no folder */
		"time": {
			"command": "uvx", // same
			"args": [ "mcp-server-time" ],
		},
	},
	"theme": "dark" // another program's
}
"#;

#[test]
fn a_server_is_added_at_the_end() {
    let changed = add(
        FILE,
        "new",
        json!({ "command": "npx", "args": ["-y", "x"], "env": { "A": "${A}" }, "toolTimeout": 5, "required": true }),
    );
    let (before, after) = FILE.split_once("\t},\n\t\"theme\"").unwrap();
    let added = r#"		"new": {
			"command": "npx",
			"args": ["-y", "x"],
			"env": {
				"A": "${A}",
			},
			"toolTimeout": 5,
			"required": true,
		},
"#;
    assert_eq!(changed, format!("{before}{added}\t}},\n\t\"theme\"{after}"));
}

#[test]
fn a_server_is_added_to_files_of_all_forms() {
    let check = |text: &str, expect: &str| {
        assert_eq!(add(text, "x", json!({ "command": "y" })), expect, "{text}");
    };
    let whole = "{\n  \"mcpServers\": {\n    \"x\": {\n      \"command\": \"y\"\n    }\n  }\n}";
    check("", &format!("{whole}\n"));
    check("{}", whole);
    check("\u{feff}{}", &format!("\u{feff}{whole}"));
    check(
        r#"{"mcpServers":{"a":{"command":"b"}}}"#,
        "{\"mcpServers\":{\n    \"a\":{\"command\":\"b\"},\n    \"x\": {\n      \"command\": \"y\"\n    }\n  }}",
    );
    check(
        "{\r\n  \"servers\": {\r\n    \"a\": { \"command\": \"b\" }\r\n  }\r\n}\r\n",
        "{\r\n  \"servers\": {\r\n    \"a\": { \"command\": \"b\" },\r\n    \"x\": {\r\n      \"command\": \"y\"\r\n    }\r\n  }\r\n}\r\n",
    );
    check(
        "{ \"mcpServers\": { \"a\": { \"command\": \"b\" } // last\n } }",
        "{ \"mcpServers\": { \"a\": { \"command\": \"b\" }, // last\n    \"x\": {\n      \"command\": \"y\"\n    }\n } }",
    );
}

#[test]
fn odd_names_and_values_come_back_as_they_were() {
    let args = json!(["\"", "\\", "\n\t", "\u{1}", "ü", "$${X}"]);
    let changed = add("{}", "a \"b\" \\", json!({ "command": "x", "args": args }));
    let loaded = crate::parse(&changed, &cx()).unwrap();
    let server = loaded.servers.iter().next().unwrap();
    let mcp_definitions::ServerKind::Stdio(command) = &server.server else {
        panic!("{server:?}");
    };
    assert_eq!(command.args, ["\"", "\\", "\n\t", "\u{1}", "ü", "${X}"]);
    assert!(
        loaded.warnings[0]
            .to_string()
            .contains(r#"server "a \"b\" \\""#)
    );
    assert_eq!(remove(&changed, "a \"b\" \\"), "{\n  \"mcpServers\": {}\n}");
}

#[test]
fn a_server_is_removed_and_the_rest_stays() {
    let check = |text: &str, name: &str, expect: &str| {
        assert_eq!(remove(text, name), expect, "{name}");
    };
    let git =
        "\t\t\"git\":   { \"command\": \"uvx\", \"args\": [\"mcp-server-git\"] }, // from pip\n";
    check(FILE, "git", &FILE.replace(git, ""));
    let time = "\t\t\"time\": {\n\t\t\t\"command\": \"uvx\", // same\n\t\t\t\"args\": [ \"mcp-server-time\" ],\n\t\t},\n";
    check(FILE, "time", &FILE.replace(time, ""));
    let two = r#"{ "mcpServers": { "a": { "command": "b" }, "c": { "command": "d" } } }"#;
    check(two, "a", r#"{ "mcpServers": { "c": { "command": "d" } } }"#);
    check(two, "c", r#"{ "mcpServers": { "a": { "command": "b" } } }"#);
    check(
        r#"{"mcpServers":{"a":{"command":"b"}}}"#,
        "a",
        r#"{"mcpServers":{}}"#,
    );
}

#[test]
fn what_cannot_be_done_is_said_and_changes_nothing() {
    let add = |text: &str, name: &str, entry: Value| {
        let entry = entry.as_object().unwrap().clone();
        add_server(text, &cx(), name, &entry)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        add(FILE, "Git", json!({ "command": "x" })),
        r#"add "Git": /conf/mcp.json has "git"; remove that first, or choose another name"#
    );
    assert_eq!(
        add("{}", "x", json!({ "comand": "x" })),
        r#"add "x": "comand" is not known; did you mean "command"?"#
    );
    assert_eq!(
        add("{", "x", json!({ "command": "x" })),
        "change the configuration: read /conf/mcp.json:1:1: this { is never closed; add the missing }"
    );
    let remove = |text: &str, name: &str| remove_server(text, &cx(), name).unwrap_err().to_string();
    assert_eq!(
        remove(FILE, "got"),
        r#"remove "got": /conf/mcp.json has no server of that name; it has git, time"#
    );
    assert_eq!(
        remove("{}", "got"),
        r#"remove "got": /conf/mcp.json has no server of that name; it has none"#
    );
}
