//! A host: speaks MCP in lines to a `posthouse serve` that it started, and watches what comes back.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::kept::Kept;
use crate::process_table::Process;
use crate::run::wait;
use crate::until::{LIMIT, until};
use crate::world::World;

/// How the host is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wires {
    /// Pipes, and a stderr that is read.
    Pipes,
    /// Sockets, as Node gives them to children.
    Sockets,
    /// Pipes, and a stderr that nobody reads.
    DeafToStderr,
}

/// A host with its `posthouse serve`. Dropping it kills that.
#[derive(Debug)]
pub struct Host<'w> {
    world: &'w World,
    child: Child,
    begin: Instant,
    to: Option<File>,
    from: Option<File>,
    stderr: Option<Kept>,
    /// Held, so that the pipe stays open.
    _unread: Option<File>,
    buffer: Vec<u8>,
    /// What came and was not asked for yet.
    inbox: VecDeque<Value>,
    last_id: u64,
}

/// A session that is over.
#[derive(Debug)]
pub struct Ended {
    /// The exit status; `None` when a signal ended it.
    pub code: Option<i32>,
    /// From the last thing the host did to the end.
    pub took: Duration,
    /// All of stderr, unless nobody read it.
    pub stderr: String,
    /// What came after the last thing that was asked for.
    pub rest: Vec<Value>,
}

