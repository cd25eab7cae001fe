//! `serve` with ten servers that ignore the end of their input and SIGTERM, each with a child that
//! ignores it too.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::{Map, Value, json};
use tests::host::Host;
use tests::programs;
use tests::until::{LIMIT, until};
use tests::world::World;

const SERVERS: usize = 10;
/// The time after which nothing may be left.
const ALL_GONE: Duration = Duration::from_secs(5);

/// How often one end may be tried.
const TRIES: usize = 3;

/// The ways in which a session ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Signal(Signal),
    /// The host closes our stdin.
    Disconnect,
    /// The host has died: stdin, stdout and stderr are closed.
    HostGone,
}

const ENDS: [End; 4] = [
    End::Signal(Signal::SIGTERM),
    End::Signal(Signal::SIGINT),
    End::Disconnect,
    End::HostGone,
];

impl End {
    fn bring_about(self, host: &mut Host<'_>) {
        match self {
            End::Signal(signal) => host.signal(signal),
            End::Disconnect => host.close_stdin(),
            End::HostGone => host.vanish(),
        }
    }

    fn code(self) -> i32 {
        match self {
            End::Signal(_) => 130,
            End::Disconnect | End::HostGone => 0,
        }
    }
}

/// A world with ten of these servers, told apart by their numbers.
fn world_of(entry: impl Fn(&World, usize) -> Value) -> World {
    let world = World::new(programs!());
    let entries = (0..SERVERS).map(|number| (format!("s{number}"), entry(&world, number)));
    let entries: Map<String, Value> = entries.collect();
    world.configure("30s", &Value::Object(entries));
    world
}

/// Waits until every server and its child are there; the child ignores SIGTERM once it is a `sleep`.
fn all_there(world: &World) {
    until("ten servers and their children", LIMIT, || {
        let there = |name: &str| world.named(name).len() >= SERVERS;
        (there("fake-mcp-server") && there("sleep")).then_some(())
    });
}

/// Brings about the end, proves that nothing is left, and gives the time that it took.
fn ends(when: &str, end: End, mut host: Host<'_>) -> Duration {
    let begin = Instant::now();
    end.bring_about(&mut host);
    let code = host.end().code;
    let took = begin.elapsed();
    println!("{when}, {end:?}: nothing left after {took:?}");
    assert_eq!(code, Some(end.code()), "{when}, {end:?}");
    took
}

/// Runs each in its own world, two at a time: a machine with many more processes is slow by itself. It
/// may be busy with something else, too: what took too long may try again.
fn each(ends: &[End], limit: Duration, run: impl Fn(End) -> Duration + Sync) {
    let in_time = |end: End| {
        let mut tries = (0..TRIES).map(|_| run(end));
        assert!(
            tries.any(|took| took < limit),
            "{end:?}: never within {limit:?}"
        );
    };
    for pair in ends.chunks(2) {
        thread::scope(|scope| {
            for end in pair {
                scope.spawn(|| in_time(*end));
            }
        });
    }
}

#[test]
fn ten_stubborn_servers_are_gone_in_time() {
    each(&ENDS, ALL_GONE, |end| {
        let world = world_of(|world, _| world.fake("stubborn"));
        let mut host = Host::start(&world, &["--all"]);
        host.handshake();
        assert_eq!(host.tools().len(), 8 * SERVERS);
        all_there(&world);
        ends("ready", end, host)
    });
}

