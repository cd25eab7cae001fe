//! The processes of this machine as `/proc` tells them, found by a mark in their environment.
//!
//! A mark is inherited by whatever a process starts, over every change of parent, group and session.

use std::fmt;
use std::fs;

/// The variable that carries the mark. Its name is one that posthouse hands on to servers.
pub const MARK: &str = "LC_POSTHOUSE_TEST";

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: i32,
    /// Its parent's id.
    pub parent: i32,
    /// Its process group.
    pub group: i32,
    /// Its name, at most 15 bytes of it.
    pub name: String,
    /// The letter of its state: `Z` is dead and not yet waited for.
    pub state: char,
    /// When it was started: with the id, it is this process and no later one.
    pub started: u64,
}

impl Process {
    /// The process of this id.
    pub fn of(pid: i32) -> Option<Process> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name may hold anything, also blanks and brackets.
        let (head, rest) = stat.rsplit_once(") ")?;
        let (_, name) = head.split_once(" (")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        Some(Process {
            pid,
            parent: fields[1].parse().ok()?,
            group: fields[2].parse().ok()?,
            name: name.to_owned(),
            state: fields[0].chars().next()?,
            started: fields[19].parse().ok()?,
        })
    }

    /// Every process.
    pub fn all() -> Vec<Process> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        ids.filter_map(Process::of).collect()
    }

    /// Those whose environment holds this mark. The dead have no environment.
    pub fn marked(mark: &str) -> Vec<Process> {
        let is_marked = |process: &Process| {
            let environment = fs::read(format!("/proc/{}/environ", process.pid));
            let wanted = format!("{MARK}={mark}");
            environment.is_ok_and(|all| all.split(|b| *b == 0).any(|it| it == wanted.as_bytes()))
        };
        let mut all = Process::all();
        all.retain(is_marked);
        all
    }

    /// Whether it lives.
    pub fn lives(&self) -> bool {
        !matches!(self.state, 'Z' | 'X')
    }

    /// Itself, as it is now; `None` when it has gone altogether.
    pub fn now(&self) -> Option<Process> {
        Process::of(self.pid).filter(|now| now.started == self.started)
    }
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let command = fs::read(format!("/proc/{}/cmdline", self.pid)).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let (pid, parent, group, state) = (self.pid, self.parent, self.group, self.state);
        write!(
            f,
            "{pid} (parent {parent}, group {group}, {state}) {command}"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::until::{LIMIT, until};

    #[test]
    fn a_marked_process_is_found_in_whatever_group_and_is_gone_when_it_is_dead() {
        let mark = format!("table-{}", std::process::id());
        let mut shell = Command::new("sh");
        shell.args(["-c", "setsid sleep 600 & exec sleep 600"]);
        let shell = shell.env(MARK, &mark).process_group(0).stdin(Stdio::null());
        let mut leader = shell.spawn().unwrap();
        let both = until("two sleeps", LIMIT, || {
            let mut found = Process::marked(&mark);
            found.retain(|it| it.name == "sleep");
            (found.len() == 2).then_some(found)
        });
        assert_ne!(both[0].group, both[1].group);
        for process in &both {
            let pid = nix::unistd::Pid::from_raw(process.pid);
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).unwrap();
        }
        until("nothing", LIMIT, || {
            Process::marked(&mark).is_empty().then_some(())
        });
        let zombie = until("a zombie", LIMIT, || {
            Process::of(leader.id().cast_signed()).filter(|it| !it.lives())
        });
        assert_eq!(zombie.parent, std::process::id().cast_signed());
        leader.wait().unwrap();
        assert_eq!(zombie.now(), None);
    }
}
