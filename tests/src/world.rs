//! What one test has for itself: a folder with a home, and a mark by which everything that was started
//! in it is found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Instant, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::process_table::{MARK, Process};
use crate::run::{Ran, Running};
use crate::until::LIMIT;

/// The programs under test. Only a test target knows where they are: see [`programs!`].
///
/// [`programs!`]: crate::programs
#[derive(Clone, Copy, Debug)]
pub struct Programs {
    /// The `posthouse` binary.
    pub posthouse: &'static str,
    /// The fake server.
    pub fake: &'static str,
}

/// The [`Programs`](crate::world::Programs) of the test target that asks.
#[macro_export]
macro_rules! programs {
    () => {
        $crate::world::Programs {
            posthouse: env!("CARGO_BIN_EXE_posthouse-under-test"),
            fake: env!("CARGO_BIN_EXE_fake-mcp-server"),
        }
    };
}

/// A folder and a mark of one test. Dropping it removes both the folder and whatever a failed test left.
#[derive(Debug)]
pub struct World {
    programs: Programs,
    folder: TempDir,
    mark: String,
    /// The groups in which something marked was seen.
    groups: Mutex<BTreeSet<i32>>,
}

impl World {
    /// A new one, with a home folder and one for temporary files.
    pub fn new(programs: Programs) -> World {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "tmp", "run"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
        World {
            programs,
            folder,
            mark: format!("{}-{count}-{now}", std::process::id()),
            groups: Mutex::default(),
        }
    }

    /// Its folder, in which everything is started.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in the folder, with this text.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Makes these servers the user's configuration. They are given `startup` for their start, such as
    /// `2s`.
    pub fn configure(&self, startup: &str, servers: &Value) {
        let file = json!({ "defaults": { "startupTimeout": startup }, "mcpServers": servers });
        let text = serde_json::to_string_pretty(&file).unwrap();
        self.write("home/.config/posthouse/mcp.json", &text);
    }

    /// The user's configuration file.
    pub fn user_file(&self) -> PathBuf {
        self.folder().join("home/.config/posthouse/mcp.json")
    }

    /// The entry of a fake server, such as `slow --delay-ms 20`.
    pub fn fake(&self, words: &str) -> Value {
        let words: Vec<&str> = words.split(' ').collect();
        json!({ "command": self.programs.fake, "args": words })
    }

    /// The same behind a shell, which puts `pipeline` before it: what the server reads is what that
    /// prints. With `tee FILE` everything that is sent to it is in the file.
    pub fn fake_behind(&self, pipeline: &str, words: &str) -> Value {
        let line = format!("{pipeline} | '{}' {words}", self.programs.fake);
        json!({ "command": "sh", "args": ["-c", line] })
    }

    /// `posthouse` with these arguments, marked, with the home of this world and nothing else in its
    /// environment but a search path.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.here(self.programs.posthouse);
        command.args(args);
        command
    }

    /// A shell that runs this line, in the same place; `$0` is `posthouse`.
    pub fn shell(&self, line: &str) -> Command {
        let mut command = self.here("sh");
        command.args(["-c", line, self.programs.posthouse]);
        command
    }

    fn here(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var_os("PATH").unwrap_or_default();
        command
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.folder().join("home"))
            .env("TMPDIR", self.folder().join("tmp"))
            .env("XDG_RUNTIME_DIR", self.folder().join("run"))
            .env(MARK, &self.mark)
            .current_dir(self.folder())
            .stdin(Stdio::null());
        command
    }

    /// Starts a command whose output is kept.
    pub fn start(&self, args: &[&str]) -> Running<'_> {
        Running::start(self, &mut self.command(args))
    }

    /// Runs a command to its end, after which nothing is left.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.start(args).end()
    }

    /// Everything that was started here and lives.
    pub fn processes(&self) -> Vec<Process> {
        let mut found = Process::marked(&self.mark);
        found.retain(Process::lives);
        let groups = found.iter().map(|process| process.group);
        self.groups.lock().unwrap().extend(groups);
        found
    }

    /// The same, of this name only.
    pub fn named(&self, name: &str) -> Vec<Process> {
        let mut found = self.processes();
        found.retain(|process| process.name == name);
        found
    }

    /// Waits until nothing is left, as after the end of a front, whose owner stops its servers.
    ///
    /// # Panics
    /// When something is left after half a minute; the message names it.
    pub fn wait_until_nothing_is_left(&self) {
        let end = Instant::now() + LIMIT;
        while !self.left().is_empty() && Instant::now() < end {
            std::thread::yield_now();
        }
        self.assert_nothing_left();
    }

    /// Proves that nothing is left: no process with our mark, nobody in a group that was ours, no file
    /// in the temporary folder, no socket.
    ///
    /// # Panics
    /// When something is left; the message names it.
    pub fn assert_nothing_left(&self) {
        let left = self.left();
        assert!(left.is_empty(), "left behind:\n{}", left.join("\n"));
    }

    fn left(&self) -> Vec<String> {
        let own_group = nix::unistd::getpgrp().as_raw();
        let mut left = self.processes();
        let groups = self.groups.lock().unwrap().clone();
        let in_groups = Process::all().into_iter().filter(|process| {
            process.group != own_group && groups.contains(&process.group) && process.lives()
        });
        left.extend(in_groups);
        let mut left: Vec<String> = left.iter().map(Process::to_string).collect();
        for folder in ["tmp", "run/posthouse"] {
            // The second is made by the first owner.
            let Ok(files) = fs::read_dir(self.folder().join(folder)) else {
                continue;
            };
            left.extend(files.map(|file| file.unwrap().path().display().to_string()));
        }
        left
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for process in self.processes() {
            // It may have gone by itself.
            kill(Pid::from_raw(process.pid), Signal::SIGKILL).ok();
        }
    }
}
