//! What is passed over, and what is said of it.

use super::*;

fn warnings(text: &str) -> Vec<String> {
    let loaded = loaded(text);
    assert_eq!(loaded.held, [], "{text}");
    loaded.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn keys_that_are_not_ours_are_passed_over() {
    assert_eq!(
        warnings(
            r#"{ "mcpServers": {}, "theme": 1, "a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 7 }"#
        ),
        [
            r#"/conf/mcp.json:1: "theme", "a", "b", "c", "d" and 2 more are not known and are ignored"#
        ]
    );
    assert_eq!(
        warnings("{ \"$schema\": \"x\", \"_comment\": 1,\n\"theme\": 1, \"mcpServers\": {} }"),
        [r#"/conf/mcp.json:2: "theme" is not known and is ignored"#]
    );
    assert_eq!(
        warnings(r#"{ "mcpServers": {}, "default": {} }"#),
        [r#"/conf/mcp.json:1: "default" is not known and is ignored; did you mean "defaults"?"#]
    );
    assert_eq!(
        warnings(r#"{ "mcpServers": {}, "executors": {}, "views": {} }"#),
        [
            r#"/conf/mcp.json:1: "executors" is not available in this version and is ignored"#,
            r#"/conf/mcp.json:1: "views" is not available in this version and is ignored"#,
        ]
    );
    assert_eq!(
        warnings(r#"{ "mcpServers": {}, "servers": {} }"#),
        [r#"/conf/mcp.json:1: "servers" is ignored, since there is "mcpServers""#]
    );
    assert_eq!(
        warnings("{}"),
        [r#"/conf/mcp.json:1: there is no "mcpServers", so no servers are configured"#]
    );
}

#[test]
fn keys_of_other_hosts_in_an_entry_are_passed_over() {
    let one = |member: &str| {
        warnings(&format!(
            r#"{{ "mcpServers": {{ "it": {{ "command": "x", {member} }} }} }}"#
        ))
    };
    assert_eq!(
        one(r#""alwaysAllow": ["read"], "gallery": true"#),
        [
            r#"/conf/mcp.json:1: server "it": "alwaysAllow" is ignored: which calls need a permission stays with your host"#,
            r#"/conf/mcp.json:1: server "it": "gallery" is not known and is ignored"#,
        ]
    );
    assert_eq!(
        one(r#""timeout": 60"#),
        [
            r#"/conf/mcp.json:1: server "it": "timeout" is ignored, since its unit differs from host to host; write "toolTimeout": "60s""#
        ]
    );
    assert_eq!(one(r##""_note": "", "//": "", "# note": """##), [""; 0]);
    assert_eq!(
        one(r#""toolTimeout": 60000"#),
        [
            r#"/conf/mcp.json:1: server "it": "toolTimeout" is 60000 seconds; write "60000ms" for milliseconds"#
        ]
    );
}

#[test]
fn names_that_are_no_ids_are_slugged() {
    assert_eq!(
        warnings("{ \"mcpServers\": {\n\"My Server\": { \"command\": \"x\" } } }"),
        [
            r#"/conf/mcp.json:2: server "My Server": the name is not a server id; it is called My-Server here"#
        ]
    );
}

#[test]
fn defaults_that_are_not_understood_are_passed_over() {
    assert_eq!(
        warnings(
            r#"{ "defaults": { "toolTimout": "1s", "startupTimeout": "soon", "idleTimeout": 600000, "other": 1 }, "mcpServers": {} }"#
        ),
        [
            r#"/conf/mcp.json:1: "defaults.toolTimout" is not known and is ignored; did you mean "toolTimeout"?"#,
            r#"/conf/mcp.json:1: "defaults.startupTimeout" is not a span of time, and is ignored; write "500ms", "30s" or "2m""#,
            r#"/conf/mcp.json:1: "defaults.idleTimeout" is 600000 seconds; write "600000ms" for milliseconds"#,
            r#"/conf/mcp.json:1: "defaults.other" is not known and is ignored"#,
        ]
    );
    assert_eq!(
        warnings(r#"{ "defaults": [], "mcpServers": {} }"#),
        [
            r#"/conf/mcp.json:1: "defaults" must be an object, not a list, and is ignored; write { "NAME": "value" }"#
        ]
    );
}
