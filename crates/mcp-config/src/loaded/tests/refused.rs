//! Files that cannot be used as a whole, and what is said of them.

use std::fs;

use super::*;

fn check(text: &str, expect: &str) {
    let error = parse(text, &cx()).expect_err(text).to_string();
    let said = error.strip_prefix("read /conf/mcp.json:").unwrap_or(&error);
    assert_eq!(said, expect, "{text}");
}

#[test]
fn syntax_errors_have_their_place_cause_and_remedy() {
    let empty = r#"1:1: the file is empty; write { "mcpServers": {} } for no servers"#;
    check("", empty);
    check(" \n\t// nothing yet\n", empty);
    check("\u{feff}", empty);
    check(
        "{\n  \"mcpServers\": {\n",
        "2:17: this { is never closed; add the missing }",
    );
    check(
        "{ \"a\": [1, 2 }",
        "1:14: this } closes nothing; remove it or add the {",
    );
    check(
        "{ \"a\": [1, 2",
        "1:8: this [ is never closed; add the missing ]",
    );
    check(
        "{ \"a\": 1\n  \"b\": 2 }",
        "1:9: a comma is missing; write one here",
    );
    check(
        "{ \"a\": 1,, \"b\": 2 }",
        "1:10: unexpected token in object; correct the JSON here",
    );
    check(
        "{ a: 1 }",
        "1:3: a key is not quoted; put it in double quotes",
    );
    check("{ 'a': 1 }", "1:3: single quotes; use double quotes");
    check(
        "{ \"a\" 1 }",
        "1:7: a colon is missing after a key; write \"key\": value",
    );
    check(
        "{ \"a\": yes }",
        "1:8: a bare word stands where a value should; put it in double quotes",
    );
    check(
        "{ \"a\": \"b }",
        "1:8: this text is never closed; add the missing double quote",
    );
    check(
        "{ \"a\": \"C:\\Users\" }",
        "1:11: an escape is not known; write \\\\ for a backslash",
    );
    check(
        "{} {}",
        "1:4: something follows the end of the object; remove it, or a } that comes too early",
    );
    check("/* {}", "1:1: this /* is never closed; add the missing */");
}

#[test]
fn config_rejects_duplicate_server_names() {
    check(
        "{ \"mcpServers\": {\n  \"git\": { \"command\": \"a\" },\n  \"git\": { \"command\": \"b\" }\n} }",
        "3:3: \"git\" stands twice, first in line 2; remove or rename one of them",
    );
}

#[test]
fn a_key_that_stands_twice_anywhere_is_refused() {
    check(
        r#"{ "mcpServers": { "a": { "command": "x", "command": "y" } } }"#,
        r#"1:42: "command" stands twice, first in line 1; remove or rename one of them"#,
    );
    check(
        r#"{ "mcpServers": {}, "else": [ { "\u0061": 1, "a": 2 } ] }"#,
        r#"1:46: "a" stands twice, first in line 1; remove or rename one of them"#,
    );
}

#[test]
fn files_of_another_form_are_refused_with_the_remedy() {
    check(
        "[]",
        r#"1:1: the file must hold an object; write { "mcpServers": { … } }"#,
    );
    check(
        "\"mcpServers\"",
        r#"1:1: the file must hold an object; write { "mcpServers": { … } }"#,
    );
    check(
        r#"{ "mcpServers": [ { "name": "git" } ] }"#,
        r#"1:17: "mcpServers" must be an object; write { "NAME": { "command": "…" } }"#,
    );
    check(
        r#"{ "mcpServers": null }"#,
        r#"1:17: "mcpServers" must be an object; write { "NAME": { "command": "…" } }"#,
    );
    check(
        r#"{ "mcpservers": {} }"#,
        r#"1:3: there is no "mcpServers", but "mcpservers"; did you mean "mcpServers"?"#,
    );
    check(
        r#"{ "context_servers": {} }"#,
        r#"1:3: there is no "mcpServers"; "context_servers" is another program's form; move its entries to "mcpServers""#,
    );
    check(
        r#"{ "git": { "command": "uvx" } }"#,
        r#"1:3: there is no "mcpServers", but "git" looks like a server; put the servers into { "mcpServers": { … } }"#,
    );
}

#[test]
fn what_is_far_too_large_or_too_deep_is_refused() {
    let deep = format!("{{ \"a\": {} }}", "[".repeat(200_000));
    let error = parse(&deep, &cx()).unwrap_err().to_string();
    assert!(
        error.ends_with("it is nested too deeply; take out what is not configuration"),
        "{error}"
    );
    let deep = format!(
        r#"{{ "mcpServers": {{}}, "a": {}{} }}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    assert!(parse(&deep, &cx()).is_ok());
    let large = format!("{{}}{}", " ".repeat(crate::MAX_FILE_BYTES));
    assert_eq!(
        parse(&large, &cx()).unwrap_err().to_string(),
        "read /conf/mcp.json: it is larger than 4 MiB; name the right file, or take out what is not configuration"
    );
    assert!(parse(&large[..crate::MAX_FILE_BYTES], &cx()).is_ok());
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let check = |path: &Path, expect: &str| {
        let error = load(&Context::of_file(path, None)).unwrap_err().to_string();
        assert_eq!(error, format!("read {}{expect}", path.display()));
    };
    let path = folder.path().join("mcp.json");
    check(
        &path,
        ": No such file or directory (os error 2); create it or name another file",
    );
    check(
        folder.path(),
        ": Is a directory (os error 21); name the file in that folder",
    );
    fs::write(&path, b"{\n \"\xc3\xa4\": \"\xff\" }").unwrap();
    check(&path, ":2:8: it is not UTF-8; save the file as UTF-8");
    fs::write(&path, vec![0xc3; crate::MAX_FILE_BYTES + 1]).unwrap();
    check(
        &path,
        ": it is larger than 4 MiB; name the right file, or take out what is not configuration",
    );
    fs::write(&path, r#"{ "mcpServers": { "it": { "command": "./x" } } }"#).unwrap();
    let loaded = load(&Context::of_file(&path, None)).unwrap();
    let server = loaded.servers.iter().next().unwrap();
    assert_eq!(
        command(server).command,
        folder.path().join("x").display().to_string()
    );
}
