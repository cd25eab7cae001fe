//! The cheap clone by which a process is watched and stopped.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::{Alive, Demand, SignalRequest, StderrTail};
use crate::{ExitStatus, Signal, WorkspaceError};

/// A handle to a process; clones are cheap and equal.
///
/// No method holds the process up or fails because another one is used at the same time, and
/// dropping a future of any of them takes nothing back.
#[derive(Clone)]
pub struct ProcessHandle {
    shared: Arc<Shared>,
    _alive: Alive,
}

pub(super) struct Shared {
    pub(super) name: String,
    pub(super) id: Option<u32>,
    pub(super) started_at: Instant,
    pub(super) demand: watch::Sender<Demand>,
    pub(super) signals: mpsc::Sender<SignalRequest>,
    pub(super) status: watch::Receiver<Option<ExitStatus>>,
    pub(super) ended: watch::Receiver<bool>,
    pub(super) tail: StderrTail,
}

impl ProcessHandle {
    pub(super) fn new(shared: Arc<Shared>, alive: Alive) -> Self {
        Self {
            shared,
            _alive: alive,
        }
    }

    /// The name from the spec.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// The process id on its executor, if that knows one. It may have been given to another
    /// process once this one has exited.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.shared.id
    }

    /// When the process was started.
    #[must_use]
    pub fn started_at(&self) -> Instant {
        self.shared.started_at
    }

    /// Waits until the process itself has exited, whatever its descendants do.
    ///
    /// All that it wrote to standard error until then is in [`stderr_tail`](Self::stderr_tail).
    pub async fn wait(&self) -> ExitStatus {
        let mut status = self.shared.status.clone();
        // An error means that the executor went away; `exit_status` says so.
        let _ = status.wait_for(Option::is_some).await;
        self.exit_status().unwrap_or_else(abandoned_by_executor)
    }

    /// How the process ended, or `None` while it runs.
    #[must_use]
    pub fn exit_status(&self) -> Option<ExitStatus> {
        let executor_gone = self.shared.status.has_changed().is_err();
        let status = self.shared.status.borrow().clone();
        if status.is_none() && executor_gone {
            return Some(abandoned_by_executor());
        }
        status
    }

    /// The last 4,096 bytes of standard error as text, cut between characters; bytes that are not
    /// UTF-8 are replaced.
    #[must_use]
    pub fn stderr_tail(&self) -> String {
        self.shared.tail.text()
    }

    /// The last line of standard error that is not blank, trimmed, also when its end is still to
    /// come. `None` if there is none.
    #[must_use]
    pub fn last_stderr_line(&self) -> Option<String> {
        let tail = self.stderr_tail();
        let line = tail.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(line.trim().to_owned())
    }

    /// Sends a signal to the process group.
    ///
    /// # Errors
    /// [`WorkspaceError::NotFound`] if nothing of the group is left, [`WorkspaceError::Io`] if the
    /// signal cannot be delivered.
    pub async fn signal(&self, signal: Signal) -> Result<(), WorkspaceError> {
        let (reply, delivered) = oneshot::channel();
        let request = SignalRequest { signal, reply };
        if self.shared.signals.send(request).await.is_err() {
            return Err(self.already_ended());
        }
        match delivered.await {
            Ok(result) => result,
            Err(_) => Err(self.already_ended()),
        }
    }

    /// Stops the process and every member of its group: closes its standard input, then `TERM`,
    /// then `KILL`, as the spec's [`StopGrace`](crate::StopGrace) says.
    ///
    /// Returns when the group is empty, or when `KILL` did not empty it in time. Joins a stop that
    /// is under way. Dropping the future does not take the stop back.
    pub async fn stop(&self) -> ExitStatus {
        self.demand(Demand::Stop).await
    }

    /// Stops the process and every member of its group with `KILL`, at once; turns a stop that is
    /// under way into this.
    ///
    /// Returns as [`stop`](Self::stop) does.
    pub async fn kill(&self) -> ExitStatus {
        self.demand(Demand::Kill).await
    }

    async fn demand(&self, demand: Demand) -> ExitStatus {
        self.shared.demand.send_if_modified(|current| {
            let more = demand > *current;
            *current = demand.max(*current);
            more
        });
        let mut ended = self.shared.ended.clone();
        // An error means that the executor went away, which ends the wait as well.
        let _ = ended.wait_for(|ended| *ended).await;
        self.exit_status().unwrap_or_else(abandoned_by_executor)
    }

    fn already_ended(&self) -> WorkspaceError {
        let status = self.exit_status().unwrap_or_else(abandoned_by_executor);
        WorkspaceError::NotFound {
            what: format!("process `{}`: it {status}; start it again", self.name()),
        }
    }
}

fn abandoned_by_executor() -> ExitStatus {
    ExitStatus::Lost("its executor went away".to_owned())
}

impl fmt::Debug for ProcessHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessHandle")
            .field("name", &self.shared.name)
            .field("id", &self.shared.id)
            .field("exit_status", &self.exit_status())
            .finish_non_exhaustive()
    }
}
