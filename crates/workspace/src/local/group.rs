//! A process group: signalling it, and knowing when nothing of it is left.

use std::fs;
use std::io;

use nix::errno::Errno;
use nix::sys::signal::{Signal as UnixSignal, killpg};
use nix::unistd::Pid;

use crate::Signal;

/// How often `/proc` must show no living member before the group counts as empty: a process that
/// forks and exits during one walk can hide its child from it.
const LOOKS_NEEDED: u8 = 2;

/// The group of a process that we started, which is named by the id of its leader.
///
/// The id stays taken as long as the group has a member. Once the group was seen empty, the id may
/// belong to somebody else and is not used any more.
#[derive(Debug)]
pub(super) struct Group {
    id: Pid,
    empty: bool,
    looks_without_members: u8,
}

impl Group {
    pub(super) fn new(leader: i32) -> Self {
        Self {
            id: Pid::from_raw(leader),
            empty: false,
            looks_without_members: 0,
        }
    }

    /// Sends `signal` to all members; an empty group gives `ESRCH`.
    pub(super) fn signal(&self, signal: Signal) -> Result<(), Errno> {
        if self.empty {
            return Err(Errno::ESRCH);
        }
        killpg(self.id, unix(signal))
    }

    /// Whether all members are gone. Only to be asked when the leader has been reaped.
    ///
    /// May say no once or twice when the answer is yes.
    pub(super) async fn is_empty(&mut self) -> bool {
        if !self.empty {
            self.empty = self.look().await;
        }
        self.empty
    }

    async fn look(&mut self) -> bool {
        if killpg(self.id, None) == Err(Errno::ESRCH) {
            return true;
        }
        // Dead members which nobody reaps answer to the signal too: in a container the first
        // process often reaps nothing.
        let id = self.id.as_raw();
        let walk = tokio::task::spawn_blocking(move || has_living_member(id)).await;
        if let Ok(Ok(false)) = walk {
            self.looks_without_members += 1;
        } else {
            self.looks_without_members = 0;
        }
        self.looks_without_members >= LOOKS_NEEDED
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Reached with members only if the task that owns the group was cut off, as by the end of
        // the runtime, or gave up on it.
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

/// Walks `/proc` for a member that is not a zombie. An error means that nobody knows.
fn has_living_member(group: i32) -> io::Result<bool> {
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let name = entry.file_name();
        if !name.as_encoded_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        // A process that ends meanwhile cannot be read, and is no member any more.
        let Ok(stat) = fs::read(entry.path().join("stat")) else {
            continue;
        };
        if let Some((state, id)) = state_and_group(&stat)
            && id == group
            && !matches!(state, b'Z' | b'X' | b'x')
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the state and the group out of a line of `/proc/PID/stat`, which is
/// `pid (any bytes) state parent group …`.
fn state_and_group(stat: &[u8]) -> Option<(u8, i32)> {
    let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(&stat[after_name..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?.bytes().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((state, group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_from_its_last_parenthesis() {
        assert_eq!(state_and_group(b"12 (sh) S 1 12 12 0"), Some((b'S', 12)));
        assert_eq!(
            state_and_group(b"12 (a) Z 9 (\xff) R 1 77 12 0"),
            Some((b'R', 77))
        );
        assert_eq!(state_and_group(b"12 (sh)"), None);
        assert_eq!(state_and_group(b""), None);
    }
}
