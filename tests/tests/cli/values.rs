//! Values that the file asks for, what it says of itself, and changing it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use tests::programs;
use tests::run::Running;
use tests::world::World;

const SECRET: &str = "planted-77c0ffee77";

fn with_env(world: &World, env: &Value) -> Value {
    let mut entry = world.fake("plain");
    entry["env"] = env.clone();
    entry
}

#[test]
fn values_are_filled_in_and_kept_secret() {
    let world = World::new(programs!());
    let file = world.write("secret.txt", &format!("{SECRET}-file\n"));
    world.write(
        "home/.config/posthouse/values.env",
        &format!("TOKEN={SECRET}-env-file\n"),
    );
    let mut with_file = world.fake("plain");
    with_file["envFile"] = json!("values.env");
    let servers = json!({
        "variable": with_env(&world, &json!({ "TOKEN": "${FROM_OUTSIDE}" })),
        "default": with_env(&world, &json!({ "TOKEN": format!("${{NOT_SET:-{SECRET}-default}}") })),
        "file": with_env(&world, &json!({ "TOKEN": format!("${{file:{}}}", file.display()) })),
        "command": with_env(&world, &json!({ "TOKEN": format!("${{cmd:echo {SECRET}-command}}") })),
        "envfile": with_file,
        "unset": with_env(&world, &json!({ "TOKEN": "${NOT_SET_AT_ALL}" })),
        "failing": with_env(&world, &json!({ "TOKEN": format!("${{cmd:echo {SECRET}; exit 9}}") })),
    });
    world.configure("10s", &servers);
    let run = |words: &[&str]| {
        let mut command = world.command(words);
        command.env("FROM_OUTSIDE", format!("{SECRET}-variable"));
        Running::start(&world, &mut command).end()
    };
    for (server, value) in [
        ("variable", "variable"),
        ("default", "default"),
        ("file", "file"),
        ("command", "command"),
        ("envfile", "env-file"),
    ] {
        let ran = run(&["call", &format!("{server}/env"), "name=TOKEN"]).exits(0);
        assert_eq!(ran.stdout, format!("{SECRET}-{value}\n"), "{server}");
    }
    let status = run(&["-vv", "status"]).exits(0);
    let status = status
        .prints("unset: held (")
        .prints("${NOT_SET_AT_ALL}, which is not set; ");
    let status = status
        .prints("failing: held (")
        .prints("which exited with code 9; ");
    let explained = run(&["config", "explain"]).exits(0);
    let explained = explained.prints("${FROM_OUTSIDE}").prints("command (");
    let one = run(&["config", "explain", "failing"]).exits(0);
    let one = one.prints("which exited with code 9; ");
    let one_json = run(&["config", "explain", "unset", "--json"]).exits(0);
    assert_eq!(one_json.json()["servers"][0]["state"], "loaded");
    let resolved = world.folder().join("run/posthouse-resolved.json");
    let mode = fs::metadata(&resolved).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let resolved = fs::read_to_string(&resolved).unwrap();
    assert!(resolved.contains("\"variable\": {"), "{resolved}");
    for said in [
        status.stdout,
        status.stderr,
        explained.stdout,
        one.stdout,
        one.stderr,
        one_json.stdout,
        resolved,
    ] {
        // What a file says itself in a default is what it shows.
        assert!(
            !said
                .replace(&format!("{SECRET}-default"), "")
                .contains(SECRET),
            "{said}"
        );
    }
}

#[test]
fn a_command_for_a_value_ends_with_us() {
    let world = World::new(programs!());
    let entry = with_env(&world, &json!({ "TOKEN": "${cmd:sleep 1000}" }));
    world.configure("10s", &json!({ "slow": entry }));
    for words in [&["status"][..], &["config", "explain", "slow"], &["serve"]] {
        let running = world.start(words);
        tests::until::until("the command runs", tests::until::LIMIT, || {
            (!world.named("sleep").is_empty()).then_some(())
        });
        running.signal(nix::sys::signal::Signal::SIGTERM);
        running.end();
    }
}

#[test]
fn the_path_is_what_is_read() {
    let world = World::new(programs!());
    let file = world.user_file().display().to_string();
    let ran = world.run(&["config", "path"]).exits(0);
    assert_eq!(ran.stdout, format!("{file}\n"));
    let json = world.run(&["config", "path", "--json"]).exits(0).json();
    assert_eq!(
        (&json["user"], &json["exists"]),
        (&json!(file), &json!(false))
    );
    let ran = world.run(&["config", "path", "-c", "other.json"]).exits(0);
    assert_eq!(ran.stdout, "other.json\n");
    let ran = world.run(&["config", "explain"]).exits(2);
    ran.complains("there is no configuration yet");
}

