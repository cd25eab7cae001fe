//! The executor's end of a process: what is demanded of it, and what it reports.

use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::StderrTail;
use super::stdin::SharedStdin;
use crate::{ExitStatus, Signal, WorkspaceError};

/// What the holders of a process want of it. It only ever grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Demand {
    /// Keep running.
    Run,
    /// Stop, gently at first.
    Stop,
    /// Stop at once.
    Kill,
}

/// What the holders of a process ask of its executor.
#[derive(Debug)]
pub enum Request {
    /// More is demanded than before.
    Demand(Demand),
    /// A signal is to be delivered to the process group; to be answered.
    Signal(SignalRequest),
}

/// A signal that somebody wants delivered.
#[derive(Debug)]
pub struct SignalRequest {
    /// The signal, for the process group.
    pub signal: Signal,
    pub(super) reply: oneshot::Sender<Result<(), WorkspaceError>>,
}

impl SignalRequest {
    /// Says how the delivery went.
    pub fn answer(self, result: Result<(), WorkspaceError>) {
        // An error means that nobody waits for the answer any more.
        let _ = self.reply.send(result);
    }
}

/// The executor's end of a process, made by [`Process::new`](crate::Process::new).
///
/// The task that owns the process holds it, reports through it, and drops it when nothing of the
/// process is left. If it is dropped without a report, the process counts as lost.
#[derive(Debug)]
pub struct ProcessControl {
    pub(super) demand: watch::Receiver<Demand>,
    pub(super) abandoned: CancellationToken,
    pub(super) signals: mpsc::Receiver<SignalRequest>,
    pub(super) status: watch::Sender<Option<ExitStatus>>,
    pub(super) ended: watch::Sender<bool>,
    pub(super) stdin: SharedStdin,
    pub(super) tail: StderrTail,
}

impl ProcessControl {
    /// What is wanted now. A process whose every part was dropped is to be stopped.
    #[must_use]
    pub fn demand(&self) -> Demand {
        let demand = *self.demand.borrow();
        if self.abandoned.is_cancelled() {
            return demand.max(Demand::Stop);
        }
        demand
    }

    /// Waits until more than `than` is wanted, or a signal is to be delivered. Cancel safe; never
    /// returns if nobody is left who could ask.
    pub async fn next_request(&mut self, than: Demand) -> Request {
        loop {
            let demand = self.demand();
            if demand > than {
                return Request::Demand(demand);
            }
            tokio::select! {
                // A dropped sender disables the branch: the same event as `abandoned`.
                Ok(()) = self.demand.changed() => {}
                Some(signal) = self.signals.recv() => return Request::Signal(signal),
                () = self.abandoned.cancelled(), if than < Demand::Stop => {}
                else => std::future::pending().await,
            }
        }
    }

    /// Keeps `bytes` of standard error in the tail.
    pub fn push_stderr(&self, bytes: &[u8]) {
        self.tail.push(bytes);
    }

    /// Closes standard input, wherever its writing half has been moved.
    pub fn close_stdin(&self) {
        self.stdin.close();
    }

    /// Reports that the process has exited; only the first report counts. Also closes standard
    /// input, so that nobody waits to write to it.
    pub fn report_exit(&self, status: ExitStatus) {
        self.stdin.close();
        self.status.send_if_modified(|current| {
            let first = current.is_none();
            current.get_or_insert(status);
            first
        });
    }

    /// Reports that nothing of the process is left, not even a descendant in its group.
    pub fn report_end(&self) {
        self.ended.send_replace(true);
    }

    pub(crate) fn tail(&self) -> StderrTail {
        self.tail.clone()
    }

    pub(crate) fn has_exited(&self) -> bool {
        self.status.borrow().is_some()
    }
}
