//! Draining a process's standard error, from its first moment and whether anybody reads it or not.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::sync::oneshot;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::process::StderrTail;
use crate::process_spec::StderrSink;

/// How long after the leader's exit a descendant may go on writing.
pub(super) const LINGER: Duration = Duration::from_secs(2);

const CHUNK: usize = 8 * 1024;
/// More than a pipe holds unless the system's limit on it has been raised.
const MOST_DRAINED: usize = 1024 * 1024;

/// Reads the pipe into the tail and the spec's callback.
pub(super) struct StderrPump {
    pub(super) stderr: ChildStderr,
    pub(super) tail: StderrTail,
    pub(super) sink: Option<StderrSink>,
    /// The leader has exited.
    pub(super) exited: CancellationToken,
    /// Dropped when all that the leader wrote before its exit has been read.
    pub(super) flushed: oneshot::Sender<()>,
    /// The group is empty.
    pub(super) ended: CancellationToken,
}

impl StderrPump {
    /// Runs until the pipe ends, the group is empty, or [`LINGER`] after the leader's exit.
    pub(super) async fn run(mut self) {
        let exited = self.exited.clone();
        tokio::select! {
            () = self.read_to_end() => return,
            () = exited.cancelled() => {}
        }
        self.drain();
        drop(std::mem::replace(&mut self.flushed, oneshot::channel().0));

        let ended = self.ended.clone();
        tokio::select! {
            () = self.read_to_end() => return,
            () = ended.cancelled() => {}
            () = sleep(LINGER) => {}
        }
        self.drain();
    }

    /// Cancel safe: a chunk is handed on without waiting once it has been read.
    async fn read_to_end(&mut self) {
        let mut chunk = vec![0; CHUNK];
        loop {
            match self.stderr.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(length) => self.take(&chunk[..length]),
            }
        }
    }

    /// Reads what is in the pipe now.
    ///
    /// Asks the kernel itself: the runtime may not have noticed yet that something arrived, and
    /// would say that there is nothing.
    fn drain(&mut self) {
        let mut chunk = vec![0; CHUNK];
        let mut drained = 0;
        while drained < MOST_DRAINED {
            match nix::unistd::read(&self.stderr, &mut chunk) {
                Ok(0) | Err(_) => return,
                Ok(length) => self.take(&chunk[..length]),
            }
            drained += CHUNK;
        }
    }

    fn take(&self, chunk: &[u8]) {
        self.tail.push(chunk);
        if let Some(sink) = &self.sink {
            sink(chunk);
        }
    }
}
