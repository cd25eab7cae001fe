//! The commands that start servers: stopped by a signal, and at their own end.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;
use tests::programs;
use tests::until::{LIMIT, until};
use tests::world::World;

const SIGNALS: [Signal; 2] = [Signal::SIGINT, Signal::SIGTERM];
/// The time after which nothing may be left.
const ALL_GONE: Duration = Duration::from_secs(5);

/// A server that never answers and ignores all but SIGKILL, and one that answers and does the same.
fn world() -> World {
    let world = World::new(programs!());
    let servers = json!({
        "silent": world.fake_behind("tail -f /dev/null", "stubborn"),
        "good": world.fake_behind("tee log", "stubborn"),
    });
    world.configure("30s", &servers);
    world
}

fn at_once<T: Send>(all: impl IntoIterator<Item = T>, run: impl Fn(T) + Sync) {
    thread::scope(|scope| {
        for one in all {
            let run = &run;
            scope.spawn(move || run(one));
        }
    });
}

#[test]
fn a_signal_ends_what_waits_for_servers() {
    let commands = [
        &["status"][..],
        &["list", "--json"],
        &["search", "x"],
        &["describe", "echo"],
    ];
    let all = commands
        .iter()
        .flat_map(|args| SIGNALS.map(|signal| (*args, signal)));
    at_once(all, |(args, signal)| {
        let world = world();
        let running = world.start(args);
        until("both servers and their children", LIMIT, || {
            (world.named("sleep").len() == 2).then_some(())
        });
        let begin = Instant::now();
        running.signal(signal);
        let ran = running.end().exits(130);
        let took = begin.elapsed();
        println!("{args:?}, {signal}: nothing left after {took:?}");
        assert!(took < ALL_GONE, "{args:?}, {signal}: {took:?}");
        assert_eq!(ran.stdout, "");
    });
}

#[test]
fn a_signal_cancels_the_call_and_ends_what_was_started() {
    at_once(SIGNALS, |signal| {
        let world = world();
        let running = world.start(&["call", "good/sleep", "ms=600000"]);
        let log = || fs::read_to_string(world.folder().join("log")).unwrap_or_default();
        until("the call at the server", LIMIT, || {
            log().contains(r#""tools/call""#).then_some(())
        });
        let begin = Instant::now();
        running.signal(signal);
        let ran = running.end().exits(130);
        let took = begin.elapsed();
        println!("call, {signal}: nothing left after {took:?}");
        assert!(took < ALL_GONE, "{signal}: {took:?}");
        assert_eq!(ran.stdout, "");
        assert!(log().contains(r#""notifications/cancelled""#), "{}", log());
    });
}

#[test]
fn a_second_signal_ends_a_call_at_once() {
    at_once(SIGNALS, |signal| {
        let world = world();
        let mut running = world.start(&["call", "good/sleep", "ms=600000"]);
        let log = || fs::read_to_string(world.folder().join("log")).unwrap_or_default();
        until("the call at the server", LIMIT, || {
            log().contains(r#""tools/call""#).then_some(())
        });
        let begin = Instant::now();
        // Two signals in one moment may count as one: people press again, too.
        until("the command has ended", ALL_GONE, || {
            running.signal(signal);
            (!running.runs()).then_some(())
        });
        running.end().exits(130);
        let took = begin.elapsed();
        println!("call, {signal} again and again: nothing left after {took:?}");
        assert!(took < Duration::from_secs(2), "{signal}: {took:?}");
    });
}

#[test]
fn a_signal_in_the_middle_of_a_try_leaves_neither_process_nor_folder() {
    at_once(SIGNALS, |signal| {
        // A try is over soon: the signal may come too late, but not always.
        until("a try that was interrupted", LIMIT, || {
            let world = World::new(programs!());
            let running = world.start(&["try"]);
            until("the folder", LIMIT, || {
                let mut files = fs::read_dir(world.folder().join("tmp")).unwrap();
                files.next().map(|file| file.unwrap().path())
            });
            running.signal(signal);
            // That the folder is gone is part of it.
            let ran = running.end();
            match ran.code {
                Some(130) => {
                    assert_eq!(ran.stdout, "");
                    Some(())
                }
                _ => {
                    ran.exits(0);
                    None
                }
            }
        });
    });
}

#[test]
fn every_command_ends_stubborn_servers_before_it_ends_itself() {
    let commands = [
        (&["status", "good"][..], "good: ready, 8 tools, local"),
        (&["list", "good"], "good/echo { text: string; }"),
        (&["search", "--server", "good", "add numbers"], "good/add"),
        (&["describe", "good/echo"], "Gives the text back."),
        (&["call", "good/echo", "text=hi"], "hi\n"),
    ];
    at_once(commands, |(args, text)| {
        let world = world();
        let ran = world.run(args).exits(0).prints(text);
        println!("{args:?}: nothing left after {:?}", ran.took);
        assert!(
            ran.took < ALL_GONE + Duration::from_secs(1),
            "{args:?}: {:?}",
            ran.took
        );
    });
}

#[test]
fn a_try_is_over_soon_and_leaves_nothing() {
    let world = World::new(programs!());
    let ran = world
        .run(&["try"])
        .exits(0)
        .prints("\n3 servers stopped, 0 processes left.\n");
    println!("try: {:?}", ran.took);
}
