//! A workspace that starts nothing: it records what was asked and lets a test play the servers.
//!
//! ```
//! use tokio::io::{AsyncReadExt, AsyncWriteExt};
//! use workspace::recording::RecordingWorkspace;
//! use workspace::{ExitStatus, ProcessSpec, Workspace};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let workspace = RecordingWorkspace::local();
//! let mut process = workspace.start_process(ProcessSpec::new("demo", "demo-server")).await?;
//! assert_eq!(workspace.starts()[0].program, "demo-server");
//!
//! let mut server = workspace.next_process().await;
//! server.stdout.write_all(b"hello\n").await?;
//! server.control.write_stderr(b"going down\n");
//! server.control.exit(ExitStatus::Code(3));
//!
//! assert_eq!(process.handle.wait().await, ExitStatus::Code(3));
//! assert_eq!(process.handle.last_stderr_line().as_deref(), Some("going down"));
//! let mut said = String::new();
//! process.stdout.read_to_string(&mut said).await?;
//! assert_eq!(said, "hello\n");
//! # Ok(())
//! # }
//! ```
//!
//! Its timers are tokio's, so it works under a paused clock.

mod driver;
mod inbox;
mod recorded;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::duplex;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use crate::closing::Closing;
use crate::{
    BoxStream, DialTarget, ExecutorId, Process, ProcessSource, ProcessSpec, Workspace,
    WorkspaceError,
};
use driver::Driver;
use inbox::Inbox;

pub use recorded::{RecordedControl, RecordedDial, RecordedProcess};

/// As much as a pipe holds.
const BUFFER: usize = 64 * 1024;
/// Cannot be the id of a real process, in case somebody sends a signal to it.
const FIRST_ID: u32 = 4_000_000_000;

type StartRule = Box<dyn Fn(&ProcessSpec) -> Option<WorkspaceError> + Send>;

/// A [`Workspace`] that records starts and dials, and answers them in memory.
pub struct RecordingWorkspace {
    id: ExecutorId,
    asked: Mutex<Asked>,
    attempts: watch::Sender<usize>,
    processes: Inbox<RecordedProcess>,
    streams: Inbox<RecordedDial>,
    tasks: TaskTracker,
    closing: Closing,
}

/// What was asked so far, and what is to fail next.
#[derive(Default)]
struct Asked {
    starts: Vec<ProcessSpec>,
    dials: Vec<DialTarget>,
    start_rule: Option<StartRule>,
    next_start: VecDeque<WorkspaceError>,
    next_dial: VecDeque<WorkspaceError>,
    next_probe: VecDeque<WorkspaceError>,
}

impl RecordingWorkspace {
    /// A workspace for this executor.
    #[must_use]
    pub fn new(id: ExecutorId) -> Self {
        Self {
            id,
            asked: Mutex::default(),
            attempts: watch::Sender::new(0),
            processes: Inbox::default(),
            streams: Inbox::default(),
            tasks: TaskTracker::new(),
            closing: Closing::default(),
        }
    }

    /// A workspace that takes the place of this machine.
    #[must_use]
    pub fn local() -> Self {
        Self::new(ExecutorId::local())
    }

    /// The specs of all attempts to start a process, the failed ones too, in order.
    #[must_use]
    pub fn starts(&self) -> Vec<ProcessSpec> {
        self.asked().starts.clone()
    }

    /// The targets of all attempts to dial, the failed ones too, in order.
    #[must_use]
    pub fn dials(&self) -> Vec<DialTarget> {
        self.asked().dials.clone()
    }

    /// Waits until there have been at least `count` attempts to start a process.
    pub async fn started_at_least(&self, count: usize) {
        let mut attempts = self.attempts.subscribe();
        // Cannot fail: the sender is in `self`.
        let _ = attempts.wait_for(|attempts| *attempts >= count).await;
    }

    /// Makes one start fail. Called repeatedly, the errors are used in turn.
    pub fn fail_next_start(&self, error: WorkspaceError) {
        self.asked().next_start.push_back(error);
    }

