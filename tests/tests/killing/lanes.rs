//! Many kills, some at once: each lane is a world in which one session after the other is killed, so
//! that what one left would be in the way of the next.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use tests::programs;
use tests::world::World;

use super::bystanders::Bystanders;
use super::kinds::jobs;
use super::moments;
use super::random::Random;
use super::table::{Outcome, failures, table};

/// More would measure how busy the machine is.
const LANES: usize = 6;
/// `cargo xtask soak orphans` says with it how many kills there are.
const COUNT: &str = "POSTHOUSE_SOAK_COUNT";

/// Makes the kills, prints what came of them, and fails when something was left or touched.
fn kill(count: usize) {
    let seed = Random::seed();
    println!("{count} kills; KILLING_SEED={seed} repeats their moments");
    let begin = Instant::now();
    let bystanders = Bystanders::start(programs!());
    let jobs = jobs(count);
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::<Outcome>::new());
    let lane = || {
        let world = moments::world(World::new(programs!()));
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(at) else {
                return;
            };
            let mut outcome = moments::run(&world, *job, &mut Random::of(seed, at));
            let touched = bystanders.touched();
            if !touched.is_empty() {
                outcome = Err(format!("touched by this or another: {touched:?}"));
            }
            outcomes.lock().unwrap().push((*job, outcome));
        }
    };
    thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(lane);
        }
    });
    let outcomes = outcomes.into_inner().unwrap();
    println!(
        "{}in {:.0?}, {LANES} at a time",
        table(&outcomes),
        begin.elapsed()
    );
    let failures = failures(&outcomes);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(outcomes.len(), count);
}

#[test]
fn nothing_survives_kill_9_at_any_moment() {
    kill(std::env::var(COUNT).map_or(60, |count| count.parse().unwrap()));
}
