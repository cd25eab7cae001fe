//! How an executor as a whole stops what it started.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::process::{Demand, ProcessControl, Request};
use crate::{ExecutorId, StopGrace, WorkspaceError};

/// How long a task may need to end after its process was sent `KILL`, at most.
pub(crate) const KILL_WAIT: Duration = Duration::from_secs(1);

/// How much an executor wants its processes gone. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Closing {
    stop: CancellationToken,
    kill: CancellationToken,
}

impl Closing {
    pub(crate) fn refuse_if_begun(&self, executor: &ExecutorId) -> Result<(), WorkspaceError> {
        if self.has_begun() {
            return Err(WorkspaceError::ShutDown {
                executor: executor.clone(),
            });
        }
        Ok(())
    }

    pub(crate) fn has_begun(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Waits until the executor closes. Cancel safe.
    pub(crate) async fn begun(&self) {
        self.stop.cancelled().await;
    }

    /// Asks every process to stop, without waiting for it.
    pub(crate) fn begin(&self) {
        self.stop.cancel();
    }

    /// Stops every process and joins the tasks that own them.
    pub(crate) async fn run(&self, tasks: &TaskTracker, executor: &ExecutorId, deadline: Instant) {
        self.begin();
        tasks.close();
        // Leaves the killed a moment to go before the deadline.
        let kill_at = StopGrace::last_chance(Instant::now(), deadline);
        if timeout_at(kill_at, tasks.wait()).await.is_ok() {
            return;
        }
        self.kill.cancel();
        // Every task ends by itself in that time; only a callback that blocks can exceed it.
        let given_up_at = deadline.max(Instant::now()) + 2 * KILL_WAIT;
        if timeout_at(given_up_at, tasks.wait()).await.is_err() {
            tracing::error!(%executor, tasks = tasks.len(), "still busy after shutdown");
        }
    }

    /// The next request of a process's holders or, as far as that is more, of the executor itself.
    /// Cancel safe.
    pub(crate) async fn next_request(&self, control: &mut ProcessControl, than: Demand) -> Request {
        tokio::select! {
            request = control.next_request(than) => request,
            () = self.kill.cancelled(), if than < Demand::Kill => Request::Demand(Demand::Kill),
            () = self.stop.cancelled(), if than < Demand::Stop => Request::Demand(Demand::Stop),
        }
    }
}
