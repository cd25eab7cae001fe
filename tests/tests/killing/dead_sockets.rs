//! A socket file that a killed owner has left.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use tests::programs;
use tests::until::{LIMIT, until};
use tests::world::World;

/// A front takes the name of its own process id: it may find the file of one that had the same.
#[test]
fn a_dead_socket_of_the_same_name_does_not_block_a_start() {
    let world = World::new(programs!());
    world.configure("30s", &serde_json::json!({ "plain": world.fake("plain") }));
    let line = r#"mkdir -m 700 run/posthouse; : >run/posthouse/$$.sock; exec "$0" serve"#;
    let mut front = world
        .shell(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut to = front.stdin.take().unwrap();
    let from = tests::kept::Kept::of(front.stdout.take().unwrap());
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    writeln!(to, "{ping}").unwrap();
    until("an answer", LIMIT, || {
        from.so_far().contains(r#""id":1"#).then_some(())
    });
    drop(to);
    assert!(front.wait().unwrap().success());
    world.wait_until_nothing_is_left();
    assert_eq!(
        fs::read_dir(world.folder().join("run/posthouse"))
            .unwrap()
            .count(),
        0
    );
}
