//! The dead man's switch: a process of its own that stops all servers when their owner dies.
//!
//! It is a shell script that reads from a pipe which only the owner holds open. However the owner
//! ends, the pipe ends with it: also for a server that is just being started, as its process holds
//! the pipe until it has become the server, and carries the nonce from then on. (Only a server that
//! clears its environment before its group has been told, some microseconds later, is not known.)

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, PipeReader, PipeWriter, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use crate::nonce::ExecutorNonce;
use crate::process_table;

const SCRIPT: &str = include_str!("reaper/script.sh");

/// Always there on a POSIX system.
pub(crate) const SH: &str = "/bin/sh";

/// How often it is started in all: it can only be lost by somebody's or the system's `KILL`.
const MOST_STARTS: u8 = 5;
/// How long it may take to end once it has nothing to do.
const END_WAIT: Duration = Duration::from_secs(1);
/// How long a full pipe is waited for: its reader does nothing but read.
const WRITE_WAIT: Duration = Duration::from_millis(100);

/// Keeps the script running and told of what there is to guard. Dropping the last reference ends
/// it, after it has stopped what it still guards.
pub(crate) struct Reaper {
    nonce: ExecutorNonce,
    /// Where its few programs are searched.
    search_path: String,
    tasks: TaskTracker,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    link: Option<PipeWriter>,
    starts: u8,
    ended: bool,
    /// Group and start time of its leader, as the script is told.
    groups: BTreeMap<i32, u64>,
    /// How to remove the containers of a server, by its number.
    boxes: BTreeMap<u64, Vec<String>>,
}

impl Reaper {
    pub(crate) fn new(nonce: ExecutorNonce, search_path: &str) -> Arc<Self> {
        Arc::new(Self {
            nonce,
            // Those of the system first: nothing of a project's shall stand in for `grep`.
            search_path: ["/usr/bin", "/bin"]
                .into_iter()
                .chain(search_path.split(':').filter(|path| path.starts_with('/')))
                .collect::<Vec<_>>()
                .join(":"),
            tasks: TaskTracker::new(),
            state: Mutex::default(),
        })
    }

    pub(crate) fn nonce(&self) -> &ExecutorNonce {
        &self.nonce
    }

    /// Sees to it that it runs, before the first server does. May block for the few milliseconds
    /// that it takes to start a process. Needs the runtime.
    pub(crate) fn ensure(self: &Arc<Self>) {
        let mut state = self.lock();
        if state.link.is_some() || state.ended || state.starts >= MOST_STARTS {
            return;
        }
        state.starts += 1;
        if let Err(error) = self.start(&mut state) {
            state.link = None;
            tracing::warn!(%error, "no reaper: servers may outlive a crash of this process");
        }
    }

