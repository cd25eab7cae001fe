//! What the file keeps secret stays so, whatever goes wrong and however much is asked for.

use serde_json::{Value, json};
use tests::host::Host;
use tests::programs;
use tests::world::World;

/// Told to servers by their environment, and to nobody else.
const SECRET: &str = "planted-5f3c0ffee";

fn world() -> World {
    let world = World::new(programs!());
    let with_secret = |mut entry: Value| {
        entry["env"] = json!({ "API_TOKEN": SECRET });
        entry
    };
    let servers = json!({
        "good": with_secret(world.fake("plain")),
        "exits": with_secret(world.fake("exit-at-once")),
        "silent": with_secret(world.fake("no-initialize")),
        "junk": with_secret(world.fake("junk")),
        "missing": with_secret(json!({ "command": "no-such-program" })),
        "held": with_secret(json!({ "command": 7 })),
        "worse": { "command": "x", "env": [SECRET] },
        "odd": { "command": "no-such-program", "env": { "API_TOKEN": { "value": SECRET } } },
        "web": { "url": format!("https://example.com/?key={SECRET}"), "headers": { "Authorization": SECRET } },
    });
    world.configure("1s", &servers);
    world
}

#[test]
fn no_command_tells_a_secret() {
    let world = world();
    for args in [
        &["status"][..],
        &["status", "--json"],
        &["list", "--json"],
        &["search", "API_TOKEN"],
        &["describe", "good/echo"],
        &["call", "good/echo", "text=hi"],
        &["call", "exits/echo"],
        &["call", "missing/echo"],
        &["call", "held/echo"],
        &["call", "web/echo"],
    ] {
        let ran = world.run(&[args, &["-vv"]].concat());
        assert!(
            !ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET),
            "{ran:#?}"
        );
        assert!(
            ran.stderr.contains(" INFO ") || args[1] == "held/echo" || args[1] == "web/echo",
            "{ran:#?}"
        );
    }
    // The server itself was told.
    let ran = world.run(&["call", "good/env", "name=API_TOKEN"]).exits(0);
    assert_eq!(ran.stdout, format!("{SECRET}\n"));
}

#[test]
fn a_broken_file_tells_no_secret() {
    let world = World::new(programs!());
    for text in [
        format!("{{\"mcpServers\": {{\"a\": {{\"env\": {{\"K\": \"{SECRET}\" oops"),
        format!("{{\"mcpServers\": {{\"a\": {{\"env\": {{\"K\": \"{SECRET}\n"),
        format!("{{\"mcpServers\": {{\"a\": {{\"env\": {{\"K\": {SECRET}}}}}}}}}"),
        format!("{{\"mcpServers\": \"{SECRET}\"}}"),
    ] {
        let path = world.write("broken.json", &text).display().to_string();
        let ran = world.run(&["-vv", "-c", &path, "status"]).exits(2);
        assert!(
            !ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET),
            "{ran:#?}"
        );
    }
}

#[test]
fn no_host_is_told_a_secret() {
    let world = world();
    let mut host = Host::start(&world, &["-vv"]);
    let mut said = host.handshake().to_string();
    said.push_str(&host.ask("tools/list", &json!({})).to_string());
    for arguments in [
        json!({ "action": "status" }),
        json!({ "action": "connect", "server": "exits" }),
        json!({ "action": "connect", "server": "web" }),
        json!({ "action": "call", "tool": "missing/echo" }),
        json!({ "action": "describe", "tool": "good/env" }),
        json!({ "action": "reload" }),
    ] {
        said.push_str(&host.mcp(&arguments).unwrap_or_else(|why| why));
    }
    assert!(said.contains("held: held ("), "{said}");
    assert!(!said.contains(SECRET), "{said}");
    host.close_stdin();
    let log = host.end().stderr;
    assert!(log.contains("DEBUG") && !log.contains(SECRET), "{log}");
}
