//! Options of every command: which file, how much is said and where, help.

use std::fs::File;
use std::process::Stdio;

use serde_json::{Value, json};
use tests::programs;
use tests::run::Running;
use tests::world::World;

const COMMANDS: [&str; 7] = [
    "try", "status", "list", "search", "describe", "call", "serve",
];

/// A file with one server of this name.
fn file(world: &World, name: &str) -> String {
    let servers = json!({ "mcpServers": { name: world.fake("plain") } });
    let path = world.write(&format!("{name}.json"), &servers.to_string());
    path.display().to_string()
}

fn names(json: &Value) -> Vec<&str> {
    let servers = json["servers"].as_array().unwrap();
    servers
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect()
}

#[test]
fn the_option_wins_over_the_environment_and_that_over_the_users_file() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "users": world.fake("plain") }));
    let (variable, option) = (file(&world, "variable"), file(&world, "option"));
    let run = |args: &[&str], variable: Option<&str>| {
        let mut command = world.command(args);
        command.envs(variable.map(|value| ("POSTHOUSE_CONFIG", value)));
        Running::start(&world, &mut command).end()
    };
    let json = run(&["list", "--json"], None).exits(0).json();
    assert_eq!(names(&json), ["users"]);
    let json = run(&["list", "--json"], Some(&variable)).exits(0).json();
    assert_eq!(names(&json), ["variable"]);
    for args in [
        ["--config", &option, "list", "--json"],
        ["list", "-c", &option, "--json"],
    ] {
        let json = run(&args, Some(&variable)).exits(0).json();
        assert_eq!(names(&json), ["option"]);
    }
    // A file that was named is not passed over.
    let ran = run(&["list"], Some("no-such.json")).exits(2);
    ran.complains("failed to read no-such.json: No such file");
}

#[test]
fn a_broken_file_is_status_2_with_its_place() {
    let world = World::new(programs!());
    for (text, place) in [
        ("{\n  \"mcpServers\": {\n    oops\n", ":3:5: "),
        (
            "{\"mcpServers\": {\"a\": {}, \"a\": {}}}",
            ":1:26: \"a\" stands twice",
        ),
        ("[]", ":1:1: "),
    ] {
        let path = world.write("broken.json", text).display().to_string();
        for command in [
            &["status"][..],
            &["list", "--json"],
            &["call", "a/b"],
            &["serve"],
        ] {
            let ran = world.run(&[&["-c", &path], command].concat()).exits(2);
            assert!(
                ran.stderr
                    .starts_with(&format!("posthouse: failed to read {path}{place}")),
                "{ran:?}"
            );
            assert_eq!(ran.stdout, "");
        }
    }
}

#[test]
fn what_is_held_and_warned_of_is_on_stderr_unless_it_is_to_be_quiet() {
    let world = World::new(programs!());
    let servers = json!({
        "good": world.fake("plain"),
        "bad": { "args": [] },
        "odd one": world.fake("plain"),
    });
    world.configure("10s", &servers);
    let path = world.user_file().display().to_string();
    for args in [
        &["list", "good"][..],
        &["call", "good/echo", "text=x"],
        &["describe", "good/echo", "--json"],
    ] {
        let ran = world.run(args).exits(0);
        let ran = ran.complains(&format!("bad: held ({path}:"));
        let ran = ran
            .complains(&format!("odd one: warning ({path}:"))
            .complains("it is called odd-one here");
        assert!(!ran.stdout.contains("held"), "{ran:?}");
        let quiet = world.run(&[args, &["-q"]].concat()).exits(0);
        assert_eq!((quiet.stdout, quiet.stderr.as_str()), (ran.stdout, ""));
    }
    // The status is the place for them.
    let ran = world
        .run(&["status"])
        .exits(0)
        .prints("\nbad: held (")
        .prints("\nodd one: warning (");
    assert_eq!(ran.stderr, "");
}

#[test]
fn more_or_less_is_said_on_stderr_and_stdout_stays() {
    let world = World::new(programs!());
    world.configure("10s", &json!({ "good": world.fake("plain") }));
    let runs =
        ["-q", "--color=auto", "-v", "-vv"].map(|option| world.run(&["list", option]).exits(0));
    let [quiet, normal, verbose, debug] = &runs;
    assert_eq!((quiet.stderr.as_str(), normal.stderr.as_str()), ("", ""));
    assert!(
        verbose.stderr.contains("INFO connected server=\"good\""),
        "{verbose:?}"
    );
    assert!(debug.stderr.contains("DEBUG") && debug.stderr.len() > verbose.stderr.len());
    for run in &runs {
        assert_eq!(run.stdout, normal.stdout);
        // No colours where nobody sees them.
        assert!(
            !run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'),
            "{run:?}"
        );
    }
    let coloured = world.run(&["list", "--color", "always"]).exits(0);
    coloured.prints("good: \u{1b}[32mready\u{1b}[0m, 8 tools");
}

#[test]
fn json_is_one_value_whatever_is_asked_for() {
    let world = World::new(programs!());
    world.configure(
        "10s",
        &json!({ "good": world.fake("plain"), "bad": {}, "gone": { "command": "no-such" } }),
    );
    for args in [
        &["status"][..],
        &["list"],
        &["search", "x"],
        &["describe", "good/echo"],
        &["call", "good/echo", "text=x"],
        &["try"],
    ] {
        let json = world.run(&[args, &["--json"]].concat()).exits(0).json();
        assert!(json.is_object(), "{args:?}: {json}");
    }
}

#[test]
fn help_of_each_command_teaches() {
    let world = World::new(programs!());
    let all = world.run(&["--help"]).exits(0);
    for command in COMMANDS {
        assert!(
            all.stdout.contains(&format!("\n  {command} ")),
            "{}",
            all.stdout
        );
        let own = world.run(&[command, "--help"]).exits(0);
        let teaches = [
            "Examples:\n  posthouse ",
            "The three servers",
            "In a host's configuration:",
        ];
        let teaches = teaches.iter().any(|text| own.stdout.contains(text));
        assert!(teaches && own.stdout.contains("Usage: "), "{}", own.stdout);
        assert_eq!(own.stderr, "");
    }
    let all = all
        .prints("Exit status: 0 done, 1 the tool reported an error")
        .prints("POSTHOUSE_CONFIG");
    assert!(!all.stdout.contains("embedded"), "{}", all.stdout);
    world.run(&["--version"]).exits(0).prints("posthouse 0.");
    world.run(&["lits"]).exits(2).complains("'list'");
    world.run(&[]).exits(2).complains("Usage: ");
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    let world = World::new(programs!());
    let many = world.fake("big-list --tool-count 3000");
    world.configure("10s", &json!({ "many": many }));
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["status"],
        &["try"],
        &["--help"],
    ] {
        // Both when the reader has gone before, and when the device is full.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let full = File::options().write(true).open("/dev/full").unwrap();
        for stdout in [Stdio::from(writer), Stdio::from(full)] {
            let ran = Running::to(&world, &mut world.command(args), stdout).end();
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}");
        }
    }
}
