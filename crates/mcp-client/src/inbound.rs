//! What a server asks and tells: `ping` is answered, changed lists are counted, and whatever we did not
//! offer is refused at once.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use mcp_proto::list::ListKind;
use mcp_proto::{ErrorObject, Notification, Raw, Request, methods};
use mcp_rpc::{Answer, Handler, Noise, Peer};
use tokio::sync::watch;

/// The longest noise line that is remembered, in characters.
const NOISE_LENGTH: usize = 200;

/// The receiving half of a client. Everything here returns at once: it runs on the task that reads.
pub(crate) struct Inbound {
    tools_changed: watch::Sender<u64>,
    resources_changed: watch::Sender<u64>,
    prompts_changed: watch::Sender<u64>,
    /// Ticks at the first output of any kind, and at every later one.
    output: watch::Sender<u64>,
    noise_lines: AtomicU64,
    last_noise: Mutex<Option<String>>,
}

impl Default for Inbound {
    fn default() -> Self {
        Inbound {
            tools_changed: watch::Sender::new(0),
            resources_changed: watch::Sender::new(0),
            prompts_changed: watch::Sender::new(0),
            output: watch::Sender::new(0),
            noise_lines: AtomicU64::new(0),
            last_noise: Mutex::new(None),
        }
    }
}

impl Inbound {
    /// Counts how often the server said that a list is another, since before its handshake: what was
    /// said early is not lost.
    pub(crate) fn changes(&self, kind: ListKind) -> &watch::Sender<u64> {
        match kind {
            ListKind::Tools => &self.tools_changed,
            ListKind::Resources | ListKind::ResourceTemplates => &self.resources_changed,
            ListKind::Prompts => &self.prompts_changed,
        }
    }

    /// Notes that the server has printed something.
    pub(crate) fn note_output(&self) {
        self.output.send_modify(|count| *count += 1);
    }

    pub(crate) fn output(&self) -> watch::Receiver<u64> {
        self.output.subscribe()
    }

    /// How many lines were no messages, and the last of them.
    pub(crate) fn noise(&self) -> (u64, Option<String>) {
        let last = self
            .last_noise
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        (self.noise_lines.load(Ordering::Relaxed), last)
    }
}

/// Shared between the conversation, which owns a handler, and the client.
pub(crate) struct SharedInbound(pub(crate) std::sync::Arc<Inbound>);

impl Handler for SharedInbound {
    fn request(&self, request: Request, _: &Peer) -> Answer {
        Answer::Now(match request.method.as_ref() {
            methods::PING => Ok(Raw::empty_object()),
            other => {
                tracing::debug!(
                    method = other,
                    "refused a request that we did not offer to answer"
                );
                Err(ErrorObject::method_not_found(other))
            }
        })
    }

    fn notification(&self, notification: Notification, _: &Peer) {
        let kind = match notification.method.as_ref() {
            methods::TOOLS_LIST_CHANGED => ListKind::Tools,
            methods::RESOURCES_LIST_CHANGED => ListKind::Resources,
            methods::PROMPTS_LIST_CHANGED => ListKind::Prompts,
            other => return tracing::trace!(method = other, "notification"),
        };
        // Only counted: reading the list again would wait for an answer that this task must deliver.
        self.0.changes(kind).send_modify(|count| *count += 1);
    }

    fn noise(&self, noise: Noise<'_>) {
        self.0.note_output();
        match noise {
            Noise::Line { line, .. } => {
                self.0.noise_lines.fetch_add(1, Ordering::Relaxed);
                let text: String = String::from_utf8_lossy(line)
                    .chars()
                    .take(NOISE_LENGTH)
                    .collect();
                *self
                    .0
                    .last_noise
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = Some(text);
            }
            Noise::TooLong(bytes) => {
                tracing::warn!(bytes, "a line from the server is too long and was skipped")
            }
            Noise::Stray(what) => tracing::debug!(what, "skipped"),
        }
    }
}
