//! What entries ask for, and what comes of it.

use std::collections::BTreeMap;

use super::*;
use crate::MAX_VALUE_BYTES;

/// Gives what it is made of, and remembers what it was asked for.
#[derive(Default)]
struct World {
    variables: BTreeMap<&'static str, &'static str>,
    files: BTreeMap<&'static str, String>,
    commands: BTreeMap<&'static str, Result<&'static str, &'static str>>,
    asked: Vec<String>,
}

impl Expander for World {
    fn variable(&mut self, name: &str) -> Result<Option<String>, String> {
        self.asked.push(name.to_owned());
        match name {
            "ODD" => Err("is not UTF-8".to_owned()),
            _ => Ok(self.variables.get(name).map(|&value| value.to_owned())),
        }
    }

    fn file(&mut self, path: &Path) -> Result<String, String> {
        self.asked.push(path.display().to_string());
        let found = self.files.get(path.to_str().unwrap());
        found
            .cloned()
            .ok_or_else(|| "cannot be read: it is not there".to_owned())
    }

    fn command(&mut self, line: &str) -> Result<String, String> {
        self.asked.push(line.to_owned());
        match self.commands.get(line) {
            Some(Ok(text)) => Ok((*text).to_owned()),
            Some(Err(text)) => Err((*text).to_owned()),
            None => Err("was not found".to_owned()),
        }
    }
}

fn world() -> World {
    World {
        variables: BTreeMap::from([
            ("TOKEN", "tok-1234"),
            ("EMPTY", ""),
            ("ROOT", "/srv/root"),
            ("REL", "./rel"),
            ("NUL", "a\0b"),
            ("LINES", "a\nb"),
            ("HOST", "example.com"),
            ("HOME", "/home/me"),
            ("PORT", "8080"),
        ]),
        files: BTreeMap::from([
            ("/conf/token", "from-file\r\n\n".to_owned()),
            ("/home/me/token", "from-home".to_owned()),
            ("/conf/.env", "A=of-file\nB=\"two words\"\n".to_owned()),
            ("/conf/bad.env", "A=1\nnonsense\n".to_owned()),
            ("/conf/large", "x".repeat(MAX_VALUE_BYTES + 1)),
        ]),
        commands: BTreeMap::from([
            ("pass show x", Ok("from-command\n")),
            ("false", Err("exited with code 1")),
        ]),
        asked: Vec::new(),
    }
}

fn expand(fields: &str) -> Result<ExpandedServer, Box<Held>> {
    let text = servers(&format!("\"it\": {{ {fields} }}"));
    let layers = Layers::new().user_text(&text, user());
    let configuration = Configuration::read(&layers, &nobody()).unwrap();
    assert_eq!(configuration.held, [], "{fields}");
    let id = "it".parse().unwrap();
    configuration.expand(&id, &mut world()).unwrap()
}

