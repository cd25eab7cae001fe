//! The seam between what runs and where it runs.

use async_trait::async_trait;
use tokio::time::Instant;

use crate::{BoxStream, DialTarget, ExecutorId, Process, ProcessSpec, WorkspaceError};

/// A place where processes are started and streams are dialled.
///
/// It owns all it started: nothing outlives [`shutdown`](Self::shutdown). It does not own what the
/// processes say, when they are started again, or how often.
#[async_trait]
pub trait Workspace: Send + Sync {
    /// The executor's name.
    fn id(&self) -> &ExecutorId;

    /// Starts a process in a group of its own, with piped standard streams.
    ///
    /// Returns once the program runs; whether it answers is another matter. Dropping the future
    /// leaves no process behind.
    ///
    /// # Errors
    /// Among others [`WorkspaceError::NotFound`] (no such program), [`WorkspaceError::Spawn`] (it
    /// cannot be run), [`WorkspaceError::Limit`] and [`WorkspaceError::ShutDown`].
    async fn start_process(&self, spec: ProcessSpec) -> Result<Process, WorkspaceError>;

    /// Opens a stream to an address as seen from the executor, within
    /// [`DIAL_TIMEOUT`](crate::DIAL_TIMEOUT).
    ///
    /// Dropping the future gives the attempt up.
    ///
    /// # Errors
    /// Among others [`WorkspaceError::Refused`], [`WorkspaceError::Unreachable`] and
    /// [`WorkspaceError::Timeout`].
    async fn dial(&self, target: DialTarget) -> Result<BoxStream, WorkspaceError>;

    /// Checks cheaply that the executor can be used now.
    ///
    /// # Errors
    /// Whatever [`start_process`](Self::start_process) would meet before it looks at a program.
    async fn probe(&self) -> Result<(), WorkspaceError>;

    /// Stops all that was started here, in parallel, each within its own grace and all within
    /// `deadline`; what is still there then is killed.
    ///
    /// Returns when everything is gone or the killed had a moment to go. Nothing can be started
    /// afterwards. May be called again, also while another call runs. Dropping the future does not
    /// take the request to stop back.
    async fn shutdown(&self, deadline: Instant);
}