    fn start(self: &Arc<Self>, state: &mut State) -> io::Result<()> {
        let (commands, link) = io::pipe()?;
        fcntl(&link, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        state.link = Some(link);
        // Before it runs: we may be killed in between.
        let known: Vec<_> = state.lines().collect();
        for line in known {
            state.tell(&line);
        }
        self.watch(self.spawn(commands)?);
        Ok(())
    }

    /// Guards a group until [`forget_group`](Self::forget_group).
    ///
    /// `start` is the start time of its leader. Zero matches no process, which leaves the nonce to
    /// prove whose the group is.
    pub(crate) fn guard_group(&self, group: i32, start: u64) {
        let mut state = self.lock();
        state.groups.insert(group, start);
        state.tell(&format!("add {group}:{start}"));
    }

    /// Must be called as soon as the group is empty, since its id may then be somebody else's.
    pub(crate) fn forget_group(&self, group: i32) {
        let mut state = self.lock();
        if let Some(start) = state.groups.remove(&group) {
            state.tell(&format!("del {group}:{start}"));
        }
    }

    /// Guards the containers of a server until [`forget_boxes`](Self::forget_boxes). The words are
    /// quoted for a shell; see the script.
    pub(crate) fn guard_boxes(&self, server: u64, boxes: Vec<String>) {
        let mut state = self.lock();
        for words in &boxes {
            state.tell(&format!("box {server} {words}"));
        }
        state.boxes.insert(server, boxes);
    }

    /// The containers have been removed.
    pub(crate) fn forget_boxes(&self, server: u64) {
        let mut state = self.lock();
        if state.boxes.remove(&server).is_some() {
            state.tell(&format!("unbox {server}"));
        }
    }

    /// Ends it. It stops what it still guards, which is nothing after an orderly shutdown.
    pub(crate) async fn end(&self) {
        let guards_something = {
            let mut state = self.lock();
            state.ended = true;
            let guards_something = !state.groups.is_empty() || !state.boxes.is_empty();
            if !guards_something {
                state.tell("bye");
            }
            state.link = None;
            guards_something
        };
        self.tasks.close();
        if guards_something {
            tracing::warn!("the reaper goes on with what could not be stopped");
        } else if timeout(END_WAIT, self.tasks.wait()).await.is_err() {
            tracing::warn!("the reaper is still there");
        }
    }

    fn spawn(&self, commands: PipeReader) -> io::Result<Child> {
        let nonce = self.nonce.to_string();
        Command::new(self.shell())
            // Nothing in its arguments names us or an engine, so that whoever kills processes by
            // such a name does not kill it.
            .args(["-c", &bare_script(), "reaper", &nonce, process_table::ROOT])
            // It needs no more, and must not carry the nonce of an executor above us.
            .env_clear()
            .env("PATH", &self.search_path)
            .env("LC_ALL", "C")
            .current_dir("/")
            .stdin(commands)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // What a terminal or a host sends to our group does not reach it.
            .process_group(0)
            .spawn()
    }

    fn shell(&self) -> PathBuf {
        find_shell(&self.search_path).unwrap_or_else(|| PathBuf::from(SH))
    }

    /// Reaps it, and starts it again if it was killed.
    fn watch(self: &Arc<Self>, mut child: Child) {
        let reaper = Arc::downgrade(self);
        self.tasks.spawn(async move {
            let status = child.wait().await;
            let Some(reaper) = reaper.upgrade() else {
                return;
            };
            {
                let mut state = reaper.lock();
                if state.ended {
                    return;
                }
                state.link = None;
            }
            tracing::warn!(?status, "the reaper was lost; it is started again");
            let again = tokio::task::spawn_blocking(move || reaper.ensure());
            let _ = again.await;
        });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What a new one has to be told.
    fn lines(&self) -> impl Iterator<Item = String> {
        let groups = self.groups.iter();
        let boxes = self.boxes.iter().flat_map(|(server, boxes)| {
            boxes
                .iter()
                .map(move |words| format!("box {server} {words}"))
        });
        groups
            .map(|(group, start)| format!("add {group}:{start}"))
            .chain(boxes)
    }

    /// Sends a line. Never closes the pipe, as that would stop every server.
    fn tell(&mut self, line: &str) {
        let Some(link) = &mut self.link else {
            return;
        };
        let line = format!("{line}\n");
        let mut rest = line.as_bytes();
        let begun = std::time::Instant::now();
        while !rest.is_empty() {
            match link.write(rest) {
                Ok(length) => rest = &rest[length..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error)
                    if error.kind() == ErrorKind::WouldBlock && begun.elapsed() < WRITE_WAIT =>
                {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) => {
                    // Lost ones are replaced by who waits for them.
                    tracing::warn!(%error, "the reaper does not listen");
                    return;
                }
            }
        }
    }
}

/// The shell that runs the script, if there is one.
pub(crate) fn find_shell(search_path: &str) -> Option<PathBuf> {
    let elsewhere = search_path
        .split(':')
        .filter(|directory| directory.starts_with('/'))
        .map(|directory| PathBuf::from(directory).join("sh"));
    std::iter::once(PathBuf::from(SH))
        .chain(elsewhere)
        .find(|path| path.is_file())
}

/// The script as process lists show it: without its comments.
fn bare_script() -> String {
    let lines = SCRIPT.lines().map(str::trim_start);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .flat_map(|line| [line, "\n"])
        .collect()
}
