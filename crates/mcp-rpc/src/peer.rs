//! The sending half of a conversation: a cheap handle to it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use mcp_proto::notifications::Progress;
use mcp_proto::{ProgressToken, Raw, RequestId};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::outbox::{Dropped, Outbox};
use crate::pending::{Pending, RequestOptions, Ticket};
use crate::{CloseReason, Conversation, RpcError};

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
#[derive(Default)]
pub(crate) struct State {
    pub(crate) conversation: Conversation<Ticket, CancellationToken>,
    pub(crate) outbox: Outbox,
    /// Wakes the driver.
    pub(crate) driver: Option<Waker>,
    pub(crate) close_requested: bool,
    pub(crate) closed: Option<CloseReason>,
    pub(crate) accepts_batches: bool,
}

impl Peer {
    pub(crate) fn new() -> Self {
        Peer {
            shared: Arc::new(Shared {
                state: Mutex::default(),
                room: Notify::new(),
            }),
        }
    }

    /// Sends a request and waits for its result. `params` appends the parameters as JSON and is told
    /// the request's id, which is also its progress token; it runs under the conversation's lock and must
    /// not send anything itself.
    ///
    /// Waits first while the other side reads too slowly; the deadline counts for that too. Dropping the
    /// future tells the other side that the answer is no longer wanted, as does the deadline, unless the
    /// options say that the request cannot be cancelled.
    pub async fn request(
        &self,
        method: &str,
        params: impl FnOnce(&mut Vec<u8>, &RequestId) + Send,
        options: RequestOptions,
    ) -> Result<Raw, RpcError> {
        if !self.shared.lock().takes_requests() {
            let room = self.shared.wait_until(State::takes_requests);
            match options.deadline {
                None => room.await,
                Some(deadline) => timeout_at(Instant::from_std(deadline), room)
                    .await
                    .map_err(|_| RpcError::Timeout)?,
            }
        }
        self.send(method, params, options).await
    }

    /// Queues a request without waiting for room. The frame is written even if the answer is not awaited.
    pub fn send(
        &self,
        method: &str,
        params: impl FnOnce(&mut Vec<u8>, &RequestId),
        options: RequestOptions,
    ) -> Pending {
        let (ticket, receiver) = Ticket::new(&options);
        let mut pending = Pending::new(receiver, self.shared.clone());
        self.shared.enqueue(
            |state| match state.conversation.open(ticket, options.deadline) {
                Ok(id) => {
                    // Before `params` runs: should it panic, the waiter goes with the call.
                    pending.id = Some(id);
                    let wire_id = RequestId::Number(id);
                    state
                        .outbox
                        .request(&wire_id, method, |out| params(out, &wire_id));
                }
                Err(ticket) => {
                    let reason = state.closed.clone().unwrap_or(CloseReason::Local);
                    ticket.resolve(Err(RpcError::Closed(reason)));
                }
            },
        );
        pending
    }

    /// Sends a notification; does nothing when the conversation has ended.
    ///
    /// While the other side reads too slowly, log lines and progress are dropped, and later whatever
    /// neither the protocol nor a list depends on; [`Peer::dropped`] counts them. That a list or a resource
    /// is another is never dropped, but not said twice.
    pub fn notify(&self, method: &str, params: Option<&str>) {
        self.shared.enqueue(|state| {
            if !state.conversation.is_closed() {
                state.outbox.notification(method, params);
            }
        });
    }

    /// Tells the sender of a request how far it is. Dropped when the other side reads too slowly, since
    /// the next one says more.
    pub fn progress(&self, token: &ProgressToken, progress: &Progress) {
        self.shared.enqueue(|state| {
            if !state.conversation.is_closed() {
                state.outbox.progress(token, progress);
            }
        });
    }

    /// Ends the conversation once everything that was sent has been written, or after
    /// [`flush`](crate::DriverOptions::flush) if the other side does not read it.
    pub fn close(&self) {
        self.shared.enqueue(|state| state.close_requested = true);
    }

    /// Whether the conversation has ended.
    pub fn is_closed(&self) -> bool {
        self.shared.lock().conversation.is_closed()
    }

    /// What was not sent because the other side reads too slowly.
    pub fn dropped(&self) -> Dropped {
        self.shared.lock().outbox.dropped()
    }

    /// Says whether a line of the other side may hold several messages: in revision 2025-03-26 alone, and
    /// not before the handshake. A batch is refused otherwise.
    pub fn accept_batches(&self, accept: bool) {
        self.shared.lock().accepts_batches = accept;
    }

    /// Ends the conversation: whoever waits fails at once.
    pub(crate) fn end(&self, reason: &CloseReason) {
        let waiting = {
            let mut state = self.shared.lock();
            state.closed.get_or_insert_with(|| reason.clone());
            state.conversation.close()
        };
        self.shared.room.notify_waiters();
        for ticket in waiting {
            ticket.resolve(Err(RpcError::Closed(reason.clone())));
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

    /// Waits until the state is as wished, which it can only become when lines are taken or at the end.
    pub(crate) async fn wait_until(&self, is_so: impl Fn(&State) -> bool) {
        loop {
            // Before looking, so that what happens meanwhile is not missed.
            let room = self.room.notified();
            if is_so(&self.lock()) {
                return;
            }
            room.await;
        }
    }
}

impl State {
    /// Whether a request may be sent, be it only to learn that the conversation has ended.
    pub(crate) fn takes_requests(&self) -> bool {
        self.outbox.has_room() || self.conversation.is_closed()
    }

    /// Whether an answer may be sent; also after the other side has stopped asking.
    pub(crate) fn takes_answers(&self) -> bool {
        self.outbox.has_room()
    }

    /// Notes that a request has been served; whether its answer is still wanted. `cancelled` is what was
    /// given to [`Conversation::serve`]: its id may have been used again since it was cancelled.
    pub(crate) fn settle(&mut self, id: &RequestId, cancelled: &CancellationToken) -> bool {
        !cancelled.is_cancelled() && self.conversation.served(id)
    }
}
