//! `try`, `list`, `search` and `describe`: what they print for people and for programs.

use serde_json::{Value, json};
use tests::programs;
use tests::run::Running;
use tests::world::World;

fn world() -> World {
    let world = World::new(programs!());
    let mut library = world.fake("resources-only");
    library["about"] = json!("notes to read");
    let servers = json!({ "fake": world.fake("tools-list"), "library": library });
    world.configure("10s", &servers);
    world
}

const TOOLS: [&str; 9] = [
    "fake/echo { text: string; } - Gives the text back.",
    "fake/add { a: number; b: number; } - Adds two numbers.",
    "fake/pid {} - Gives the server's process id.",
    "fake/sleep { ms: number; } - Waits that many milliseconds.",
    "fake/fail {} - Fails.",
    "fake/count {} - Counts what the server has received.",
    "fake/env { name: string; } - Gives an environment variable of the server.",
    "fake/stderr { text: string; } - Prints a line to the server's stderr.",
    "fake/described { n?: number; } - Uses every field.",
];

#[test]
fn a_try_shows_the_main_job() {
    let world = World::new(programs!());
    // Neither a configuration nor a home is needed.
    let ran = world.run(&["try"]).exits(0);
    assert_eq!(ran.stderr, "");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "clock: ready, 2 tools, local",
            "folder: ready, 3 tools, local",
            "notes: ready, 4 tools, 2 resources, 1 prompt, local",
            "",
            "search \"what time is it in Tokyo\"  ->  clock/now { zone?: string; }",
            "",
        ]
    );
    let line = |start: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(start));
        found.unwrap_or_else(|| panic!("{start:?} is not in {}", ran.stdout))
    };
    assert_eq!(line("describe clock/now  ->"), "");
    assert!(line("  arguments: ").contains("IANA time zone name"));
    assert_eq!(line("  example: "), "posthouse call clock/now");
    // A real time, in Tokyo.
    let time = line("call clock/now zone=Asia/Tokyo  ->  ");
    assert!(time.starts_with("20") && time.ends_with("+09:00"), "{time}");
    assert_eq!(line("3 servers stopped, "), "0 processes left.");
    // How to connect a host, ready to be copied.
    let entries = lines
        .iter()
        .filter(|line| line.starts_with("  {\"mcpServers\""));
    let entries: Vec<Value> = entries
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let args = |entry: &Value| entry["mcpServers"]["tools"]["args"].clone();
    assert_eq!(args(&entries[0]), json!(["serve", "--demo"]));
    assert_eq!(args(&entries[1]), json!(["serve"]));
    assert!(
        ran.stdout
            .contains(&world.user_file().display().to_string())
    );

    let json = world.run(&["try", "--json"]).exits(0).json();
    assert_eq!(json["servers"].as_array().unwrap().len(), 3);
    assert_eq!(json["search"]["found"], "clock/now");
    assert!(json["call"]["result"].as_str().unwrap().ends_with("+09:00"));
    assert_eq!((&json["stopped"], &json["left"]), (&json!(3), &json!(0)));
}

#[test]
fn list_shows_everything_that_each_server_has() {
    let world = world();
    let ran = world.run(&["list"]).exits(0);
    assert_eq!(ran.stderr, "");
    let mut lines = ran.stdout.lines();
    assert_eq!(lines.next(), Some("fake: ready, 9 tools, local"));
    for tool in TOOLS {
        assert_eq!(lines.next(), Some(format!("  {tool}").as_str()));
    }
    let library = lines.next().unwrap();
    assert!(
        library.starts_with("library: ready, ") && library.ends_with(", local"),
        "{library}"
    );
    let rest: Vec<&str> = lines.collect();
    for kind in ["  resource fake:///", "  resources fake:///", "  prompt "] {
        assert!(
            rest.iter().any(|line| line.starts_with(kind)),
            "{kind:?}: {rest:#?}"
        );
    }
    world
        .run(&["list", "library"])
        .exits(0)
        .prints("library: ready");
    let ran = world.run(&["list", "libary"]).exits(2);
    ran.complains("there is no server \"libary\" in the configuration; there are: fake, library");
}

#[test]
fn list_as_json_has_the_servers_own_bytes() {
    let world = world();
    let ran = world.run(&["list", "--json"]).exits(0);
    let json = ran.json();
    let server = &json["servers"][0];
    assert_eq!(
        (&server["name"], &server["state"]),
        (&json!("fake"), &json!("ready"))
    );
    assert_eq!(server["tools"].as_array().unwrap().len(), 9);
    let own = r#""annotations":{"title":"Described, annotated","readOnlyHint":true,"destructiveHint":false,"#;
    assert!(ran.stdout.contains(own), "{}", ran.stdout);
    assert!(ran.stdout.contains(r#""unknownField":{"kept":true}"#));
    let library = &json["servers"][1];
    for kind in ["resources", "resourceTemplates", "prompts"] {
        assert!(!library[kind].as_array().unwrap().is_empty(), "{library}");
    }
}

#[test]
fn search_finds_by_plain_words() {
    let world = world();
    let ran = world
        .run(&["search", "sum", "of", "two", "numbers"])
        .exits(0);
    assert_eq!(ran.stdout.lines().next(), Some(TOOLS[1]));
    assert_eq!(ran.stderr, "");
    let ran = world.run(&["search", "--regex", "^(echo|add)$"]).exits(0);
    assert_eq!(ran.stdout, format!("{}\n{}\n", TOOLS[1], TOOLS[0]));
    let ran = world
        .run(&["search", "--server", "fake", "--limit", "2"])
        .exits(0);
    assert_eq!(ran.stdout.lines().count(), 3);
    ran.prints("2 of 9; --offset 2 for more");
    world
        .run(&["search", "xyzzy"])
        .exits(0)
        .prints("No tool fits. Try other words.\n");
    world
        .run(&["search", "--regex", "("])
        .exits(2)
        .complains("posthouse: failed to ");

    let json = world
        .run(&["search", "--json", "two numbers"])
        .exits(0)
        .json();
    assert_eq!(json["items"][0]["reference"], "fake/add");
    assert_eq!(json["items"][0]["arguments"], "{ a: number; b: number; }");
    assert_eq!(json["items"][0]["description"], "Adds two numbers.");
}

#[test]
fn describe_shows_the_schema_and_a_call_to_copy() {
    let world = world();
    let text = "fake/add\nAdds two numbers.\n";
    for name in [
        &["fake/add"][..],
        &["fake", "add"],
        &["fake__add"],
        &["add"],
    ] {
        let args = [&["describe"], name].concat();
        let ran = world.run(&args).exits(0);
        assert!(ran.stdout.starts_with(text), "{}", ran.stdout);
        let ran = ran
            .prints("arguments: {\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}");
        let example = ran
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix("example: posthouse "));
        // What is shown to be copied works in a shell.
        let mut shell = world.shell(&format!("exec \"$0\" {}", example.unwrap()));
        let ran = Running::start(&world, &mut shell).end().exits(0);
        assert_eq!(ran.stdout, "2\n");
    }
    let ran = world
        .run(&["describe", "fake/described", "--json"])
        .exits(0);
    let json = ran.json();
    assert_eq!(json["server"], "fake");
    assert_eq!(json["tool"]["unknownField"], json!({ "kept": true }));
    world
        .run(&["describe", "fake/descibed"])
        .exits(2)
        .complains("fake/described");
}
