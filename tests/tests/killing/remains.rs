//! What is left of a session: whatever carries the mark of its world or a nonce of its owners, which
//! the reapers carry on their command lines.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use tests::process_table::{MARK, Process};
use tests::until::until;

use super::session::words;

/// Carries the nonce of an executor, a hyphen and the number of a server.
const NONCE: &str = "POSTHOUSE_REAP=";
/// The first argument of a reaper's script: its name. The nonce follows.
const REAPER: &str = "reaper";
/// Looking takes its time from those who are looked at.
const LOOK: Duration = Duration::from_millis(25);
/// What is left then is left.
const LIMIT: Duration = Duration::from_secs(10);

/// A watch over one world.
pub(super) struct Remains {
    mark: String,
    nonces: BTreeSet<String>,
    /// The most that were there at once.
    most: usize,
}

/// A process and what tells whose it is.
struct Seen {
    process: Process,
    words: Vec<String>,
    marked: bool,
    nonce: Option<String>,
}

impl Remains {
    /// Watches everything with the mark that this process carries.
    pub(super) fn of(marked: i32) -> Remains {
        let prefix = format!("{MARK}=");
        // It may have been started just now.
        let mark = until("the mark", LIMIT, || variable(marked, &prefix));
        Remains {
            mark,
            nonces: BTreeSet::new(),
            most: 0,
        }
    }

    /// Who is there now.
    pub(super) fn look(&mut self) -> Vec<Process> {
        let seen: Vec<Seen> = Process::all()
            .into_iter()
            .filter(Process::lives)
            .map(|process| self.see(process))
            .collect();
        let ours: BTreeSet<i32> = seen
            .iter()
            .filter(|it| it.marked)
            .map(|it| it.process.pid)
            .collect();
        for it in &seen {
            if it.marked {
                self.nonces.extend(it.nonce.clone());
            }
            // A reaper of an owner of ours which has no server yet.
            if ours.contains(&it.process.parent)
                && let Some(at) = it.words.iter().position(|word| word == REAPER)
            {
                self.nonces.extend(it.words.get(at + 1).cloned());
            }
        }
        let is_ours = |it: &Seen| {
            let of_nonce = it.nonce.iter().chain(&it.words);
            it.marked || of_nonce.into_iter().any(|word| self.nonces.contains(word))
        };
        let left = seen.into_iter().filter(is_ours);
        let left: Vec<Process> = left.map(|it| it.process).collect();
        self.most = self.most.max(left.len());
        left
    }

    fn see(&self, process: Process) -> Seen {
        let nonce = variable(process.pid, NONCE);
        Seen {
            words: words(process.pid),
            marked: variable(process.pid, &format!("{MARK}=")).as_ref() == Some(&self.mark),
            nonce: nonce.and_then(|it| Some(it.rsplit_once('-')?.0.to_owned())),
            process,
        }
    }

    /// The most processes that were there at once, as far as it was seen.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// How long it takes from `begin` until nothing is left, or what is left after ten seconds.
    pub(super) fn gone(&mut self, begin: Instant) -> Result<Duration, String> {
        let mut next = Instant::now();
        until("a verdict", LIMIT * 3, || {
            if Instant::now() < next {
                return None;
            }
            let left = self.look();
            next = Instant::now() + LOOK;
            let took = begin.elapsed();
            if left.is_empty() {
                return Some(Ok(took));
            }
            let lines = || left.iter().map(Process::to_string).collect::<Vec<_>>();
            (took > LIMIT).then(|| Err(lines().join("\n")))
        })
    }
}

/// The value of the variable that begins like this.
fn variable(pid: i32, prefix: &str) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = environment.split(|byte| *byte == 0);
    let value = variables.find_map(|it| it.strip_prefix(prefix.as_bytes()))?;
    Some(String::from_utf8_lossy(value).into_owned())
}
