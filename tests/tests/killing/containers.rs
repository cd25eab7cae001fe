//! A server in a container, which belongs to an engine and not to the program that started it.

use std::process::{Command, Output};
use std::time::Duration;

use serde_json::json;
use tests::process_table::MARK;
use tests::programs;
use tests::until::{LIMIT, until};
use tests::world::World;

use super::kinds::Kind;
use super::moments::strike;
use super::remains::Remains;
use super::session::Session;

/// What is left then is left.
const LONGEST: Duration = Duration::from_secs(15);

/// Without what a machine in a machine may not have.
const CONF: &str = r#"
[engine]
runtime = "runc"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
"#;

/// An image of nothing but busybox; its name comes as `$1`.
const IMAGE: &str = r#"
mkdir -p image/bin && cp "$(command -v busybox)" image/bin/busybox &&
for name in sh sed sleep; do ln -s busybox image/bin/$name; done &&
tar -C image -c . | podman import - "$1"
"#;

/// The image and all its containers, without asking them first.
const REMOVE: &str = r#"
podman rm --force --time 0 $(podman ps -a -q --filter "ancestor=$1"); podman rmi --force "$1"
"#;

/// A server of the legacy era with one tool. It is the first process of its container, so that the
/// kernel keeps SIGTERM from it.
const SERVER: &str = r#"
while read -r line; do
  case $line in
    *'"method":"initialize"'*) is='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"boxed","version":"1"}}' ;;
    *'"tools/list"'*) is='"result":{"tools":[{"name":"hello","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) is='"result":{"content":[{"type":"text","text":"hi"}]}' ;;
    *'"id":'*) is='"error":{"code":-32601,"message":"unknown"}' ;;
    *) continue ;;
  esac
  id=$(echo "$line" | sed 's/.*"id":\([^,}]*\).*/\1/')
  echo '{"jsonrpc":"2.0","id":'"$id,$is}"
done
sleep 600
"#;

/// The engine as servers of a world see it, but without its mark: what it runs is not ours.
struct Engine<'w> {
    world: &'w World,
    image: String,
}

impl<'w> Engine<'w> {
    /// Makes the image.
    fn with_image(world: &'w World) -> Engine<'w> {
        world.write("containers.conf", CONF);
        let image = format!("localhost/posthouse-killing-{}", std::process::id());
        let engine = Engine { world, image };
        let mut import = engine.outside(IMAGE);
        succeeds(&import.arg(&engine.image).output().unwrap());
        engine
    }

    fn outside(&self, line: &str) -> Command {
        let mut shell = self.world.shell(line);
        shell.env("CONTAINERS_CONF", self.conf()).env_remove(MARK);
        shell
    }

    fn conf(&self) -> String {
        self.world
            .folder()
            .join("containers.conf")
            .display()
            .to_string()
    }

    /// Runs `podman` and gives what it prints.
    fn podman(&self, args: &[&str]) -> String {
        let mut command = self.outside(r#"exec podman "$@""#);
        let output = command.args(args).output().unwrap();
        succeeds(&output);
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// The containers of the image, in whatever state.
    fn containers(&self) -> Vec<String> {
        let filter = format!("ancestor={}", self.image);
        let ids = self.podman(&["ps", "-a", "-q", "--no-trunc", "--filter", &filter]);
        ids.lines().map(str::to_owned).collect()
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        // With the containers, also those that a failed test left.
        let mut remove = self.outside(REMOVE);
        remove.arg(&self.image).output().unwrap();
    }
}

fn succeeds(output: &Output) {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_container_is_gone_and_foreign_ones_are_not() {
    let world = World::new(programs!());
    let mut check = world.shell("podman --version && runc --version && busybox true");
    assert!(
        check.output().unwrap().status.success(),
        "needs podman, runc and busybox: run `cargo xtask gates killing`, which installs them and runs this test"
    );
    let engine = Engine::with_image(&world);
    let run = ["run", "-i", "--rm", "--network", "none", &engine.image];
    let args: Vec<&str> = run.into_iter().chain(["sh", "-c", SERVER]).collect();
    let env = json!({ "CONTAINERS_CONF": engine.conf() });
    let boxed = json!({ "command": "podman", "args": args, "env": env });
    world.configure("30s", &json!({ "boxed": boxed }));
    let foreign = engine.podman(&[
        "run",
        "-d",
        "--network",
        "none",
        &engine.image,
        "sleep",
        "600",
    ]);
    for kind in [Kind::Front, Kind::Owner, Kind::Both] {
        let mut session = Session::start(&world);
        let mut remains = Remains::of(session.front().as_raw());
        let id = session.request_handshake();
        session.answer(id);
        let id = session.request_call("boxed/hello", &json!({}));
        let answer = session.answer(id);
        assert_eq!(answer["result"]["content"][0]["text"], "hi", "{answer}");
        assert_eq!(engine.containers().len(), 2);
        remains.look();
        let owner = until("the owner", LIMIT, || session.owner());
        let begin = strike(kind, &session, Some(&owner));
        let gone = remains.gone(begin);
        let took = gone.unwrap_or_else(|left| panic!("{kind}: left behind:\n{left}"));
        until("no container but the foreign one", LONGEST, || {
            (engine.containers() == [foreign.as_str()]).then_some(())
        });
        println!(
            "{kind}: processes gone after {took:?}, the container by {:?}",
            begin.elapsed()
        );
        let running = engine.podman(&["inspect", "-f", "{{.State.Running}}", &foreign]);
        assert_eq!(running, "true", "{kind}");
    }
}
