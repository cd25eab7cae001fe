//! No value that may be secret is repeated, whatever else is wrong.

use super::*;

const SECRET: &str = "s3cr3t-value";

#[test]
fn no_secret_is_repeated_in_what_is_said_or_in_debug_forms() {
    let entries = [
        r#"{ "command": "x", "env": { "TOKEN": "SECRET" }, "other": "SECRET" }"#,
        r#"{ "command": "x", "args": ["--token", "SECRET"], "toolTimeout": 5000 }"#,
        r#"{ "command": "x", "env": { "TOKEN": "SECRET" }, "evn": { "TOKEN": "SECRET" } }"#,
        r#"{ "command": "x", "env": { "TOKEN": ["SECRET"] } }"#,
        r#"{ "command": "x", "env": { "TOKEN": "SECRET\u0000" } }"#,
        r#"{ "command": "x", "env": { "TOKEN": "${OTHER:-SECRET}" } }"#,
        r#"{ "command": "x", "env": { "TOKEN=SECRET": "" } }"#,
        r#"{ "command": "x", "inheritEnv": ["TOKEN=SECRET"] }"#,
        r#"{ "command": "x", "env": ["TOKEN=SECRET"] }"#,
        r#"{ "command": "x", "env": "TOKEN=SECRET" }"#,
        r#"{ "command": "x", "args": "--token SECRET" }"#,
        r#"{ "command": "x", "args": ["--token", "${A}SECRET"] }"#,
        r#"{ "command": "npx server --token SECRET" }"#,
        r#"{ "command": "TOKEN=SECRET npx server" }"#,
        r#"{ "url": "https://me:SECRET@example.com/SECRET?key=SECRET" }"#,
        r#"{ "url": "SECRET" }"#,
        r#"{ "url": "https://example.com", "headers": { "Authorization": "Bearer SECRET" } }"#,
        r#"{ "url": "https://example.com", "headers": { "Authorization": { "SECRET": "SECRET" } } }"#,
        r#"{ "url": "https://me:SECRET@example.com/SECRET", "headers": { "A": "SECRET" }, "disabled": true }"#,
    ];
    for entry in entries {
        let entry = entry.replace("SECRET", SECRET);
        let loaded = loaded(&format!(r#"{{ "mcpServers": {{ "it": {entry} }} }}"#));
        let mut said = format!("{loaded:?} {loaded:#?}");
        for held in &loaded.held {
            said += &held.to_string();
        }
        for warning in &loaded.warnings {
            said += &warning.to_string();
        }
        assert!(!said.contains(SECRET), "{entry}\n{said}");
    }
}

#[test]
fn no_secret_is_repeated_by_an_error() {
    for text in [
        r#"{ "mcpServers": { "it": { "env": { "TOKEN": SECRET } } } }"#,
        r#"{ "mcpServers": { "it": { "env": { "TOKEN": "SECRET } } } }"#,
        r#"{ "mcpServers": { "it": { "env": { "TOKEN": "SECRET\q" } } } }"#,
        r#"{ "mcpServers": { "it": { "env": { "TOKEN": "SECRET" "A": 1 } } } }"#,
        r#"{ "mcpServers": { "it": { "env": { "TOKEN": "SECRET", "TOKEN": "SECRET" } } } }"#,
        r#"{ "mcpServers": { "it": { "env": { "TOKEN": 'SECRET' } } } }"#,
        r#"{ "it": { "command": "x", "env": { "TOKEN": "SECRET" } } }"#,
        r#"{ "mcpServers": ["SECRET"] }"#,
        r#"["SECRET"]"#,
    ] {
        let text = text.replace("SECRET", SECRET);
        let error = parse(&text, &cx()).expect_err(&text);
        let said = format!("{error} {error:?}");
        assert!(!said.contains(SECRET), "{text}\n{said}");
    }
}
