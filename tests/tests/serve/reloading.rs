//! Reading the file again while a host is connected: by SIGHUP and by the action `reload`.

use nix::sys::signal::Signal;
use serde_json::{Value, json};
use tests::host::Host;
use tests::process_table::Process;
use tests::programs;
use tests::until::{LIMIT, until};
use tests::world::World;

const CHANGED: &str = "notifications/tools/list_changed";

fn before(world: &World) -> Value {
    json!({
        "stays": world.fake("plain"),
        "changes": world.fake("plain"),
        "goes": world.fake("plain"),
    })
}

fn after(world: &World) -> Value {
    json!({
        "stays": world.fake("plain"),
        "changes": world.fake("tools-list"),
        "comes": world.fake("plain"),
        "held": { "command": 7 },
    })
}

fn call(tool: &str) -> Value {
    json!({ "action": "call", "tool": tool })
}

fn pid(host: &mut Host<'_>, server: &str) -> i32 {
    host.mcp(&call(&format!("{server}/pid")))
        .unwrap()
        .parse()
        .unwrap()
}

/// Everything that a reload has to do, however it is asked for.
fn takes_the_changed_file(ask: impl Fn(&mut Host<'_>)) {
    let world = World::new(programs!());
    world.configure("10s", &before(&world));
    let mut host = Host::start(&world, &[]);
    host.handshake();
    host.tools();
    let old = ["stays", "changes", "goes"].map(|name| pid(&mut host, name));
    let gone = [old[1], old[2]].map(|pid| Process::of(pid).unwrap());

    world.configure("10s", &after(&world));
    ask(&mut host);
    host.notification(CHANGED);
    let list = host.ask("tools/list", &json!({}));
    let description = list["tools"][0]["description"].as_str().unwrap();
    assert!(
        description.starts_with("Tools of stays, changes, comes."),
        "{description}"
    );
    assert_eq!(pid(&mut host, "stays"), old[0]);
    assert_ne!(pid(&mut host, "changes"), old[1]);
    assert_ne!(pid(&mut host, "comes"), old[2]);
    assert!(host.mcp(&call("changes/described")).is_ok());
    let why = host.mcp(&call("goes/pid")).unwrap_err();
    assert!(why.contains("\"goes/pid\""), "{why}");
    for process in gone {
        until("the old servers have gone", LIMIT, || {
            process.now().is_none().then_some(())
        });
    }
    // What is held is in the status, with its line, the reason and the remedy.
    let status = host.mcp(&json!({ "action": "status" })).unwrap();
    let held = format!(
        "held: held ({}:25): \"command\" must be text, not a number; ",
        world.user_file().display()
    );
    let line = status.lines().find(|line| line.starts_with(&held));
    assert!(
        line.is_some_and(|line| line.len() > held.len()),
        "{held:?} is not in {status}"
    );
    host.leave();
}

#[test]
fn hang_up_takes_the_changed_file() {
    takes_the_changed_file(|host| host.signal(Signal::SIGHUP));
}

#[test]
fn the_action_takes_the_changed_file_and_says_so() {
    takes_the_changed_file(|host| {
        let done = host.mcp(&json!({ "action": "reload" })).unwrap();
        assert!(
            done.contains("mcp.json again: 3 servers\nheld: held ("),
            "{done}"
        );
    });
}

#[test]
fn the_facade_of_a_changed_file_has_other_tools() {
    let world = World::new(programs!());
    world.configure("10s", &before(&world));
    let mut host = Host::start(&world, &["--all"]);
    host.handshake();
    let has = |tools: &[String], name: &str| tools.iter().any(|tool| tool == name);
    let tools = host.tools();
    assert!(
        has(&tools, "goes__echo") && !has(&tools, "comes__echo"),
        "{tools:?}"
    );
    world.configure("10s", &after(&world));
    host.signal(Signal::SIGHUP);
    let tools = until("the new server's tools", LIMIT, || {
        host.notification(CHANGED);
        Some(host.tools()).filter(|tools| has(tools, "comes__echo"))
    });
    assert!(!has(&tools, "goes__echo"), "{tools:?}");
    assert_eq!(
        host.call("comes__echo", &json!({ "text": "new" }))
            .as_deref(),
        Ok("new")
    );
    host.leave();
}

#[test]
fn a_broken_file_changes_nothing_and_says_where_it_is_broken() {
    let world = World::new(programs!());
    world.configure("10s", &before(&world));
    let mut host = Host::start(&world, &[]);
    host.handshake();
    let names = ["stays", "changes", "goes"];
    let old = names.map(|name| pid(&mut host, name));

    let file = world.write(
        "home/.config/posthouse/mcp.json",
        "{\n  \"mcpServers\": {\n    oops\n",
    );
    let why = host.mcp(&json!({ "action": "reload" })).unwrap_err();
    let place = format!("failed to read {}:3:5: ", file.display());
    assert!(why.starts_with(&place), "{why}");
    assert!(why.ends_with("; everything stays as it was"), "{why}");
    host.signal(Signal::SIGHUP);
    // Nothing tells a host that it was of no use; the log does.
    let logged = format!("ERROR reload: {place}");
    until("the log of it", LIMIT, || {
        host.stderr_so_far().contains(&logged).then_some(())
    });
    assert_eq!(names.map(|name| pid(&mut host, name)), old);

    std::fs::remove_file(&file).unwrap();
    let why = host.mcp(&json!({ "action": "reload" })).unwrap_err();
    assert!(
        why.contains("No such file") && why.ends_with("everything stays as it was"),
        "{why}"
    );
    assert_eq!(names.map(|name| pid(&mut host, name)), old);
    host.close_stdin();
    let ended = host.end();
    assert_eq!(ended.code, Some(0));
    assert!(
        !ended
            .rest
            .iter()
            .any(|message| message["method"] == CHANGED)
    );
}
