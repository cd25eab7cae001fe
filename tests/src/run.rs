//! A command that runs to its end, with everything it prints.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::kept::Kept;
use crate::process_table::Process;
use crate::until::{LIMIT, until};
use crate::world::World;

/// A command under way. Dropping it kills it.
#[derive(Debug)]
pub struct Running<'w> {
    world: &'w World,
    child: Child,
    begin: Instant,
    /// Its servers are another's, who stops them when it has gone.
    is_front: bool,
    stdout: Option<Kept>,
    stderr: Option<Kept>,
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ran {
    /// Its exit status; `None` when a signal ended it.
    pub code: Option<i32>,
    /// All it printed to stdout.
    pub stdout: String,
    /// All it printed to stderr.
    pub stderr: String,
    /// How long it took.
    pub took: Duration,
}

impl<'w> Running<'w> {
    /// Starts a command of this world with its output kept.
    pub fn start(world: &'w World, command: &mut Command) -> Running<'w> {
        Running::to(world, command, Stdio::piped())
    }

    /// The same with another stdout, of which nothing is kept unless it is a pipe.
    pub fn to(world: &'w World, command: &mut Command, stdout: Stdio) -> Running<'w> {
        let begin = Instant::now();
        let mut child = command
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Running {
            world,
            is_front: command.get_args().any(|word| word == "serve"),
            stdout: child.stdout.take().map(Kept::of),
            stderr: child.stderr.take().map(Kept::of),
            child,
            begin,
        }
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().cast_signed()), signal).unwrap();
    }

    /// Whether it is still there.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end and proves that it has left nothing.
    pub fn end(mut self) -> Ran {
        let status = wait(&mut self.child);
        let took = self.begin.elapsed();
        if self.is_front {
            self.world.wait_until_nothing_is_left();
        } else {
            self.world.assert_nothing_left();
        }
        let all = |kept: Option<Kept>| kept.map(Kept::all).unwrap_or_default();
        Ran {
            code: status.code(),
            stdout: all(self.stdout.take()),
            stderr: all(self.stderr.take()),
            took,
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Fails when it has ended, as it should have.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Ran {
    /// Asserts the exit status and hands itself on.
    ///
    /// # Panics
    /// When it is another; the message holds all output.
    #[track_caller]
    pub fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts that stdout holds this.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn prints(self, text: &str) -> Ran {
        assert!(self.stdout.contains(text), "{text:?} is not in {self:#?}");
        self
    }

    /// Asserts that stderr holds this.
    ///
    /// # Panics
    /// When it does not.
    #[track_caller]
    pub fn complains(self, text: &str) -> Ran {
        assert!(self.stderr.contains(text), "{text:?} is not in {self:#?}");
        self
    }

    /// Stdout as the one JSON value that it is.
    ///
    /// # Panics
    /// When it is not one.
    #[track_caller]
    pub fn json(&self) -> Value {
        let one = self.stdout.lines().count() == 1;
        match serde_json::from_str(&self.stdout) {
            Ok(value) if one => value,
            other => panic!("{other:?} is not one line of JSON: {self:#?}"),
        }
    }
}

/// Waits for the end of a child of ours, and sees that it is not left as a zombie.
pub(crate) fn wait(child: &mut Child) -> ExitStatus {
    let before = Process::of(child.id().cast_signed());
    let status = until("the end of the process", LIMIT, || {
        child.try_wait().unwrap()
    });
    assert_eq!(before.and_then(|before| before.now()), None);
    status
}
