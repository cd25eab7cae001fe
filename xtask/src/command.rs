//! Running other programs: whole output kept, every run limited in time.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::place;

/// How long output may still arrive once the program itself has ended. Longer means that a process
/// it left behind holds the pipe.
const OUTPUT_GRACE: Duration = Duration::from_secs(5);

/// What a program said.
pub(crate) struct Output {
    /// Whether it exited with 0.
    pub(crate) success: bool,
    /// Its stdout.
    pub(crate) stdout: String,
    /// Stdout and stderr, in about the order they were written.
    pub(crate) all: String,
}

/// A program with its arguments, to be run at the repository's root.
pub(crate) struct Run {
    command: Command,
    limit: Duration,
}

impl Run {
    /// `limit` is the time after which the program and everything below it is killed.
    pub(crate) fn new(program: impl AsRef<OsStr>, limit: Duration) -> Self {
        let mut command = Command::new(program);
        command.current_dir(place::root()).stdin(Stdio::null());
        Self { command, limit }
    }

    /// Our own cargo, as `cargo xtask` found it.
    pub(crate) fn cargo(limit: Duration) -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut run = Self::new(cargo, limit);
        // `cargo run` describes xtask in these. Build scripts that watch them would rebuild
        // whenever a person's own cargo and ours take turns.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                run.command.env_remove(&name);
            }
        }
        run
    }

    /// Adds arguments.
    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// Adds one argument.
    pub(crate) fn arg(self, arg: impl AsRef<OsStr>) -> Self {
        self.args([arg])
    }

    /// Sets a variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs elsewhere than at the root.
    pub(crate) fn folder(mut self, folder: impl AsRef<std::path::Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// The command line, as one would type it.
    pub(crate) fn line(&self) -> String {
        let program = self.command.get_program();
        let program = std::path::Path::new(program).file_name().unwrap_or(program);
        let words = std::iter::once(program).chain(self.command.get_args());
        words
            .map(|word| word.to_string_lossy())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Runs to the end. An error means that it could not start or took too long; an exit code other
    /// than 0 is in the output.
    pub(crate) fn output(mut self) -> Result<Output> {
        let line = self.line();
        let mut child = self
            .command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("failed to start `{line}`"))?;
        let id = child.id();
        let stdout = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::new(Mutex::new(Vec::new()));
        let (ended, at_end) = mpsc::channel();
        if let Some(pipe) = child.stdout.take() {
            drain(pipe, vec![stdout.clone(), all.clone()], ended.clone());
        }
        if let Some(pipe) = child.stderr.take() {
            drain(pipe, vec![all.clone()], ended);
        }
        let (exited, at_exit) = mpsc::channel();
        thread::spawn(move || exited.send(child.wait()));
        let status = match at_exit.recv_timeout(self.limit) {
            Ok(status) => status.with_context(|| format!("failed to wait for `{line}`"))?,
            Err(RecvTimeoutError::Timeout) => {
                kill_tree(id);
                bail!(
                    "`{line}` took longer than {} s and was killed\n{}",
                    self.limit.as_secs(),
                    text(&all)
                );
            }
            Err(RecvTimeoutError::Disconnected) => bail!("failed to wait for `{line}`"),
        };
        // The channel closes when both pipes have ended.
        if at_end.recv_timeout(OUTPUT_GRACE) == Err(RecvTimeoutError::Timeout) {
            bail!(
                "`{line}` left a process behind that holds its output\n{}",
                text(&all)
            );
        }
        Ok(Output {
            success: status.success(),
            stdout: text(&stdout),
            all: text(&all),
        })
    }

    /// Runs to the end; an exit code other than 0 is an error that carries the whole output.
    pub(crate) fn checked(self) -> Result<Output> {
        let line = self.line();
        let output = self.output()?;
        if !output.success {
            bail!("`{line}` failed\n{}", output.all.trim_end());
        }
        Ok(output)
    }
}

/// Copies a pipe to its end. `_open` closes with it; nothing is ever sent.
fn drain(
    mut pipe: impl Read + Send + 'static,
    into: Vec<Arc<Mutex<Vec<u8>>>>,
    open: mpsc::Sender<()>,
) {
    thread::spawn(move || {
        let mut chunk = [0; 8192];
        while let Ok(read @ 1..) = pipe.read(&mut chunk) {
            for buffer in &into {
                buffer
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .extend_from_slice(&chunk[..read]);
            }
        }
        drop(open);
    });
}

fn text(buffer: &Mutex<Vec<u8>>) -> String {
    String::from_utf8_lossy(&buffer.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
}

/// Kills a process and all below it. The programs stay in the terminal's process group, so that
/// Ctrl-C reaches them, and therefore cannot be killed as a group of their own.
fn kill_tree(root: u32) {
    let listed = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output();
    // Without `ps` the program alone is killed; what is below it then mostly ends by itself.
    let listed = listed.map(|output| output.stdout).unwrap_or_default();
    let doomed = below(root, &String::from_utf8_lossy(&listed));
    let ids = doomed.iter().map(u32::to_string);
    // The shell's own `kill` is everywhere. Failing means that they are gone already.
    let script = ["-c", "kill -KILL \"$@\"", "kill"];
    Command::new("sh").args(script).args(ids).output().ok();
}

/// A process and all below it, from lines of ids and their parents' ids.
fn below(root: u32, listed: &str) -> Vec<u32> {
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse::<u32>);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    let pairs: Vec<(u32, u32)> = listed.lines().filter_map(pair).collect();
    let mut found = vec![root];
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        next += 1;
        let children = pairs.iter().filter(|(_, above)| *above == parent);
        found.extend(children.map(|(id, _)| *id));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_kept_apart_and_whole() {
        let output = Run::new("sh", Duration::from_secs(60))
            .args(["-c", "echo out; echo err >&2; exit 3"])
            .output()
            .unwrap();
        assert!(!output.success);
        assert_eq!(output.stdout, "out\n");
        assert!(output.all.contains("out\n") && output.all.contains("err\n"));
    }

    #[test]
    fn one_that_takes_too_long_is_killed_with_its_children() {
        let run = Run::new("sh", Duration::from_millis(500))
            .args(["-c", "sleep 600 & echo $!; sleep 600"])
            .output();
        let error = run.err().unwrap().to_string();
        assert!(error.contains("took longer"), "{error}");
        let child = error.lines().last().unwrap();
        // A killed process may wait a while for its parent to notice, as a zombie.
        let state = Command::new("ps")
            .args(["-o", "stat=", "-p", child])
            .output()
            .unwrap();
        let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
        assert!(
            state.is_empty() || state.starts_with('Z'),
            "{child} is {state}"
        );
    }

    #[test]
    fn descendants_are_found_at_any_depth() {
        assert_eq!(below(2, "1 0\n2 1\n3 2\n4 3\n5 1\n"), [2, 3, 4]);
        assert_eq!(below(2, ""), [2]);
    }
}
