//! How a project's file changes what the user's says.

use std::time::Duration;

use super::*;

const GIT: &str = r#""git": { "command": "uvx", "args": ["./git", "x"], "env": { "A": "1", "B": "2" },
    "cwd": "work", "toolTimeout": "5s", "tools": { "include": ["a"], "exclude": ["b"] } }"#;

/// The user's `git` with these fields of the project's over it.
fn over(fields: &str) -> Configuration {
    let configuration = trusted(&servers(GIT), &servers(&format!("\"git\": {{ {fields} }}")));
    assert_eq!(configuration.held, [], "{fields}");
    configuration
}

#[test]
fn override_with_only_command_keeps_args_env_headers() {
    let git = command(&over(r#""command": "./uvx""#), "git");
    assert_eq!(git.command, "/p/uvx");
    assert_eq!(git.args, ["/conf/git", "x"]);
    assert_eq!(git.env.len(), 2);
    assert_eq!(git.cwd.as_deref(), Some("/conf/work"));
    let entry = r#""off": { "url": "https://a/mcp", "headers": { "A": "b" }, "enabled": false }"#;
    let configuration = trusted(
        &servers(entry),
        &servers(r#""off": { "url": "https://b/mcp" }"#),
    );
    let off = configuration.outlines().next().unwrap();
    let ServerKind::Http(server) = &off.server else {
        panic!("{off:?}");
    };
    assert_eq!(
        (server.url.as_str(), server.headers["A"].as_str()),
        ("https://b/mcp", "b")
    );
}

#[test]
fn explicit_empty_args_does_clear() {
    let git = command(&over(r#""args": [], "env": {}"#), "git");
    assert_eq!((git.args.len(), git.env.len()), (0, 0));
    assert_eq!(git.command, "uvx");
    // `null` is how programs write "not given".
    let git = command(&over(r#""args": null, "env": null"#), "git");
    assert_eq!((git.args.len(), git.env.len()), (2, 2));
}

#[test]
fn merge_is_per_field_one_level() {
    let configuration = over(r#""env": { "B": "3" }, "tools": { "exclude": ["c"] }"#);
    let git = command(&configuration, "git");
    assert_eq!(
        git.env.into_iter().collect::<Vec<_>>(),
        [("B".to_owned(), "3".to_owned())]
    );
    let definition = configuration.outlines().next().unwrap();
    assert_eq!(definition.tool_filter.include, None);
    assert_eq!(definition.tool_filter.exclude, ["c"]);
    assert_eq!(definition.tool_timeout, Some(Duration::from_secs(5)));
}

#[test]
fn a_command_that_is_a_list_brings_its_arguments() {
    let git = command(&over(r#""command": ["npx", "y"]"#), "git");
    assert_eq!(
        (git.command.as_str(), git.args),
        ("npx", vec!["y".to_owned()])
    );
    let mine = servers(r#""x": { "command": ["npx", "y"] }"#);
    let check = |fields: &str, expect: &[&str]| {
        let configuration = trusted(&mine, &servers(&format!("\"x\": {{ {fields} }}")));
        assert_eq!(command(&configuration, "x").args, expect, "{fields}");
    };
    check(r#""args": ["z"]"#, &["z"]);
    check(r#""args": []"#, &[]);
    check(r#""about": "y""#, &["y"]);
}

#[test]
fn enabled_and_disabled_replace_each_other() {
    let check = |mine: &str, theirs: &str, expect: bool| {
        let entry = |flag: &str| servers(&format!(r#""x": {{ "command": "x", {flag} }}"#));
        let configuration = trusted(&entry(mine), &entry(theirs));
        assert_eq!(configuration.held, []);
        assert_eq!(configuration.outlines().next().unwrap().enabled, expect);
    };
    check(r#""enabled": true"#, r#""disabled": true"#, false);
    check(r#""disabled": true"#, r#""enabled": true"#, true);
}

#[test]
fn another_kind_of_server_of_the_same_name_is_held() {
    let configuration = trusted(
        &servers(GIT),
        &servers(r#""git": { "url": "https://a/mcp" }"#),
    );
    assert_eq!(
        configuration.held[0].to_string(),
        r#"/p/.mcp.json:1: server "git" is held: "url" is not supported together with "command"; the project's entry adds to yours of the same name; rename one of them"#
    );
}

#[test]
fn the_users_servers_come_first_and_keep_their_ids() {
    let configuration = trusted(
        &servers(r#""b": { "command": "1" }, "my-git": { "command": "2" }"#),
        &servers(r#""a": { "command": "3" }, "My_Git": { "command": "4" }, "b": { "about": "x" }"#),
    );
    let ids: Vec<_> = configuration.outlines().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["b", "my-git", "a"]);
    assert_eq!(
        configuration.held[0].to_string(),
        r#"/p/.mcp.json:1: server "My_Git" is held: servers my-git and My_Git differ only in case or in - for _; rename one of them"#
    );
}

#[test]
fn defaults_of_a_project_are_for_its_own_entries() {
    let configuration = trusted(
        r#"{ "defaults": { "toolTimeout": 1, "idleTimeout": 2 },
             "mcpServers": { "mine": { "command": "x" }, "both": { "command": "x" } } }"#,
        r#"{ "defaults": { "toolTimeout": 9 },
             "mcpServers": { "both": { "about": "x" }, "theirs": { "command": "x" } } }"#,
    );
    let seconds = |span: Option<Duration>| span.map(|it| it.as_secs());
    let timeouts: Vec<_> = configuration
        .outlines()
        .map(|it| {
            (
                it.id.as_str(),
                seconds(it.tool_timeout),
                seconds(it.idle_timeout),
            )
        })
        .collect();
    assert_eq!(
        timeouts,
        [
            ("mine", Some(1), Some(2)),
            ("both", Some(9), Some(2)),
            ("theirs", Some(9), Some(2)),
        ]
    );
}

#[test]
fn a_project_without_a_users_file_and_the_other_way_round() {
    let alone = Layers::new().project_text(
        r#"{ "mcpServers": { "a": { "command": "x" } } }"#,
        project(),
    );
    let mut trust = nobody();
    trust.trust(&Configuration::read(&alone, &trust).unwrap().untrusted[0]);
    let loaded = Configuration::read(&alone, &trust)
        .unwrap()
        .expand_all(&mut variables(&[]));
    assert_eq!(
        loaded.place(&"a".parse().unwrap()).as_deref(),
        Some("/p/.mcp.json:1")
    );
    assert_eq!(loaded.path, Path::new("/p/.mcp.json"));
    let nothing = Configuration::read(&Layers::new(), &trust).unwrap();
    assert!(nothing.expand_all(&mut variables(&[])).servers.is_empty());
}

#[test]
fn a_project_file_that_is_the_users_is_read_once() {
    let text = servers(r#""a": { "command": "x" }"#);
    let layers = Layers::new()
        .user_text(&text, user())
        .project_text(&text, user());
    let configuration = Configuration::read(&layers, &nobody()).unwrap();
    assert_eq!(
        (
            configuration.outlines().count(),
            configuration.untrusted.len()
        ),
        (1, 0)
    );
}

#[test]
fn a_broken_project_file_takes_nothing_away() {
    for text in [
        "{",
        "[]",
        "{ \"mcpServers\": [] }",
        "{ \"a\": 1, \"a\": 2 }",
    ] {
        let configuration = read(&servers(GIT), text, &nobody());
        let error = configuration.broken_project.as_ref().unwrap().to_string();
        assert!(error.starts_with("read /p/.mcp.json:1:"), "{error}");
        assert_eq!(configuration.outlines().count(), 1, "{text}");
    }
    let layers = Layers::new()
        .user_text("{", user())
        .project_text("{}", project());
    assert!(Configuration::read(&layers, &nobody()).is_err());
}

#[test]
fn a_project_file_that_is_a_pipe_is_not_opened() {
    let cx = Context::of_file(Path::new("/dev/stdin"), None);
    let folder = Context::of_file(Path::new("/proc"), None);
    for cx in [cx, folder] {
        let text = servers(GIT);
        let layers = Layers::new().user_text(&text, user()).project(cx);
        let configuration = Configuration::read(&layers, &nobody()).unwrap();
        if !cx.path.is_file() {
            let error = configuration.broken_project.unwrap().to_string();
            assert!(
                error.ends_with(": it is not a file; check the file"),
                "{error}"
            );
        }
    }
}
