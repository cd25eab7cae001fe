//! Serving what the other side asks: bounded, cancellable, and answered whatever the handler does.

use std::future::{Future, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp_proto::{ErrorObject, Raw, Request, RequestId, error_object};
use tokio_util::sync::CancellationToken;

use super::lines::Lines;
use crate::handler::{Answer, Handler};
use crate::peer::{Peer, State};

/// How many tasks of cancelled requests may not have been dropped yet.
const LEFT_OVER: usize = 1024;

impl<H: Handler> Lines<'_, H> {
    pub(super) fn serve(&mut self, request: Request) {
        let id = request.id.clone();
        let cancelled = CancellationToken::new();
        let max_serving = self.options.max_serving;
        let is_overrun = self.tasks.len() >= max_serving.saturating_add(LEFT_OVER);
        let refusal = {
            let mut state = self.peer.shared.lock();
            if is_overrun || state.conversation.serving() >= max_serving {
                Some("too many requests at a time; wait for some answers")
            } else {
                let taken = state.conversation.serve(id.clone(), cancelled.clone());
                taken
                    .err()
                    .map(|_| "the id is that of a request still being served")
            }
        };
        if let Some(reason) = refusal {
            let error = ErrorObject::new(error_object::INVALID_REQUEST, reason);
            return self.refuse_with(Some(&id), &error);
        }
        let owed = Owed {
            peer: self.peer.clone(),
            id,
            cancelled,
            is_paid: false,
        };
        let asked = catch_unwind(AssertUnwindSafe(|| {
            self.handler.request(request, self.peer)
        }));
        match asked {
            // Dropping what is owed answers it.
            Err(_) => tracing::error!("a handler panicked at a request"),
            Ok(Answer::Now(outcome)) => {
                if let Err((owed, outcome)) = owed.pay_now(outcome) {
                    self.spawn(owed, ready(outcome));
                }
            }
            Ok(Answer::Later(answer)) => self.spawn(owed, answer),
        }
    }

    fn spawn(
        &mut self,
        owed: Owed,
        answer: impl Future<Output = Result<Raw, ErrorObject>> + Send + 'static,
    ) {
        let cancelled = owed.cancelled.clone();
        self.tasks.spawn(async move {
            let paid = async move {
                let outcome = answer.await;
                owed.pay(&outcome).await;
            };
            // First of all: what is cancelled before it began never begins.
            tokio::select! {
                biased;
                () = cancelled.cancelled() => {}
                () = paid => {}
            }
        });
    }
}

/// An answer that is owed to the other side, unless the request is cancelled. Dropped unpaid, because the
/// handler panicked, it is an error.
struct Owed {
    peer: Peer,
    id: RequestId,
    cancelled: CancellationToken,
    is_paid: bool,
}

impl Owed {
    /// Answers when there is room.
    async fn pay(mut self, outcome: &Result<Raw, ErrorObject>) {
        loop {
            self.peer.shared.wait_until(State::takes_answers).await;
            if self.try_pay(outcome) {
                return;
            }
        }
    }

    /// Answers if there is room.
    fn pay_now(
        mut self,
        outcome: Result<Raw, ErrorObject>,
    ) -> Result<(), (Self, Result<Raw, ErrorObject>)> {
        match self.try_pay(&outcome) {
            true => Ok(()),
            false => Err((self, outcome)),
        }
    }

    fn try_pay(&mut self, outcome: &Result<Raw, ErrorObject>) -> bool {
        self.is_paid = self.peer.shared.enqueue(|state| {
            let has_room = state.takes_answers();
            if has_room && state.settle(&self.id, &self.cancelled) {
                state.outbox.answer(&self.id, outcome);
            }
            has_room
        });
        self.is_paid
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        if self.is_paid {
            return;
        }
        let error = ErrorObject::new(error_object::INTERNAL_ERROR, "the handler failed");
        self.peer.shared.enqueue(|state| {
            if state.settle(&self.id, &self.cancelled) {
                state.outbox.refusal(Some(&self.id), &error);
            }
        });
    }
}