    /// Asks `rule` at every start from now on; an error that it returns is the start's. Replaces
    /// the rule before.
    pub fn fail_starts(
        &self,
        rule: impl Fn(&ProcessSpec) -> Option<WorkspaceError> + Send + 'static,
    ) {
        self.asked().start_rule = Some(Box::new(rule));
    }

    /// Makes one dial fail. Called repeatedly, the errors are used in turn.
    pub fn fail_next_dial(&self, error: WorkspaceError) {
        self.asked().next_dial.push_back(error);
    }

    /// Makes one probe fail. Called repeatedly, the errors are used in turn.
    pub fn fail_next_probe(&self, error: WorkspaceError) {
        self.asked().next_probe.push_back(error);
    }

    /// The server's side of the next process that was started and not taken yet; waits for one.
    /// Cancel safe.
    pub async fn next_process(&self) -> RecordedProcess {
        self.processes.next().await
    }

    /// The far side of the next stream that was dialled and not taken yet; waits for one. Cancel
    /// safe.
    pub async fn next_dial(&self) -> RecordedDial {
        self.streams.next().await
    }

    /// How many processes were started and have not ended.
    #[must_use]
    pub fn running(&self) -> usize {
        self.tasks.len()
    }

    /// Whether [`shutdown`](Workspace::shutdown) has been called.
    #[must_use]
    pub fn is_shut_down(&self) -> bool {
        self.closing.has_begun()
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a start, and says which number it has or how it is to fail.
    fn record_start(&self, spec: &ProcessSpec) -> Result<usize, WorkspaceError> {
        let mut asked = self.asked();
        asked.starts.push(spec.clone());
        let number = asked.starts.len();
        self.attempts.send_replace(number);
        self.closing.refuse_if_begun(&self.id)?;
        let ruled_out = asked.start_rule.as_ref().and_then(|rule| rule(spec));
        match ruled_out.or_else(|| asked.next_start.pop_front()) {
            Some(error) => Err(error),
            None => Ok(number),
        }
    }
}

#[async_trait]
impl Workspace for RecordingWorkspace {
    fn id(&self) -> &ExecutorId {
        &self.id
    }

    async fn start_process(&self, spec: ProcessSpec) -> Result<Process, WorkspaceError> {
        let number = self.record_start(&spec)?;
        let (host_stdin, stdin) = duplex(BUFFER);
        let (host_stdout, stdout) = duplex(BUFFER);
        let (process, control) = Process::new(ProcessSource {
            name: spec.name.clone(),
            id: u32::try_from(number).ok().map(|number| FIRST_ID + number),
            stdin: Box::new(host_stdin),
            stdout: Box::new(host_stdout),
            stdout_linger: Duration::ZERO,
        });
        let recorded = RecordedControl::new(control.tail(), spec.on_stderr.clone());
        let driver = Driver {
            control,
            recorded: recorded.clone(),
            grace: spec.grace,
            closing: self.closing.clone(),
        };
        self.tasks.spawn(driver.run());
        self.processes.push(RecordedProcess {
            spec,
            stdin,
            stdout,
            control: recorded,
        });
        Ok(process)
    }

    async fn dial(&self, target: DialTarget) -> Result<BoxStream, WorkspaceError> {
        {
            let mut asked = self.asked();
            asked.dials.push(target.clone());
            self.closing.refuse_if_begun(&self.id)?;
            if let Some(error) = asked.next_dial.pop_front() {
                return Err(error);
            }
        }
        let (ours, stream) = duplex(BUFFER);
        self.streams.push(RecordedDial { target, stream });
        Ok(Box::new(ours))
    }

    async fn probe(&self) -> Result<(), WorkspaceError> {
        self.closing.refuse_if_begun(&self.id)?;
        match self.asked().next_probe.pop_front() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    async fn shutdown(&self, deadline: Instant) {
        self.closing.run(&self.tasks, &self.id, deadline).await;
    }
}

impl Drop for RecordingWorkspace {
    fn drop(&mut self) {
        self.closing.begin();
    }
}

impl fmt::Debug for RecordingWorkspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordingWorkspace")
            .field("id", &self.id)
            .field("running", &self.running())
            .finish_non_exhaustive()
    }
}
