//! The example `hold` with a server, and proof of what is left of them.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep, timeout};

/// What must be gone is gone by then.
pub(crate) const GONE_WITHIN: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(20);

/// A running `hold`. Everything that it starts carries a mark of this run.
pub(crate) struct Held {
    pub(crate) child: Child,
    pub(crate) stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
    mark: String,
}

impl Held {
    /// Starts `hold` with a shell script as its server.
    pub(crate) fn start(script: &str) -> Self {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{}-{run}-", std::process::id());
        let mut child = Command::new(example())
            .args(["sh", "-c", script])
            .env("HOLD_MARK", &mark)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        Self {
            stdin: child.stdin.take(),
            child,
            lines: BufReader::new(stdout).lines(),
            mark,
        }
    }

    /// Waits for a line that starts like this; the rest of it.
    pub(crate) async fn says(&mut self, start: &str) -> String {
        let found = async {
            loop {
                let line = self.lines.next_line().await.unwrap();
                let line = line.unwrap_or_else(|| panic!("ended before `{start}`"));
                if let Some(rest) = line.strip_prefix(start) {
                    return rest.trim().to_owned();
                }
            }
        };
        timeout(PATIENCE, found).await.unwrap()
    }

    pub(crate) fn send(&self, signal: Signal) {
        // It may have ended by itself meanwhile; it has not been reaped.
        let _ = kill(self.id(), signal);
    }

    pub(crate) fn id(&self) -> Pid {
        Pid::from_raw(self.child.id().unwrap().try_into().unwrap())
    }

    /// Kills it, and waits until nothing of it is left; how long that took.
    pub(crate) async fn kill_and_prove(mut self, what: &str) -> Duration {
        self.child.start_kill().unwrap();
        let killed = Instant::now();
        self.child.wait().await.unwrap();
        self.prove_gone(what, killed).await
    }

    /// Waits until nothing of it is left, its reaper included.
    pub(crate) async fn prove_gone(&self, what: &str, since: Instant) -> Duration {
        let reapers = self.reapers();
        loop {
            let left = self.marked();
            let reaping = reapers.iter().filter(|id| exists(**id)).count();
            if left.is_empty() && reaping == 0 {
                return since.elapsed();
            }
            assert!(
                since.elapsed() < GONE_WITHIN || left.is_empty() && since.elapsed() < PATIENCE,
                "{what}: left behind: {left:?}, reapers {reapers:?}"
            );
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// What carries the mark, other than `hold` itself.
    pub(crate) fn marked(&self) -> Vec<String> {
        let wanted = format!("HOLD_MARK={}", self.mark);
        let own = self.child.id();
        let is_marked = |id: &u32| Some(*id) != own && carries(*id, "environ", &wanted);
        processes().filter(is_marked).map(describe).collect()
    }

    /// The nonce of the executor, as its servers carry it.
    pub(crate) fn nonces(&self) -> Vec<String> {
        let wanted = format!("HOLD_MARK={}", self.mark);
        let of = |id: u32| {
            let environment = fs::read(format!("/proc/{id}/environ")).ok()?;
            let environment = String::from_utf8_lossy(&environment);
            let mut variables = environment.split('\0');
            variables.clone().find(|variable| *variable == wanted)?;
            let nonce = variables.find_map(|it| it.strip_prefix("POSTHOUSE_REAP="))?;
            Some(nonce.split('-').next()?.to_owned())
        };
        processes().filter_map(of).collect()
    }

    /// Its own children.
    pub(crate) fn children(&self) -> Vec<u32> {
        let own = self.id();
        let is_child = |id: &u32| {
            let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let rest = stat.rsplit(") ").next();
            rest.and_then(|rest| rest.split(' ').nth(1)) == Some(&own.to_string())
        };
        processes().filter(is_child).collect()
    }

    /// Whether this child is its reaper.
    pub(crate) fn is_reaper(&self, id: u32) -> bool {
        carries(id, "cmdline", "reaper") && exists(id)
    }

    /// The processes that have the nonce among their arguments.
    pub(crate) fn reapers(&self) -> Vec<u32> {
        let nonces = self.nonces();
        let is_reaper = |id: &u32| nonces.iter().any(|nonce| carries(*id, "cmdline", nonce));
        processes().filter(is_reaper).collect()
    }
}

fn example() -> PathBuf {
    // Beside the folder of this test: `cargo test` builds examples too.
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/hold");
    assert!(
        path.is_file(),
        "build it first: cargo build -p workspace --examples"
    );
    path
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn carries(id: u32, file: &str, wanted: &str) -> bool {
    let text = fs::read(format!("/proc/{id}/{file}")).unwrap_or_default();
    text.split(|byte| *byte == 0)
        .any(|part| part == wanted.as_bytes())
}

fn describe(id: u32) -> String {
    let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    format!(
        "{id} {}",
        String::from_utf8_lossy(&command).replace('\0', " ")
    )
}

/// Whether this process runs: one that waits to be reaped does not.
pub(crate) fn exists(id: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(") ")
        .next()
        .and_then(|rest| rest.chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}
