//! One channel's conversation, and the process behind it, from opening to the last words.

use std::sync::Arc;
use std::time::Duration;

use mcp_rpc::{DriverOptions, Peer};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use workspace::{ProcessHandle, StderrSink};

use super::{Current, Inner};
use crate::inbound::SharedInbound;
use crate::{Channel, Ended};

/// How long the exit status and the last words of a process that has closed its output are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// One channel's conversation: who sends in it, and the process behind it. It is driven by a task.
pub(super) struct Conversation {
    pub(super) peer: Peer,
    process: Option<ProcessHandle>,
    pub(super) ended: CancellationToken,
    abort: CancellationToken,
}

impl Inner {
    /// What notes that the server has printed something.
    pub(super) fn on_output(&self) -> StderrSink {
        let inbound = self.inbound.clone();
        Arc::new(move |_: &[u8]| inbound.note_output())
    }

    /// Begins the conversation over a channel.
    pub(super) fn converse(&self, channel: Channel) -> Conversation {
        let handler = Arc::new(SharedInbound(self.inbound.clone()));
        let (peer, driver) = mcp_rpc::connect(
            channel.reader,
            channel.writer,
            handler,
            DriverOptions::default(),
        );
        let ended = CancellationToken::new();
        let abort = CancellationToken::new();
        let (guard, aborted) = (ended.clone().drop_guard(), abort.clone());
        self.tasks.spawn(async move {
            tokio::select! {
                reason = driver => tracing::debug!(%reason, "conversation ended"),
                () = aborted.cancelled() => tracing::debug!("conversation aborted: the server does not read"),
            }
            drop(guard);
        });
        *self.current() = Current {
            peer: Some(peer.clone()),
            process: channel.process.clone(),
        };
        Conversation {
            peer,
            process: channel.process,
            ended,
            abort,
        }
    }
}

impl Conversation {
    /// Ends the conversation and stops the process; nothing of either is left.
    pub(super) async fn finish(&self) {
        self.peer.close();
        if let Some(process) = &self.process {
            process.stop().await;
        }
        // What is queued is written first, but not for a server that no longer reads.
        if timeout(LAST_WORDS, self.ended.cancelled()).await.is_err() {
            self.abort.cancel();
            self.ended.cancelled().await;
        }
    }

    /// How the server ended, once it has: gives its process a moment to be reaped and its last words to
    /// arrive.
    pub(super) async fn last_words(&self) -> Ended {
        let exit = match &self.process {
            Some(process) => timeout(LAST_WORDS, process.wait()).await.ok(),
            None => None,
        };
        Ended {
            exit,
            ..self.words()
        }
    }

    pub(super) fn words(&self) -> Ended {
        Ended {
            exit: self.process.as_ref().and_then(ProcessHandle::exit_status),
            reason: "the server closed the connection".to_owned(),
            stderr_tail: self
                .process
                .as_ref()
                .map(ProcessHandle::stderr_tail)
                .unwrap_or_default(),
        }
    }
}