const FILE: &str = r#"{
  // The servers.
  "mcpServers": {
    "b": { "command": "x", "env": { "K": "planted-77c0ffee77" } }, // comes first

    /* then */ "a": { "command": "y" },
  },
}
"#;

#[test]
fn adding_and_removing_keeps_the_rest_and_a_backup() {
    let world = World::new(programs!());
    let path = world.write("home/.config/posthouse/mcp.json", FILE);
    let backup = path.with_extension("json.bak");
    let words = [
        "add",
        "new",
        "--about",
        "a fake",
        "--env",
        "TOKEN=planted-77c0ffee77",
        "--",
        "./run",
        "serve",
        "./data",
    ];
    let ran = world.run(&words).exits(0);
    let ran = ran.prints(&format!(
        "added new to {}; the file as it was is {}\n",
        path.display(),
        backup.display()
    ));
    let here = world.folder().display().to_string();
    let ran = ran.prints(&format!("command: {here}/run"));
    assert!(!ran.stdout.contains(SECRET), "{ran:?}");
    assert_eq!(fs::read_to_string(&backup).unwrap(), FILE);
    assert_eq!(
        fs::metadata(&backup).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let added = fs::read_to_string(&path).unwrap();
    for kept in [
        "  // The servers.\n",
        "}, // comes first\n\n",
        "/* then */ \"a\"",
    ] {
        assert!(added.contains(kept), "{added}");
    }
    assert!(
        added.contains(&format!("{here}/data")) && added.contains(SECRET),
        "{added}"
    );
    let json = world
        .run(&["config", "explain", "new", "--json"])
        .exits(0)
        .json();
    assert_eq!(json["servers"][0]["state"], "loaded", "{json}");

    let ran = world.run(&["add", "new", "--", "x"]).exits(2);
    ran.complains("has \"new\"; remove that first, or choose another name");
    let ran = world
        .run(&["add", "c", "--env", "planted-77c0ffee77", "--", "x"])
        .exits(2);
    let ran = ran.complains("a value of --env is not KEY=VALUE");
    assert!(!ran.stderr.contains(SECRET), "{ran:?}");
    let ran = world.run(&["remove", "c"]).exits(2);
    ran.complains("has no server of that name; it has b, a, new");
    assert_eq!(fs::read_to_string(&path).unwrap(), added);

    let ran = world.run(&["remove", "b"]).exits(0);
    let ran = ran.prints("removed b from ").prints("command: x");
    assert!(!ran.stdout.contains(SECRET), "{ran:?}");
    assert_eq!(fs::read_to_string(&backup).unwrap(), added);
    let json = world.run(&["remove", "new", "--json"]).exits(0).json();
    assert_eq!(json["removed"]["name"], "new");
    let left = fs::read_to_string(&path).unwrap();
    assert!(
        left.contains("/* then */ \"a\"") && !left.contains("\"new\"") && !left.contains("\"b\""),
        "{left}"
    );
}

#[test]
fn the_first_server_makes_the_file_and_a_broken_file_stays() {
    let world = World::new(programs!());
    let ran = world
        .run(&["add", "time", "--", "uvx", "mcp-server-time"])
        .exits(0);
    ran.prints("; there was no file before\n  command: uvx\n");
    let text = fs::read_to_string(world.user_file()).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let entry = json!({ "command": "uvx", "args": ["mcp-server-time"] });
    assert_eq!(value, json!({ "mcpServers": { "time": entry } }));
    world.run(&["remove", "time"]).exits(0);

    let path = world.write("broken.json", "{ oops");
    let name = path.display().to_string();
    for words in [
        &["-c", &name, "add", "a", "--", "x"][..],
        &["-c", &name, "remove", "a"],
    ] {
        world.run(words).exits(2).complains(":1:3: ");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{ oops");
    }
    let left = fs::read_dir(world.folder()).unwrap();
    let left = left.filter(|it| {
        it.as_ref()
            .unwrap()
            .path()
            .extension()
            .is_some_and(|it| it == "bak")
    });
    assert_eq!(left.count(), 0);
}
