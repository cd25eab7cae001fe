//! A request on its way: how it is sent, who waits for it, and what the caller holds.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use mcp_proto::Raw;
use mcp_proto::notifications::ProgressParams;
use tokio::sync::oneshot;

use crate::peer::Shared;
use crate::{CloseReason, RpcError};

/// Where progress of a request goes. Called by the task that reads: it must return at once.
pub type ProgressSink = Arc<dyn Fn(ProgressParams) + Send + Sync>;

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

/// Who waits for a response.
pub(crate) struct Ticket {
    reply: oneshot::Sender<Result<Raw, RpcError>>,
    progress: Option<ProgressSink>,
    cancellable: bool,
}

impl Ticket {
    /// A ticket, and where its outcome arrives.
    pub(crate) fn new(
        options: &RequestOptions,
    ) -> (Self, oneshot::Receiver<Result<Raw, RpcError>>) {
        let (reply, receiver) = oneshot::channel();
        let ticket = Ticket {
            reply,
            progress: options.progress.clone(),
            cancellable: options.cancellable,
        };
        (ticket, receiver)
    }

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

/// A request that was sent. Dropping it before the answer cancels the request.
pub struct Pending {
    /// The request in flight; none once it has its outcome.
    pub(crate) id: Option<i64>,
    receiver: oneshot::Receiver<Result<Raw, RpcError>>,
    shared: Arc<Shared>,
}

impl Pending {
    pub(crate) fn new(
        receiver: oneshot::Receiver<Result<Raw, RpcError>>,
        shared: Arc<Shared>,
    ) -> Self {
        Pending {
            id: None,
            receiver,
            shared,
        }
    }

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
                state
                    .outbox
                    .cancellation(id, "the caller no longer wants the answer");
            }
        });
    }
}
