//! Descendants of a process that left its group, as daemons do: found by the nonce they inherited.

use std::collections::BTreeSet;
use std::sync::Arc;

use nix::sys::signal::{Signal as UnixSignal, kill};
use nix::unistd::Pid;

use super::census::Census;
use crate::process_table::Entry;

/// How many looks in a row must find nobody: one can miss a process that forks or execs meanwhile.
const LOOKS_NEEDED: u8 = 2;

/// Who carries the nonce of a process outside of its group.
#[derive(Debug)]
pub(super) struct Strays {
    census: Arc<Census>,
    server: u64,
    group: i32,
    /// What everybody found is to be sent.
    signal: Option<UnixSignal>,
    /// Who has been sent it: id and start time.
    reached: BTreeSet<(i32, u64)>,
    /// One that lived at the last look.
    seen: Option<Entry>,
}

impl Strays {
    /// Those of a server, by its number, that are not in its group.
    pub(super) fn new(census: Arc<Census>, server: u64, group: i32) -> Self {
        Self {
            census,
            server,
            group,
            signal: None,
            reached: BTreeSet::new(),
            seen: None,
        }
    }

    /// Sends `signal` to all of them, and to those that appear later when they are found.
    pub(super) async fn signal(&mut self, signal: UnixSignal) {
        self.signal = Some(signal);
        self.reached.clear();
        let found = self.look().await;
        self.reach(&found);
    }

    /// Whether there are none. Where there is no `/proc`, nobody can tell, and the answer is yes.
    pub(super) async fn are_gone(&mut self) -> bool {
        // Cheaper than a walk, and the same answer as long as somebody refuses to go.
        if self.seen.is_some_and(|stray| stray.still_lives()) {
            return false;
        }
        for _ in 0..LOOKS_NEEDED {
            let found = self.look().await;
            if !found.is_empty() {
                self.seen = found.first().copied();
                self.reach(&found);
                return false;
            }
        }
        true
    }

    async fn look(&self) -> Vec<Entry> {
        let carriers = self.census.take().await;
        carriers
            .iter()
            .filter(|carrier| carrier.server == self.server && carrier.entry.group != self.group)
            .map(|carrier| carrier.entry)
            .collect()
    }

    fn reach(&mut self, found: &[Entry]) {
        let Some(signal) = self.signal else {
            return;
        };
        for stray in found {
            // Looked at once more, as its id may belong to somebody else by now.
            if self.reached.insert((stray.id, stray.start)) && stray.still_lives() {
                let _ = kill(Pid::from_raw(stray.id), signal);
            }
        }
    }
}