fn expanded(fields: &str) -> Command {
    match expand(fields)
        .unwrap_or_else(|held| panic!("{held}"))
        .definition
        .server
    {
        ServerKind::Stdio(command) => command,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_form_is_expanded_everywhere() {
    let command = expanded(
        r#""command": "${ROOT}/bin/x",
           "args": ["--root=${ROOT}", "${REL}", "./${REL}", "~/${TOKEN}", "${env:TOKEN}", 5],
           "env": { "A": "Bearer ${TOKEN}", "B": "${NONE:-none}${EMPTY:-empty}${TOKEN:-x}", "C": "${EMPTY}",
                    "D": "${file:token}", "E": "${file:~/token}", "F": "${cmd:pass show x}", "G": "$${TOKEN} $TOKEN" },
           "cwd": "${REL}/x""#,
    );
    assert_eq!(command.command, "/srv/root/bin/x");
    assert_eq!(
        command.args,
        [
            "--root=/srv/root",
            "./rel",
            "/conf/rel",
            "/home/me/tok-1234",
            "tok-1234",
            "5"
        ]
    );
    let env: Vec<_> = command.env.values().map(String::as_str).collect();
    assert_eq!(
        env,
        [
            "Bearer tok-1234",
            "noneemptytok-1234",
            "",
            "from-file",
            "from-home",
            "from-command",
            "${TOKEN} $TOKEN"
        ]
    );
    assert_eq!(command.cwd.as_deref(), Some("/conf/rel/x"));
}

#[test]
fn a_file_of_variables_comes_after_the_entrys_own() {
    let command = expanded(r#""command": "x", "envFile": ".env", "env": { "A": "own" }"#);
    let env: Vec<_> = command
        .env
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(env, ["A=own", "B=two words"]);
    let expanded = expand(r#""command": "x", "envFile": "${NONE:-.env}""#).unwrap();
    let secrets: Vec<_> = expanded.secrets.iter().collect();
    assert_eq!(secrets, ["of-file", "two words"]);
}

#[test]
fn what_cannot_be_had_holds_the_entry_with_the_reason() {
    let check = |fields: &str, expect: &str| {
        let held = expand(fields).unwrap_err();
        assert_eq!(
            format!("{}; {}", held.reason, held.remedy),
            expect,
            "{fields}"
        );
        assert_eq!((held.name.as_str(), held.line), ("it", 1));
    };
    let env = |value: &str| format!(r#""command": "x", "env": {{ "A": "{value}" }}"#);
    check(
        &env("s3cr3t${NONE}"),
        r#""env.A" asks for ${NONE}, which is not set; set it, or write ${NONE:-…} with a default"#,
    );
    check(
        &env("${ODD:-x}"),
        r#""env.A" asks for ${ODD}, which is not UTF-8; write the value itself, or name the variable in "inheritEnv""#,
    );
    check(
        &env("${file:none}"),
        r#""env.A" asks for the file /conf/none, which cannot be read: it is not there; create it, or correct the path"#,
    );
    check(
        &env("${file:large}"),
        r#""env.A" asks for the file /conf/large, which is larger than 64 KiB; create it, or correct the path"#,
    );
    check(
        &env("${cmd:false}"),
        r#""env.A" asks for ${cmd:…}, which exited with code 1; run the command by hand to see why"#,
    );
    check(
        &env("${NUL}"),
        r#""env.A" comes to a text with a NUL character; correct the value"#,
    );
    check(
        r#""command": "${EMPTY}""#,
        r#""command" is expanded, and is empty; write the program to start"#,
    );
    check(
        r#""command": "x", "cwd": "${EMPTY}""#,
        r#""cwd" is expanded, and is empty; leave it out or write a folder"#,
    );
    check(
        r#""command": "x", "envFile": "none""#,
        r#""envFile" names the file /conf/none, which cannot be read: it is not there; create it, or correct the path"#,
    );
    check(
        r#""command": "x", "envFile": "bad.env""#,
        r#""envFile" names /conf/bad.env, whose line 2 is not NAME=value; write NAME=value, with quotes around what is odd"#,
    );
}

#[test]
fn one_entry_that_is_held_leaves_the_others() {
    let text = servers(
        "\"a\": { \"command\": \"x\" },\n\"b\": { \"command\": \"x\",\n\"args\": [\"${NONE}\"] }",
    );
    let layers = Layers::new().user_text(&text, user());
    let configuration = Configuration::read(&layers, &nobody()).unwrap();
    let loaded = configuration.expand_all(&mut world());
    assert_eq!(loaded.servers.len(), 1);
    let [held] = loaded.held.as_slice() else {
        panic!("{:?}", loaded.held);
    };
    assert_eq!(
        (held.line, held.id.as_ref().map(AsRef::as_ref)),
        (3, Some("b"))
    );
    assert!(
        configuration
            .expand(&"c".parse().unwrap(), &mut world())
            .is_none()
    );
}

#[test]
fn a_disabled_server_asks_for_nothing() {
    let text = servers(
        r#""a": { "command": "x", "enabled": false, "env": { "A": "${NONE} ${cmd:pass show x}" }, "envFile": "none" },
           "b": { "url": "https://${NONE}/", "headers": { "A": "${file:none}" }, "disabled": true }"#,
    );
    let mut world = world();
    let layers = Layers::new().user_text(&text, user());
    let loaded = Configuration::read(&layers, &nobody())
        .unwrap()
        .expand_all(&mut world);
    assert_eq!((loaded.servers.len(), loaded.held.len()), (2, 0));
    assert_eq!(world.asked, [""; 0]);
}

#[test]
fn values_that_were_asked_for_are_secret_and_others_are_not() {
    let expanded = expand(
        r#""command": "x", "args": ["${ROOT}", "--api-key", "lit-key", "--port", "9999999", "--password=lit-pass"],
           "env": { "A": "Bearer ${TOKEN}", "B": "${cmd:pass show x}", "C": "${HOME}", "D": "${PORT}",
                    "E": "${NONE:-default-value}", "MY_TOKEN": "lit-token", "NODE_ENV": "production" }"#,
    )
    .unwrap();
    let secrets: Vec<_> = expanded.secrets.iter().collect();
    assert_eq!(
        secrets,
        [
            "/srv/root",
            "from-command",
            "lit-key",
            "lit-pass",
            "lit-token",
            "tok-1234"
        ]
    );
    assert_eq!(format!("{:?}", expanded.secrets), "[6 not shown]");
    assert_eq!(
        expanded
            .secrets
            .redact("tok-1234 and tok-12345 of production"),
        "[redacted] and [redacted]5 of production"
    );
    assert_eq!(expanded.secrets.redact("nothing"), "nothing");
    let debug = format!("{expanded:?}");
    for secret in secrets {
        assert!(!debug.contains(secret), "{debug}");
    }
}

#[test]
fn small_files_are_read_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    std::fs::write(&path, "from-disk\n").unwrap();
    let mut variables = variables(&[("DIR", folder.path().to_str().unwrap())]);
    assert_eq!(variables.file(&path).as_deref(), Ok("from-disk\n"));
    assert_eq!(
        variables.file(folder.path()),
        Err("is not a file".to_owned())
    );
    std::fs::write(&path, vec![b'x'; MAX_VALUE_BYTES + 1]).unwrap();
    assert_eq!(
        variables.file(&path),
        Err("is larger than 64 KiB".to_owned())
    );
    std::fs::write(&path, b"\xff").unwrap();
    assert_eq!(variables.file(&path), Err("is not UTF-8".to_owned()));
    assert_eq!(variables.command("true"), Err("is not run here".to_owned()));
    assert_eq!(format!("{variables:?}"), "{\"DIR\"}");
}
