//! The doctor, completions, manual pages, and colours.

use std::fs;
use std::os::unix::net::UnixListener;

use serde_json::json;
use tests::host::Host;
use tests::programs;
use tests::run::Running;
use tests::world::World;

/// What it finds here. What other tests are being cleaned of is theirs.
fn doctor(world: &World) -> (String, Vec<String>) {
    let ran = world.command(&["doctor"]).output().unwrap();
    let stdout = String::from_utf8(ran.stdout).unwrap();
    let all = stdout.lines().filter(|line| line.starts_with("finding: "));
    let all: Vec<_> = all.map(str::to_owned).collect();
    assert_eq!(
        ran.status.code(),
        Some((!all.is_empty()).into()),
        "{stdout}"
    );
    let summary = match all.len() {
        0 => "nothing wrong".to_owned(),
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    };
    assert_eq!(stdout.lines().last(), Some(summary.as_str()), "{stdout}");
    let is_ours = |line: &String| !line.contains(": left by an owner that has gone: ");
    (stdout, all.into_iter().filter(is_ours).collect())
}

#[test]
fn a_healthy_place_has_no_findings() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "one": world.fake("plain") }));
    let (stdout, findings) = doctor(&world);
    assert!(findings.is_empty(), "{stdout}");
    for line in [
        "ok: versions: posthouse ",
        "mcp.json: 1 server\n",
        "ok: programs: 1 of the servers' commands found\n",
        "note: executors: local: ",
    ] {
        assert!(stdout.contains(line), "{line}: {stdout}");
    }
    let json = world.run(&["doctor", "--json"]).json();
    assert_eq!(json["lines"][0]["level"], "ok", "{json}");
    assert!(!world.folder().join("home/.local").exists());
}

#[test]
fn each_finding_is_a_line_with_its_remedy() {
    let world = World::new(programs!());
    let servers = json!({
        "missing": { "command": "no-such-program" },
        "held": { "command": 7 },
        "off": { "command": "no-such-program", "enabled": false },
    });
    world.configure("10s", &servers);
    let stale = world.write("run/posthouse/1.sock", "");
    fs::remove_file(&stale).unwrap();
    drop(UnixListener::bind(&stale).unwrap());
    let (stdout, findings) = doctor(&world);
    assert_eq!(findings.len(), 3, "{stdout}");
    assert!(
        findings[0].starts_with("finding: configuration: held: held ("),
        "{findings:?}"
    );
    assert_eq!(
        findings[1],
        "finding: programs: missing: \"no-such-program\" is not found, or cannot be run; install it, or write its whole path as the `command`"
    );
    assert!(findings[2].contains("; remove it: rm '"), "{findings:?}");
    fs::remove_file(&stale).unwrap();

    world.write("home/.config/posthouse/mcp.json", "{");
    let (stdout, findings) = doctor(&world);
    assert_eq!(findings.len(), 1, "{stdout}");
    let finding = "finding: configuration: failed to read";
    assert!(findings[0].starts_with(finding), "{stdout}");
}

#[test]
fn an_owner_that_works_is_no_finding_and_is_left_alone() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "one": world.fake("plain") }));
    let mut host = Host::start(&world, &[]);
    host.handshake();
    let (stdout, findings) = doctor(&world);
    assert!(findings.is_empty(), "{stdout}");
    let call = json!({ "action": "call", "tool": "one/echo", "args": { "text": "hi" } });
    host.mcp(&call).unwrap();
    host.close_stdin();
    host.end();
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let world = World::new(programs!());
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = world.run(&["completions", shell]).exits(0).stdout;
        assert!(script.contains("posthouse"), "{shell}: {script}");
        assert!(script.contains("describe"), "{shell}: {script}");
    }
    world.run(&["completions", "tcsh"]).exits(2);
    let page = world.run(&["man"]).exits(0).stdout;
    assert!(page.contains(".TH posthouse 1"), "{page}");
    let folder = world.folder().join("pages");
    let named = folder.display().to_string();
    world.run(&["man", &named]).exits(2);
    fs::create_dir(&folder).unwrap();
    let written = world.run(&["man", &named]).exits(0).stdout;
    for name in ["posthouse.1", "posthouse-status.1", "posthouse-logs.1"] {
        assert!(written.contains(name), "{written}");
        assert!(folder.join(name).is_file());
    }
    assert!(!folder.join("posthouse-owner.1").exists());
}

#[test]
fn colours_come_where_they_are_wanted() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "one": world.fake("plain") }));
    let is_coloured = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = world.command(&[&["status"], args].concat());
        command.envs(variables.iter().copied());
        let ran = Running::start(&world, &mut command).end().exits(0);
        ran.stdout.contains('\u{1b}')
    };
    assert!(!is_coloured(&[], &[]));
    assert!(is_coloured(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(is_coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    assert!(!is_coloured(&[], &both));
    assert!(!is_coloured(&["--color=never"], &both[..1]));
}
