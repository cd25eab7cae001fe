//! The sending half of a conversation: a cheap handle to it.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use mcp_proto::message::{write_id, write_notification, write_request};
use mcp_proto::notifications::{Progress, ProgressParams};
use mcp_proto::{ProgressToken, Raw, RequestId, methods};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;

use crate::{CloseReason, Conversation, RpcError};

/// Above so many unwritten bytes, new requests wait and progress is dropped.
const HIGH_WATER: usize = 1024 * 1024;

/// Where progress of a request goes. Called by the task that reads: it must return at once.
pub type ProgressSink = Arc<dyn Fn(ProgressParams) + Send + Sync>;

/// Sends requests and notifications; clones send in the same conversation.
#[derive(Clone)]
pub struct Peer {
    pub(crate) shared: Arc<Shared>,
}

/// What the handles and the driver of one conversation share.
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Wakes those who wait for unwritten bytes to become fewer.
    pub(crate) room: Notify,
}

/// The lock is held to add or take bytes and waiters, never while something is awaited.
pub(crate) struct State {
    pub(crate) conversation: Conversation<Ticket, CancellationToken>,
    /// Whole lines that the driver has not taken yet.
    pub(crate) outbox: Vec<u8>,
    /// Wakes the driver.
    pub(crate) driver: Option<Waker>,
    pub(crate) close_requested: bool,
    pub(crate) closed: Option<CloseReason>,
}

/// Who waits for a response.
pub(crate) struct Ticket {
    reply: oneshot::Sender<Result<Raw, RpcError>>,
    progress: Option<ProgressSink>,
    cancellable: bool,
}

impl Ticket {
    pub(crate) fn resolve(self, outcome: Result<Raw, RpcError>) {
        // The caller may have gone in the meantime.
        drop(self.reply.send(outcome));
    }

    pub(crate) fn is_cancellable(&self) -> bool {
        self.cancellable
    }

    pub(crate) fn progress(&self) -> Option<ProgressSink> {
        self.progress.clone()
    }
}

/// How a request is sent.
#[derive(Clone)]
pub struct RequestOptions {
    /// When to give up waiting; `None` waits until an answer or the end of the conversation.
    pub deadline: Option<Instant>,
    /// Whether the other side is told when the answer is no longer wanted. Not so for `initialize`.
    pub cancellable: bool,
    /// Where progress goes. The request's parameters must name its id as progress token.
    pub progress: Option<ProgressSink>,
}

impl Default for RequestOptions {
    fn default() -> Self {
        RequestOptions {
            deadline: None,
            cancellable: true,
            progress: None,
        }
    }
}

