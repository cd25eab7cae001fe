//! A running process as its user holds it: two streams and a handle.

mod control;
mod handle;
mod stderr_tail;
mod stdin;
mod stdout;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

pub use control::{Demand, ProcessControl, Request, SignalRequest};
pub use handle::ProcessHandle;
pub use stderr_tail::STDERR_TAIL_BYTES;
pub use stdin::Stdin;

pub(crate) use stderr_tail::StderrTail;

use handle::Shared;
use stdin::SharedStdin;
use stdout::Stdout;

/// How many signals may wait for an executor before a sender has to wait too.
const SIGNALS_IN_FLIGHT: usize = 8;

/// The reading half of a stream.
pub type BoxRead = Box<dyn AsyncRead + Send + Unpin>;

/// Kept by every part of a [`Process`]; when the last one is dropped, the executor is told.
pub(crate) type Alive = Arc<DropGuard>;

/// A running process.
///
/// The parts may be moved to different tasks. When all of them are dropped, clones of the handle
/// included, the executor stops the process in the background.
pub struct Process {
    /// The process's standard input.
    pub stdin: Stdin,
    /// The process's standard output. It ends when the process closes it, or two seconds after the
    /// process has exited although a descendant may still hold it open.
    pub stdout: BoxRead,
    /// Everything else: waiting, stopping, the tail of standard error.
    pub handle: ProcessHandle,
}

/// What an executor has in hand when it has started a process; see [`Process::new`].
pub struct ProcessSource {
    /// The name from the spec.
    pub name: String,
    /// The process id, if the executor knows one.
    pub id: Option<u32>,
    /// Where the process's input goes. Dropping it must close the pipe.
    pub stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// Where the process's output comes from.
    pub stdout: BoxRead,
    /// How long after the exit the output may stay open and silent before it is ended.
    pub stdout_linger: Duration,
}

impl Process {
    /// Makes a process out of its streams, and the control by which its executor reports on it.
    ///
    /// Only executors need this.
    #[must_use]
    pub fn new(source: ProcessSource) -> (Self, ProcessControl) {
        let abandoned = CancellationToken::new();
        let alive: Alive = Arc::new(abandoned.clone().drop_guard());
        let stdin = SharedStdin::new(source.stdin);
        let tail = StderrTail::default();
        let (demand_tx, demand) = watch::channel(Demand::Run);
        let (signals_tx, signals) = mpsc::channel(SIGNALS_IN_FLIGHT);
        let (status_tx, status) = watch::channel(None);
        let (ended_tx, ended) = watch::channel(false);

        let stdout = Stdout::new(
            source.stdout,
            status.clone(),
            source.stdout_linger,
            alive.clone(),
        );
        let shared = Shared {
            name: source.name,
            id: source.id,
            started_at: Instant::now(),
            demand: demand_tx,
            signals: signals_tx,
            status,
            ended,
            tail: tail.clone(),
        };
        let process = Self {
            stdin: Stdin::new(stdin.clone(), alive.clone()),
            stdout: Box::new(stdout),
            handle: ProcessHandle::new(Arc::new(shared), alive),
        };
        let control = ProcessControl {
            demand,
            abandoned,
            signals,
            status: status_tx,
            ended: ended_tx,
            stdin,
            tail,
        };
        (process, control)
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("handle", &self.handle)
            .finish_non_exhaustive()
    }
}
