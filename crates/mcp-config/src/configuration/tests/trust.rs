//! What an entry of a project's file may do before it is trusted, and what takes the trust away.

use super::*;
use crate::TrustError;

const MINE: &str = r#""git": { "command": "uvx", "env": { "TOKEN": "s3cr3t-value" } }"#;

#[test]
fn a_project_entry_does_nothing_before_it_is_trusted() {
    let theirs = servers(
        r#""git": { "command": "./evil" },
           "new": { "command": "sh", "args": ["-c", "evil ${HOME} ${file:/etc/passwd}"] },
           "off": { "command": "./evil", "disabled": true },
           "odd": 5"#,
    );
    let configuration = read(&servers(MINE), &theirs, &nobody());
    assert_eq!(command(&configuration, "git").command, "uvx");
    assert_eq!(configuration.outlines().count(), 1);
    let loaded = configuration.expand_all(&mut variables(&[("HOME", "/home/me")]));
    assert_eq!((loaded.servers.len(), loaded.held.len()), (1, 0));
    let said: Vec<_> = loaded.untrusted.iter().map(ToString::to_string).collect();
    let until = "is not used until you trust it: look at it, then run posthouse trust";
    assert_eq!(
        said,
        [
            format!(r#"/p/.mcp.json:1: server "git" {until}; until then yours is used"#),
            format!(r#"/p/.mcp.json:2: server "new" {until}"#),
            format!(r#"/p/.mcp.json:3: server "off" {until}"#),
            format!(r#"/p/.mcp.json:4: server "odd" {until}"#),
        ]
    );
    let problem = loaded.untrusted[3].problem.as_ref().unwrap();
    assert_eq!(problem.reason, "it must be an object");
}

#[test]
fn an_entry_may_not_change_a_server_by_being_like_it() {
    let theirs = servers(r#""Git": { "command": "./evil" }"#);
    let configuration = trusted(&servers(MINE), &theirs);
    assert_eq!(command(&configuration, "git").command, "uvx");
    assert_eq!(configuration.held.len(), 1);
}

#[test]
fn a_changed_definition_loses_trust() {
    let mut trust = nobody();
    let entry = r#""a": { "command": "x", "args": ["1"], "other": 1 }"#;
    let check = |mine: &str, theirs: &str, trust: &TrustStore, expect: bool| {
        let configuration = read(&servers(mine), &servers(theirs), trust);
        assert_eq!(
            configuration.untrusted.is_empty(),
            expect,
            "{mine} {theirs}"
        );
    };
    check(MINE, entry, &trust, false);
    trust.trust(&read(&servers(MINE), &servers(entry), &trust).untrusted[0]);
    check(MINE, entry, &trust, true);
    // spacing, comments, order and what is not given
    check(
        MINE,
        "/* x */ \"a\":{\"other\":1,\n\"env\":null,\"args\":[\"1\"],\"command\":\"x\"},",
        &trust,
        true,
    );
    // another entry of the user's file
    check("", entry, &trust, true);
    for theirs in [
        r#""a": { "command": "y", "args": ["1"], "other": 1 }"#,
        r#""a": { "command": "x", "args": ["2"], "other": 1 }"#,
        r#""a": { "command": "x", "args": ["1", ""], "other": 1 }"#,
        r#""a": { "command": "x", "args": ["1"], "other": 1, "env": {} }"#,
        r#""a": { "command": "x", "args": ["1"], "other": 2 }"#,
        r#""a": { "command": "x", "args": ["1"] }"#,
        r#""b": { "command": "x", "args": ["1"], "other": 1 }"#,
    ] {
        check(MINE, theirs, &trust, false);
    }
    // What the user's entry of that name adds is part of it.
    check(r#""a": { "env": { "A": "1" } }"#, entry, &trust, false);
}

#[test]
fn trust_belongs_to_one_file() {
    let text = servers(r#""a": { "command": "npm", "args": ["run", "mcp"] }"#);
    let at = |path: &'static str, trust: &TrustStore| {
        let cx = Context::of_file(Path::new(path), None);
        let layers = Layers::new().project_text(&text, cx);
        Configuration::read(&layers, trust).unwrap().untrusted
    };
    let mut trust = nobody();
    trust.trust(&at("/p/.mcp.json", &trust)[0]);
    assert_eq!(at("/p/.mcp.json", &trust), []);
    assert_eq!(at("/q/.mcp.json", &trust).len(), 1);
}

#[test]
fn what_is_trusted_survives_its_text() {
    let text = servers(r#""a": { "command": "x" }, "b": { "command": "y" }"#);
    let mut trust = nobody();
    for entry in read("{}", &text, &trust).untrusted {
        trust.trust(&entry);
        trust.trust(&entry);
    }
    let again = TrustStore::parse(&trust.to_text()).unwrap();
    assert_eq!(again, trust);
    assert_eq!(again.iter().count(), 2);
    assert_eq!(read("{}", &text, &again).untrusted, []);
    let mut again = again;
    assert_eq!(again.revoke(Path::new("/p/.mcp.json"), Some("a")), 1);
    assert_eq!(read("{}", &text, &again).untrusted[0].name, "a");
    assert_eq!(again.revoke(Path::new("/p/.mcp.json"), None), 1);
    // Another installation's store trusts nothing here.
    let other = TrustStore::new(HashKey::new([2; 32]));
    let copied = trust.to_text().replace(
        &HashKey::new([1; 32]).to_hex(),
        &HashKey::new([2; 32]).to_hex(),
    );
    assert_eq!(
        read("{}", &text, &TrustStore::parse(&copied).unwrap())
            .untrusted
            .len(),
        2
    );
    assert!(!format!("{other:?} {trust:?}").contains("0202"));
}

#[test]
fn a_store_that_cannot_be_read_says_so() {
    let check = |text: &str, expect: &str| {
        let error = TrustStore::parse(text).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("read the list of trusted servers: {expect}"),
            "{text}"
        );
    };
    let remedy = "remove the file and trust them again";
    check("", &format!("it is not JSON; {remedy}"));
    check("{}", &format!("it has no format; {remedy}"));
    check("{\"format\":1}", &format!("it has no key; {remedy}"));
    let key = "0".repeat(64);
    check(
        &format!("{{\"format\":1,\"key\":\"{key}\"}}"),
        &format!("it has no list; {remedy}"),
    );
    check(
        "{\"format\":2}",
        "it has format 2, and this version knows 1; use the newer version, or remove the file and trust them again",
    );
    assert_eq!(
        TrustStore::parse("{\"format\":2}"),
        Err(TrustError::Newer(2))
    );
    let odd = format!(
        "{{\"format\":1,\"key\":\"{key}\",\"trusted\":[1,{{}},{{\"file\":\"a\",\"server\":\"b\",\"fingerprint\":\"c\"}}]}}"
    );
    assert_eq!(TrustStore::parse(&odd).unwrap().iter().count(), 0);
}

#[test]
fn the_person_who_decides_sees_what_the_file_says() {
    let theirs = servers(
        r#""a\u001b[2J": { "command": "sh", "args": ["-c", "echo \u001b[31m\u202e"], "cwd": "..",
           "env": { "LD_PRELOAD": "./x.so", "T": "Bearer ${T:-s3cr3t}" }, "tools": { "include": [] },
           "toolTimeout": 5, "required": true, "about": null }"#,
    );
    let entry = read("{}", &theirs, &nobody()).untrusted.remove(0);
    assert_eq!(
        entry.brings(),
        [
            r#"command: "sh""#,
            r#"args: ["-c", "echo \u{1b}[31m\u{202e}"]"#,
            r#"cwd: "..""#,
            "env: LD_PRELOAD, T (…${T:-…})",
            r#"tools: {"include": []}"#,
            "toolTimeout: 5",
            "required: true",
            "about: null",
        ]
    );
    assert_eq!(entry.name, "a\u{fffd}[2J");
    assert!(!format!("{entry:?}").contains("LD_PRELOAD"));
}

#[test]
fn commands_are_for_the_users_own_file() {
    let asks = r#""a": { "command": "x", "env": { "T": "${cmd:pass x}" } }"#;
    let configuration = trusted("{}", &servers(asks));
    assert_eq!(
        configuration.held[0].to_string(),
        r#"/p/.mcp.json:1: server "a" is held: "env.T" asks for ${cmd:…}, which a project's file may not; write ${NAME} and set that variable, or put the server into your own file"#
    );
    assert_eq!(trusted(&servers(asks), "{}").held, []);
    // What the user's file asks for under a project's entry is still the user's.
    let configuration = trusted(&servers(asks), &servers(r#""a": { "about": "x" }"#));
    assert_eq!(configuration.held, []);
}
