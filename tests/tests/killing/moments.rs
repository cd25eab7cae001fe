//! One kill, from the start of the session to the proof that nothing is left of it.

use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;
use tests::process_table::Process;
use tests::until::{LIMIT, until};
use tests::world::World;

use super::kinds::{Job, Kind, Moment};
use super::random::Random;
use super::remains::Remains;
use super::session::{Ended, Session, kill_now, pass};

/// The servers: one that ignores everything and has a child that does, one that forks children which
/// it forgets, and one whose descendants are in a session of their own and ignore signals.
const SERVERS: [&str; 3] = ["stubborn", "forking", "detached"];
/// How many fake servers and sleeping descendants that makes.
const THERE: [(&str, usize); 2] = [("fake-mcp-server", 3), ("sleep", 5)];

/// A world with these servers.
pub(super) fn world(world: World) -> World {
    let plain = world.fake("plain");
    let plain = plain["command"].as_str().unwrap();
    let shell = |line: String| json!({ "command": "sh", "args": ["-c", line] });
    let forking = format!("sleep 600 & (sleep 600 &); exec '{plain}' plain");
    let detached = "trap '' TERM HUP INT; sleep 600 & exec sleep 600";
    let detached =
        format!("(setsid sh -c \"{detached}\" </dev/null >/dev/null 2>&1 &); exec '{plain}' plain");
    let servers = json!({
        "stubborn": world.fake("stubborn"),
        "forking": shell(forking),
        "detached": shell(detached),
    });
    world.configure("30s", &servers);
    world
}

/// A kill that left nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clean {
    /// From the last blow until nothing was left.
    pub(super) took: Duration,
    /// How many processes there had been.
    pub(super) most: usize,
}

/// Does it, and gives what came of it, or what went wrong.
pub(super) fn run(world: &World, job: Job, random: &mut Random) -> Result<Clean, String> {
    let mut session = Session::start(world);
    let mut remains = Remains::of(session.front().as_raw());
    let mut owner = None;
    if job.moment == Moment::Start {
        if job.kind == Kind::Owner {
            owner = Some(until("the owner", LIMIT, || session.owner()));
        }
    } else {
        come_to(job.moment, &mut session, world, &mut owner);
    }
    remains.look();
    let mut span = job.moment.span();
    if job.moment == Moment::Start {
        // Most happens early.
        span = random.below(span) + Duration::from_micros(1);
    }
    pass(random.below(span));
    let owner = owner.or_else(|| session.owner());
    let begin = strike(job.kind, &session, owner.as_ref());
    let took = remains.gone(begin).map_err(|left| {
        remains.look().iter().for_each(kill_now);
        format!("left behind:\n{left}")
    })?;
    let ended = session.end();
    says_why(job, &ended)?;
    let most = remains.most();
    Ok(Clean { took, most })
}

/// Brings the session to the moment.
fn come_to(moment: Moment, session: &mut Session, world: &World, owner: &mut Option<Process>) {
    let id = session.request_handshake();
    *owner = Some(until("the owner", LIMIT, || session.owner()));
    if moment == Moment::Handshake {
        return;
    }
    session.answer(id);
    for server in SERVERS {
        let id = session.request_call(&format!("{server}/pid"), &json!({}));
        let answer = session.answer(id);
        assert_eq!(answer["result"]["isError"], json!(null), "{answer}");
    }
    until("all servers and what they started", LIMIT, || {
        let all = world.processes();
        let count = |name: &str| all.iter().filter(|it| it.name == name).count();
        THERE
            .iter()
            .all(|(name, there)| count(name) >= *there)
            .then_some(())
    });
    if moment == Moment::Call {
        for server in SERVERS {
            session.request_call(&format!("{server}/sleep"), &json!({ "ms": 600_000 }));
        }
    } else {
        session.close_stdin();
    }
}

/// Kills, and gives the moment of the last blow.
pub(super) fn strike(kind: Kind, session: &Session, owner: Option<&Process>) -> Instant {
    match kind {
        Kind::Front => session.signal(Signal::SIGKILL, false),
        Kind::Owner => owner.into_iter().for_each(kill_now),
        Kind::Both => {
            owner.into_iter().for_each(kill_now);
            session.signal(Signal::SIGKILL, false);
        }
        Kind::Host {
            signal,
            group,
            after,
        } => {
            session.signal(signal, group);
            pass(Duration::from_millis(after));
            session.signal(Signal::SIGKILL, group);
        }
    }
    Instant::now()
}

/// A front that has lost its owner must say so, unless its host had left before.
fn says_why(job: Job, ended: &Ended) -> Result<(), String> {
    if job.kind != Kind::Owner {
        return Ok(());
    }
    let told =
        ended.status.code() == Some(3) && ended.stderr.contains("lost the owner of the servers");
    let had_left = job.moment == Moment::Close && ended.status.code() == Some(0);
    if told || had_left {
        return Ok(());
    }
    Err(format!(
        "the front did not tell that its owner was lost: {ended:?}"
    ))
}
