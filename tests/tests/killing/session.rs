//! A host's session with a front in a process group of its own, as hosts start it.

use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tests::kept::Kept;
use tests::process_table::Process;
use tests::until::{LIMIT, until};
use tests::world::World;

/// Dropping it kills the front.
pub(super) struct Session {
    front: Child,
    to: Option<ChildStdin>,
    stdout: Option<Kept>,
    stderr: Option<Kept>,
    last_id: u64,
}

/// How a front ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stderr: String,
}

impl Session {
    /// Starts `posthouse serve`.
    pub(super) fn start(world: &World) -> Session {
        let mut command = world.command(&["serve"]);
        let mut front = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Session {
            to: front.stdin.take(),
            stdout: front.stdout.take().map(Kept::of),
            stderr: front.stderr.take().map(Kept::of),
            front,
            last_id: 0,
        }
    }

    /// The id of the front, and of its group.
    pub(super) fn front(&self) -> Pid {
        Pid::from_raw(self.front.id().cast_signed())
    }

    /// The front's owner, if there is one already.
    pub(super) fn owner(&self) -> Option<Process> {
        let front = self.front().as_raw();
        Process::all().into_iter().find(|process| {
            // Before it is the owner it is a copy of the front.
            process.parent == front
                && process.lives()
                && words(process.pid)[1..].starts_with(&["owner".to_owned()])
        })
    }

    /// Sends a request. The front may have gone.
    pub(super) fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let to = self.to.as_mut().unwrap();
        to.write_all(format!("{line}\n").as_bytes()).unwrap();
        id
    }

    /// Sends `initialize`.
    pub(super) fn request_handshake(&mut self) -> u64 {
        let info = json!({ "name": "test-host", "version": "1" });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
        self.request("initialize", &params)
    }

    /// Calls a tool of a server with the tool `mcp`, without waiting for the answer.
    pub(super) fn request_call(&mut self, tool: &str, args: &Value) -> u64 {
        let call = json!({ "action": "call", "tool": tool, "args": args });
        self.request("tools/call", &json!({ "name": "mcp", "arguments": call }))
    }

    /// Waits for the answer to a request.
    pub(super) fn answer(&self, id: u64) -> Value {
        let stdout = self.stdout.as_ref().unwrap();
        until("an answer", LIMIT, || {
            let all = stdout.so_far();
            let messages = all
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok());
            messages
                .into_iter()
                .find(|message: &Value| message["id"] == id)
        })
    }

    /// As a host does that is done.
    pub(super) fn close_stdin(&mut self) {
        self.to = None;
    }

    /// Sends the front a signal, or its whole group. It is not waited for before, so that its id is
    /// nobody else's.
    pub(super) fn signal(&self, signal: Signal, group: bool) {
        let sent = if group {
            killpg(self.front(), signal)
        } else {
            kill(self.front(), signal)
        };
        assert!(matches!(sent, Ok(()) | Err(Errno::ESRCH)), "{sent:?}");
    }

    /// Waits for the end of the front, and of its output, once nobody is left who could hold that.
    pub(super) fn end(mut self) -> Ended {
        let status = until("the end of the front", LIMIT, || {
            self.front.try_wait().unwrap()
        });
        self.stdout.take().map(Kept::all);
        let stderr = self.stderr.take().map(Kept::all).unwrap();
        Ended { status, stderr }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Fails when it has ended, as it should have.
        self.front.kill().ok();
        self.front.wait().ok();
    }
}

/// Kills a process with SIGKILL unless it has gone.
pub(super) fn kill_now(process: &Process) {
    if process.now().is_some_and(|now| now.lives()) {
        // It may be just going.
        kill(Pid::from_raw(process.pid), Signal::SIGKILL).ok();
    }
}

/// The command line of a process; empty words where there are fewer than two.
pub(super) fn words(pid: i32) -> Vec<String> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let mut words: Vec<String> = line
        .split(|byte| *byte == 0)
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    words.resize(words.len().max(2), String::new());
    words
}

/// Waits for a moment of a moving thing, which no event tells.
pub(super) fn pass(time: Duration) {
    let begin = std::time::Instant::now();
    until("a moment", LIMIT, || {
        (begin.elapsed() >= time).then_some(())
    });
}
