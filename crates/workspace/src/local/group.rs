//! What belongs to a process: its group and those who left it, until nothing of either is there.

use nix::errno::Errno;
use nix::sys::signal::{Signal as UnixSignal, killpg};
use nix::unistd::Pid;

use super::strays::Strays;
use crate::process_table::Entry;
use crate::{Signal, process_table};

/// How often `/proc` must show no living member before the group counts as empty: a process that
/// forks and exits during one walk can hide its child from it.
const LOOKS_NEEDED: u8 = 2;

/// The group of a process that we started, which is named by the id of its leader, and the
/// descendants that left it.
///
/// The id stays taken as long as the group has a member. Once the group was seen empty, the id may
/// belong to somebody else and is not used any more.
#[derive(Debug)]
pub(super) struct Group {
    id: Pid,
    empty: bool,
    looks_without_members: u8,
    /// A member that lived at the last look.
    seen: Option<Entry>,
    strays: Strays,
}

impl Group {
    pub(super) fn new(leader: i32, strays: Strays) -> Self {
        Self {
            id: Pid::from_raw(leader),
            empty: false,
            looks_without_members: 0,
            seen: None,
            strays,
        }
    }

    /// The id of the group.
    pub(super) fn id(&self) -> i32 {
        self.id.as_raw()
    }

    /// Sends `signal` to all members, but not to those who left; an empty group gives `ESRCH`.
    pub(super) fn signal(&self, signal: Signal) -> Result<(), Errno> {
        if self.empty {
            return Err(Errno::ESRCH);
        }
        killpg(self.id, unix(signal))
    }

    /// Sends `signal` to those who left the group, and from now on to whoever is found to have.
    pub(super) async fn signal_strays(&mut self, signal: Signal) {
        self.strays.signal(unix(signal)).await;
    }

    /// Whether all members are gone, and all who left. Only to be asked when the leader has been
    /// reaped.
    ///
    /// May say no once or twice when the answer is yes.
    pub(super) async fn is_empty(&mut self) -> bool {
        if !self.empty {
            self.empty = self.look().await;
        }
        self.empty && self.strays.are_gone().await
    }

    async fn look(&mut self) -> bool {
        if killpg(self.id, None) == Err(Errno::ESRCH) {
            return true;
        }
        // Cheaper than a walk, and the same answer as long as somebody refuses to go.
        if self.seen.is_some_and(|member| member.still_lives()) {
            return false;
        }
        // Dead members which nobody reaps answer to the signal too: in a container the first
        // process often reaps nothing.
        let id = self.id();
        let walk = tokio::task::spawn_blocking(move || {
            let mut entries = process_table::entries()?;
            std::io::Result::Ok(entries.find(|entry| entry.group == id && entry.lives()))
        });
        let walk = walk.await;
        if let Ok(Ok(None)) = walk {
            self.looks_without_members += 1;
        } else {
            self.looks_without_members = 0;
        }
        self.seen = walk.ok().and_then(Result::ok).flatten();
        self.looks_without_members >= LOOKS_NEEDED
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Reached with members only if the task that owns the group was cut off, as by the end of
        // the runtime, or gave up on it. Those who left are the reaper's then.
        if !self.empty {
            let _ = killpg(self.id, UnixSignal::SIGKILL);
        }
    }
}

fn unix(signal: Signal) -> UnixSignal {
    match signal {
        Signal::Hup => UnixSignal::SIGHUP,
        Signal::Int => UnixSignal::SIGINT,
        Signal::Quit => UnixSignal::SIGQUIT,
        Signal::Term => UnixSignal::SIGTERM,
        Signal::Kill => UnixSignal::SIGKILL,
        Signal::Usr1 => UnixSignal::SIGUSR1,
        Signal::Usr2 => UnixSignal::SIGUSR2,
    }
}
