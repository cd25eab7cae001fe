//! A home folder of a run's own, by which every process of that run is found again.
//!
//! The client SDKs hand only a few variables to what they start; HOME is one of them, and posthouse
//! hands it on to servers.

use std::fs;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::{Instant, sleep};

use crate::process_table::Process;

/// The time from one look to the next.
const LOOK: Duration = Duration::from_millis(3);

/// The folder. What still runs under it is killed when it is dropped, so that a test that fails leaves
/// nothing either.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
}

impl Home {
    /// An empty one.
    pub fn make() -> Home {
        Home {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A command with this home and nothing else in its environment but a search path. It is killed
    /// when it is dropped.
    pub fn command(&self, words: &[String]) -> Command {
        let (program, arguments) = words.split_first().unwrap();
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path())
            .kill_on_drop(true);
        command
    }

    /// Every process that lives with it.
    pub fn processes(&self) -> Vec<Process> {
        let wanted = format!("HOME={}", self.path().display());
        let mut all = Process::all();
        all.retain(|process| {
            // The dead have no environment, and those of others may not be looked into.
            let environment = fs::read(format!("/proc/{}/environ", process.pid));
            environment.is_ok_and(|all| all.split(|b| *b == 0).any(|it| it == wanted.as_bytes()))
        });
        all
    }

    /// The same, for people.
    pub fn listing(&self) -> String {
        let lines: Vec<_> = self.processes().iter().map(Process::to_string).collect();
        lines.join("\n")
    }

    /// Sees that nothing lives any more: now, or at the latest when the grace is over.
    pub async fn empties(&self, what: &str, grace: Duration) {
        let end = Instant::now() + grace;
        loop {
            let left = self.listing();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < end, "{what}: left behind:\n{left}");
            sleep(LOOK).await;
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        for process in self.processes() {
            // It may have gone by itself.
            kill(Pid::from_raw(process.pid), Signal::SIGKILL).ok();
        }
    }
}