#[test]
fn ten_stubborn_servers_are_gone_in_time_with_calls_in_flight() {
    each(&ENDS, ALL_GONE, |end| {
        // The one that is called last tells what it was sent.
        let world = world_of(|world, number| match number + 1 {
            SERVERS => world.fake_behind("tee log", "stubborn"),
            _ => world.fake("stubborn"),
        });
        let mut host = Host::start(&world, &[]);
        host.handshake();
        for number in 0..SERVERS {
            // Once it has answered, a call is sent to it at once.
            let tool = format!("s{number}/pid");
            let known = host.mcp(&json!({ "action": "call", "tool": tool }));
            assert!(known.is_ok(), "{known:?}");
        }
        for number in 0..SERVERS {
            let tool = format!("s{number}/sleep");
            let args = json!({ "ms": 600_000 });
            host.request_call(
                "mcp",
                &json!({ "action": "call", "tool": tool, "args": args }),
            );
        }
        until("the last call at its server", LIMIT, || {
            let log = fs::read_to_string(world.folder().join("log")).ok()?;
            log.contains(r#""ms":600000"#).then_some(())
        });
        all_there(&world);
        ends("calls in flight", end, host)
    });
}

#[test]
fn ten_stubborn_servers_are_gone_in_time_when_the_end_comes_during_the_start() {
    each(&ENDS, ALL_GONE, |end| {
        let world = world_of(|world, _| world.fake("stubborn"));
        let host = Host::start(&world, &[]);
        // Some are there and some are not, and nobody has shaken hands with us.
        until("the first server", LIMIT, || {
            (!world.named("fake-mcp-server").is_empty()).then_some(())
        });
        ends("during the start", end, host)
    });
}

#[test]
fn ten_stubborn_servers_that_never_answered_are_gone_in_time() {
    each(&ENDS, ALL_GONE, |end| {
        // The server waits for the words of a program that says nothing.
        let world = world_of(|world, _| world.fake_behind("tail -f /dev/null", "stubborn"));
        let mut host = Host::start(&world, &[]);
        host.handshake();
        all_there(&world);
        let status = host.mcp(&json!({ "action": "status" })).unwrap();
        let starting = status
            .lines()
            .filter(|line| line.contains(": starting for "));
        assert_eq!(starting.count(), SERVERS, "{status}");
        ends("no handshake", end, host)
    });
}

#[test]
fn the_front_ends_at_once_whatever_its_servers_do() {
    let signals = [End::Signal(Signal::SIGTERM), End::Signal(Signal::SIGINT)];
    each(&signals, ALL_GONE, |end| {
        let world = world_of(|world, _| world.fake("stubborn"));
        let mut host = Host::start(&world, &["--all"]);
        host.handshake();
        host.tools();
        all_there(&world);
        let begin = Instant::now();
        end.bring_about(&mut host);
        until("the front has ended", LIMIT, || {
            (!host.runs()).then_some(())
        });
        let front = begin.elapsed();
        assert!(
            front < Duration::from_millis(500),
            "{end:?}: the front took {front:?}"
        );
        assert_eq!(host.end().code, Some(130));
        println!(
            "{end:?}: the front ended after {front:?}, all after {:?}",
            begin.elapsed()
        );
        begin.elapsed()
    });
}

#[test]
fn a_reload_that_waits_for_a_stubborn_server_holds_nobody_up() {
    let world = World::new(programs!());
    let good = world.fake("plain");
    let old = world.fake_behind("tee log", "stubborn");
    world.configure("30s", &json!({ "old": old, "good": good }));
    let mut host = Host::start(&world, &[]);
    host.handshake();
    let call = |tool: &str| json!({ "action": "call", "tool": tool });
    host.mcp(&call("old/pid")).unwrap();
    host.mcp(&call("good/pid")).unwrap();
    let count = |name: &str| world.named(name).len();
    until("the stubborn child and a tee", LIMIT, || {
        (count("sleep") == 1 && count("tee") == 1).then_some(())
    });
    world.configure("30s", &json!({ "good": good }));
    host.signal(Signal::SIGHUP);
    // The `tee` leaves at the end of its input, the server behind it does not.
    until("the reload has begun", LIMIT, || {
        (count("tee") == 0).then_some(())
    });
    assert!(host.mcp(&call("good/pid")).is_ok());
    assert_eq!(count("sleep"), 1, "the reload is over already");
    let took = ends("during a reload", End::Signal(Signal::SIGTERM), host);
    assert!(took < ALL_GONE, "{took:?}");
}

#[test]
fn a_signal_before_anybody_spoke_ends_it() {
    each(&ENDS, Duration::from_secs(1), |end| {
        let world = world_of(|world, _| world.fake("plain"));
        let host = Host::start(&world, &[]);
        until("a server", LIMIT, || {
            (!world.named("fake-mcp-server").is_empty()).then_some(())
        });
        ends("well-behaved servers", end, host)
    });
}

#[test]
fn a_server_that_has_run_for_long_is_given_its_time() {
    let programs = programs!();
    let world = World::new(programs);
    let ended = world.folder().join("ended");
    // Written only if the server ends by itself: a signal to its group would end the shell too.
    let line = format!(
        "'{}' slow-drain --delay-ms 500; echo $? > '{}'",
        programs.fake,
        ended.display()
    );
    world.configure(
        "30s",
        &json!({ "slow": { "command": "sh", "args": ["-c", line] } }),
    );
    let mut host = Host::start(&world, &["--server", "slow"]);
    host.handshake();
    // Longer than a server is given after the end of its input.
    assert!(host.call("sleep", &json!({ "ms": 2100 })).is_ok());
    host.close_stdin();
    host.end();
    assert_eq!(fs::read_to_string(ended).unwrap(), "0\n");
}