impl Peer {
    pub(crate) fn new() -> Self {
        let state = State {
            conversation: Conversation::default(),
            outbox: Vec::new(),
            driver: None,
            close_requested: false,
            closed: None,
        };
        Peer {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
                room: Notify::new(),
            }),
        }
    }

    /// Sends a request and waits for its result. `params` appends the parameters as JSON and is told
    /// the request's id, which is also its progress token.
    ///
    /// Dropping the future tells the other side that the answer is no longer wanted, as does the
    /// deadline, unless the options say that the request cannot be cancelled.
    pub async fn request(
        &self,
        method: &str,
        params: impl FnOnce(&mut Vec<u8>, &RequestId) + Send,
        options: RequestOptions,
    ) -> Result<Raw, RpcError> {
        self.wait_for_room().await;
        self.send(method, params, options).await
    }

    /// Queues a request without waiting for room. The frame is written even if the answer is not awaited.
    pub fn send(
        &self,
        method: &str,
        params: impl FnOnce(&mut Vec<u8>, &RequestId),
        options: RequestOptions,
    ) -> Pending {
        let (reply, receiver) = oneshot::channel();
        let ticket = Ticket {
            reply,
            progress: options.progress,
            cancellable: options.cancellable,
        };
        let id =
            self.shared.enqueue(
                |state| match state.conversation.open(ticket, options.deadline) {
                    Ok(id) => {
                        let wire_id = RequestId::Number(id);
                        write_request(&mut state.outbox, &wire_id, method, |out| {
                            params(out, &wire_id)
                        });
                        Some(id)
                    }
                    Err(ticket) => {
                        let reason = state.closed.clone().unwrap_or(CloseReason::Local);
                        ticket.resolve(Err(RpcError::Closed(reason)));
                        None
                    }
                },
            );
        Pending {
            id,
            receiver,
            shared: self.shared.clone(),
        }
    }

    /// Sends a notification; does nothing when the conversation has ended.
    pub fn notify(&self, method: &str, params: Option<&str>) {
        self.shared.enqueue(|state| {
            if !state.conversation.is_closed() {
                write_notification(&mut state.outbox, method, params);
            }
        });
    }

    /// Tells the sender of a request how far it is. Dropped when the other side reads too slowly, since
    /// the next one says more.
    pub fn progress(&self, token: &ProgressToken, progress: &Progress) {
        self.shared.enqueue(|state| {
            if !state.conversation.is_closed() && state.outbox.len() < HIGH_WATER {
                write_notification(
                    &mut state.outbox,
                    methods::PROGRESS,
                    Some(&progress.to_params(token)),
                );
            }
        });
    }

    /// Ends the conversation once everything that was sent has been written.
    pub fn close(&self) {
        self.shared.enqueue(|state| state.close_requested = true);
    }

    /// Whether the conversation has ended.
    pub fn is_closed(&self) -> bool {
        self.shared.lock().conversation.is_closed()
    }

    pub(crate) async fn wait_for_room(&self) {
        loop {
            let room = self.shared.room.notified();
            {
                let state = self.shared.lock();
                if state.outbox.len() < HIGH_WATER || state.conversation.is_closed() {
                    return;
                }
            }
            room.await;
        }
    }
}

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic while it was held leaves whole lines and whole entries behind.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and wakes the driver.
    pub(crate) fn enqueue<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let (result, waker) = {
            let mut state = self.lock();
            let result = change(&mut state);
            (result, state.driver.take())
        };
        if let Some(waker) = waker {
            waker.wake();
        }
        result
    }
}

impl State {
    /// Takes what is to be written into `buffer`, which is empty.
    pub(crate) fn take_outbox(&mut self, buffer: &mut Vec<u8>, room: &Notify) {
        if self.outbox.len() >= HIGH_WATER {
            room.notify_waiters();
        }
        std::mem::swap(&mut self.outbox, buffer);
    }

    /// Tells the other side that the answer to `id` is no longer wanted.
    pub(crate) fn write_cancelled(&mut self, id: i64, reason: &str) {
        let mut params = br#"{"requestId":"#.to_vec();
        write_id(&mut params, &RequestId::Number(id));
        params.extend_from_slice(br#","reason":"#);
        mcp_proto::message::write_string(&mut params, reason);
        params.push(b'}');
        write_notification(
            &mut self.outbox,
            methods::CANCELLED,
            std::str::from_utf8(&params).ok(),
        );
    }
}

/// A request that was sent. Dropping it before the answer cancels the request.
pub struct Pending {
    id: Option<i64>,
    receiver: oneshot::Receiver<Result<Raw, RpcError>>,
    shared: Arc<Shared>,
}

impl Pending {
    /// The id of the request; `None` when the conversation had ended.
    pub fn id(&self) -> Option<i64> {
        self.id
    }
}

impl Future for Pending {
    type Output = Result<Raw, RpcError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let received = std::task::ready!(Pin::new(&mut self.receiver).poll(cx));
        self.id = None;
        // The driver resolves every ticket; it can only be lost with the runtime.
        Poll::Ready(received.unwrap_or(Err(RpcError::Closed(CloseReason::Local))))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        self.shared.enqueue(|state| {
            if let Some(ticket) = state.conversation.abandon(id)
                && ticket.is_cancellable()
            {
                state.write_cancelled(id, "the caller no longer wants the answer");
            }
        });
    }
}
