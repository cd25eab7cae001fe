//! Killing a holder at every moment, with servers of every kind.

use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use nix::sys::signal::Signal;
use tokio::process::Command;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::held::{Held, exists};

/// Servers; each says `ready` when all of it is there.
const SERVERS: &[(&str, &str)] = &[
    ("obedient", "echo ready; exec cat"),
    (
        "stubborn with a child",
        "trap '' TERM HUP INT; sh -c 'while :; do sleep 0.1; done' & echo ready; \
         while :; do sleep 0.1; done",
    ),
    (
        "daemon in a session of its own",
        "setsid sh -c 'trap \"\" TERM HUP INT; echo ready; while :; do sleep 0.1; done' & exec cat",
    ),
    (
        "orphaned daemon",
        "(setsid sh -c 'trap \"\" TERM HUP INT; echo ready; while :; do sleep 0.1; done' &); \
         exec cat",
    ),
    (
        "forks without end",
        "trap '' TERM HUP INT; echo ready; while :; do (sleep 0.02; setsid sleep 0.3) & \
         sleep 0.05; done",
    ),
    (
        "leader that cleared its environment",
        "exec env -i HOLD_MARK=\"$HOLD_MARK\" sh -c \
         'trap \"\" TERM HUP INT; echo ready; while :; do sleep 0.1; done'",
    ),
];

/// When the holder is killed.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// So long after it was started.
    Start(Duration),
    /// So long after it knows the server's id: between start and first word.
    Started(Duration),
    /// While the server runs.
    Ready,
    /// So long after it was told to stop by the end of its input.
    Close(Duration),
    /// So long after this signal, while it runs.
    Signal(Signal, Duration),
}

fn moments(seed: usize) -> Vec<Moment> {
    // Spread over the moments that matter, and different for each server.
    let spread = |most: u64, index: u64| {
        let step = (seed as u64 * 7 + index * 13) % 23;
        Duration::from_micros(most * 1000 * step / 23)
    };
    let mut moments: Vec<_> = (0..5)
        .map(|index| Moment::Start(spread(30, index)))
        .collect();
    moments.extend((0..2).map(|index| Moment::Started(spread(6, index))));
    moments.push(Moment::Ready);
    moments.extend((0..2).map(|index| Moment::Close(spread(2500, index))));
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let delays = [0, 100, 500].map(Duration::from_millis);
        moments.extend(delays.map(|delay| Moment::Signal(signal, delay)));
    }
    moments
}

async fn kill_at(moment: Moment, name: &str, script: &str) -> Duration {
    let what = format!("{name}, killed at {moment:?}");
    let mut held = Held::start(script);
    match moment {
        Moment::Start(delay) => sleep(delay).await,
        Moment::Started(delay) => {
            held.says("started").await;
            sleep(delay).await;
        }
        Moment::Ready => drop(held.says("ready").await),
        Moment::Close(delay) => {
            held.says("ready").await;
            held.stdin = None;
            sleep(delay).await;
        }
        Moment::Signal(signal, delay) => {
            held.says("ready").await;
            held.send(signal);
            sleep(delay).await;
        }
    }
    held.kill_and_prove(&what).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_survives_the_kill_of_its_holder() {
    let mut bystanders: Vec<_> = (0..3)
        .map(|_| {
            let mut command = Command::new("setsid");
            command.args(["sh", "-c", "trap '' TERM; while :; do sleep 0.2; done"]);
            command.stdin(Stdio::null()).kill_on_drop(true);
            command.spawn().unwrap()
        })
        .collect();

    // Many at once, but not so many that the time measured is that of a busy machine.
    let room = Arc::new(Semaphore::new(16));
    let mut runs = JoinSet::new();
    for (seed, (name, script)) in SERVERS.iter().enumerate() {
        for moment in moments(seed) {
            // Unknown until its group has been told, see the reaper: there is no proof for that.
            if name.contains("cleared") && matches!(moment, Moment::Start(_)) {
                continue;
            }
            let room = room.clone();
            runs.spawn(async move {
                let _room = room.acquire_owned().await;
                (kill_at(moment, name, script).await, name, moment)
            });
        }
    }
    let mut took = runs.join_all().await;
    took.sort_by_key(|(took, ..)| *took);
    println!("{} kills, slowest: {:?}", took.len(), took.last());

    for bystander in &mut bystanders {
        assert!(
            bystander.try_wait().unwrap().is_none(),
            "a bystander was touched"
        );
        bystander.kill().await.unwrap();
    }
}

#[tokio::test]
async fn an_orderly_end_takes_the_reaper_with_it() {
    let mut held = Held::start("echo ready; exec cat");
    held.says("ready").await;
    let reapers = held.reapers();
    assert_eq!(reapers.len(), 1);
    held.stdin = None;
    held.says("stopped").await;
    let gone = reapers.iter().all(|id| !exists(*id));
    assert!(gone, "the reaper is still there when the shutdown is over");
    assert_eq!(held.marked(), [] as [String; 0]);
}

#[tokio::test]
async fn a_reaper_that_is_killed_is_started_again_with_what_it_guarded() {
    let mut held = Held::start(SERVERS[5].1);
    held.says("ready").await;
    // The server cleared its environment, so the nonce is known by the reaper only.
    let reaper = held
        .children()
        .into_iter()
        .find(|id| held.is_reaper(*id))
        .unwrap();
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(reaper.try_into().unwrap()),
        Signal::SIGKILL,
    )
    .unwrap();
    let begun = Instant::now();
    while !held
        .children()
        .into_iter()
        .any(|id| id != reaper && held.is_reaper(id))
    {
        assert!(begun.elapsed() < Duration::from_secs(10), "no new reaper");
        sleep(Duration::from_millis(5)).await;
    }
    held.kill_and_prove("after the loss of a reaper").await;
}
