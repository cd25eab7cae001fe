//! Who is killed, how, and when.

use std::fmt;
use std::time::Duration;

use nix::sys::signal::Signal;

/// Who gets what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// SIGKILL to the front.
    Front,
    /// SIGKILL to the owner.
    Owner,
    /// SIGKILL to both.
    Both,
    /// A signal, then SIGKILL: to the front, or to its whole process group.
    Host {
        signal: Signal,
        group: bool,
        /// Milliseconds from one to the other.
        after: u64,
    },
}

/// When.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    /// After the front was started.
    Start,
    /// After `initialize` was sent.
    Handshake,
    /// With a call in flight at every server.
    Call,
    /// After the host has closed stdin.
    Close,
}

/// One kill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) kind: Kind,
    pub(super) moment: Moment,
}

const MOMENTS: [Moment; 4] = [
    Moment::Start,
    Moment::Handshake,
    Moment::Call,
    Moment::Close,
];
/// How often each of the first three kinds is there at each moment, in one round.
const REPEATED: usize = 4;

impl Moment {
    /// The random time after the event is below this.
    pub(super) fn span(self) -> Duration {
        Duration::from_millis(match self {
            // On a quiet machine the owner is up after some 20 ms and its servers after some 60.
            Moment::Start => 250,
            Moment::Handshake => 100,
            Moment::Call => 50,
            // The owner gives servers that stay some four seconds.
            Moment::Close => 4000,
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Kind::Front => "SIGKILL to the front".to_owned(),
            Kind::Owner => "SIGKILL to the owner".to_owned(),
            Kind::Both => "SIGKILL to both".to_owned(),
            Kind::Host {
                signal,
                group,
                after,
            } => {
                let to = if *group {
                    "the front's group"
                } else {
                    "the front"
                };
                format!("{signal}, SIGKILL {after} ms later, to {to}")
            }
        };
        f.pad(&text)
    }
}

/// The jobs of one round: 48 of the first three kinds and 12 of what hosts do.
fn round() -> Vec<Job> {
    let mut jobs = Vec::new();
    for _ in 0..REPEATED {
        for moment in MOMENTS {
            for kind in [Kind::Front, Kind::Owner, Kind::Both] {
                jobs.push(Job { kind, moment });
            }
        }
    }
    let signals = [Signal::SIGINT, Signal::SIGTERM];
    for after in [0, 100, 500] {
        for group in [false, true] {
            for signal in signals {
                let kind = Kind::Host {
                    signal,
                    group,
                    after,
                };
                let moment = MOMENTS[jobs.len() % MOMENTS.len()];
                jobs.push(Job { kind, moment });
            }
        }
    }
    jobs
}

/// So many jobs. What hosts do comes at another moment in each round.
pub(super) fn jobs(count: usize) -> Vec<Job> {
    let one = round();
    let all = (0..count).map(|at| {
        let mut job = one[at % one.len()];
        if matches!(job.kind, Kind::Host { .. }) {
            job.moment = MOMENTS[(at + at / one.len()) % MOMENTS.len()];
        }
        job
    });
    all.collect()
}