impl<'w> Host<'w> {
    /// Starts `posthouse serve` with these arguments, over pipes.
    pub fn start(world: &'w World, args: &[&str]) -> Host<'w> {
        Host::over(Wires::Pipes, world, args)
    }

    /// Starts `posthouse` with `serve` and these arguments.
    pub fn over(wires: Wires, world: &'w World, args: &[&str]) -> Host<'w> {
        let mut command = world.command(&["serve"]);
        command.args(args);
        let mut ends = None;
        if wires == Wires::Sockets {
            let (stdin, to) = UnixStream::pair().unwrap();
            let (stdout, from) = UnixStream::pair().unwrap();
            to.shutdown(Shutdown::Read).unwrap();
            ends = Some((OwnedFd::from(to), OwnedFd::from(from)));
            command.stdin(OwnedFd::from(stdin));
            command.stdout(OwnedFd::from(stdout));
        } else {
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
        }
        let begin = Instant::now();
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // It holds our copies of the child's ends.
        drop(command);
        let (to, from) = ends.unwrap_or_else(|| {
            let (to, from) = (child.stdin.take(), child.stdout.take());
            (to.unwrap().into(), from.unwrap().into())
        });
        let stderr = child.stderr.take().unwrap();
        let (stderr, unread) = match wires {
            Wires::DeafToStderr => (None, Some(File::from(OwnedFd::from(stderr)))),
            _ => (Some(Kept::of(stderr)), None),
        };
        Host {
            world,
            child,
            begin,
            to: Some(to.into()),
            from: Some(from.into()),
            stderr,
            _unread: unread,
            buffer: Vec::new(),
            inbox: VecDeque::new(),
            last_id: 0,
        }
    }

    /// The id of the process.
    pub fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// How long ago the process was started.
    pub fn age(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Writes a line.
    pub fn send(&mut self, line: &str) {
        let to = self.to.as_mut().unwrap();
        to.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Sends a request without waiting for its answer, and gives its id.
    pub fn request(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&line.to_string());
        id
    }

    /// Waits for the answer to a request: the whole message.
    pub fn answer(&mut self, id: u64) -> Value {
        self.next(&format!("the answer to {id}"), |message| {
            message["id"] == id
        })
    }

    /// Asks, and gives the result.
    ///
    /// # Panics
    /// When the answer is an error.
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        let mut answer = self.answer(id);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    /// Sends `initialize` and gives its id.
    pub fn request_handshake(&mut self) -> u64 {
        let info = json!({ "name": "test-host", "version": "1" });
        let params =
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
        self.request("initialize", &params)
    }

    /// The whole handshake; gives what `initialize` gave.
    pub fn handshake(&mut self) -> Value {
        let id = self.request_handshake();
        let mut answer = self.answer(id);
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer["result"].take()
    }

    /// The names of the tools, in their order.
    pub fn tools(&mut self) -> Vec<String> {
        let list = self.ask("tools/list", &json!({}));
        let tools = list["tools"].as_array().unwrap();
        let names = tools.iter().map(|tool| tool["name"].as_str().unwrap());
        names.map(str::to_owned).collect()
    }

    /// Sends a call without waiting for its answer, and gives its id.
    pub fn request_call(&mut self, tool: &str, arguments: &Value) -> u64 {
        self.request(
            "tools/call",
            &json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// Calls a tool: its text, or as an error what its failure says.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let id = self.request_call(tool, arguments);
        let answer = self.answer(id);
        let result = &answer["result"];
        let blocks = result["content"].as_array();
        let blocks = blocks.unwrap_or_else(|| panic!("{tool}: {answer}"));
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        match result["isError"].as_bool() {
            Some(true) => Err(text),
            _ => Ok(text),
        }
    }

    /// Calls the tool `mcp`.
    pub fn mcp(&mut self, arguments: &Value) -> Result<String, String> {
        self.call("mcp", arguments)
    }

    /// Waits for a notification.
    pub fn notification(&mut self, method: &str) -> Value {
        self.next(method, |message| message["method"] == method)
    }

    /// The next message that fits. Others are kept.
    pub fn next(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + LIMIT;
        let mut looked_at = 0;
        loop {
            if let Some(found) = (looked_at..self.inbox.len()).find(|at| fits(&self.inbox[*at])) {
                return self.inbox.remove(found).unwrap();
            }
            looked_at = self.inbox.len();
            let left = end.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "within {LIMIT:?} not: {what}; {:?}",
                self.inbox
            );
            assert!(
                self.read(left),
                "stdout ended before {what}; {:?}",
                self.inbox
            );
        }
    }

    /// Reads once what there is, waiting for it for at most `limit`; `false` at the end of the stream.
    fn read(&mut self, limit: Duration) -> bool {
        let Some(from) = &mut self.from else {
            return false;
        };
        let timeout = PollTimeout::try_from(limit).unwrap_or(PollTimeout::MAX);
        let mut ready = [PollFd::new(from.as_fd(), PollFlags::POLLIN)];
        if poll(&mut ready, timeout).unwrap() == 0 {
            return true;
        }
        let mut bytes = vec![0; 65536];
        let count = from.read(&mut bytes).unwrap();
        self.buffer.extend_from_slice(&bytes[..count]);
        while let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.buffer.drain(..=end).collect();
            self.inbox.push_back(protocol(&line));
        }
        count > 0
    }

    /// Closes stdin, as a host does that is done.
    pub fn close_stdin(&mut self) {
        self.to = None;
    }

    /// Closes everything, as it is when a host has been killed.
    pub fn vanish(&mut self) {
        self.to = None;
        self.from = None;
        self._unread = None;
    }

    /// Sends the process a signal.
    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.pid()), signal).unwrap();
    }

    /// Whether the process is still there.
    pub fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// What has been on stderr until now.
    pub fn stderr_so_far(&self) -> String {
        self.stderr.as_ref().map(Kept::so_far).unwrap_or_default()
    }

    /// Waits until no child of the process is dead and not waited for.
    pub fn reaps(&self) {
        until("all children are waited for", LIMIT, || {
            let all = Process::all();
            let mut children = all.iter().filter(|it| it.parent == self.pid());
            children.all(Process::lives).then_some(())
        });
    }

    /// Waits for the end of the process, which something has been done to bring about, and of the owner
    /// of its servers, and proves that nothing is left and that nothing but messages was on stdout.
    pub fn end(self) -> Ended {
        let world = self.world;
        let ended = self.end_beside_others();
        world.wait_until_nothing_is_left();
        ended
    }

    /// The same where others run in the same world: that nothing is left is still to be proved.
    pub fn end_beside_others(mut self) -> Ended {
        let asked = Instant::now();
        while self.from.is_some() && asked.elapsed() < LIMIT && self.read(LIMIT) {}
        let status = wait(&mut self.child);
        let took = asked.elapsed();
        let torn = String::from_utf8_lossy(&self.buffer);
        assert!(torn.is_empty(), "a torn line: {torn}");
        let stderr = self.stderr.take().map(Kept::all);
        Ended {
            code: status.code(),
            took,
            stderr: stderr.unwrap_or_default(),
            rest: self.inbox.drain(..).collect(),
        }
    }

    /// Closes stdin and waits for the end. Nothing may be on stderr.
    pub fn leave(mut self) -> Ended {
        self.reaps();
        self.close_stdin();
        let ended = self.end();
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        ended
    }
}

impl Drop for Host<'_> {
    fn drop(&mut self) {
        // Fails when it has ended, as it should have.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A line of stdout as the message that it must be.
fn protocol(line: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(line) {
        Ok(message) if message["jsonrpc"] == "2.0" => message,
        _ => panic!("no message on stdout: {}", String::from_utf8_lossy(line)),
    }
}
