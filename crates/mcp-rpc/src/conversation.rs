//! The pure core: which request is waiting for which response, and which of the other side's requests
//! are being served. No I/O and no clock: moments come in as arguments.

use std::collections::HashMap;
use std::time::Instant;

use mcp_proto::notifications::ProgressParams;
use mcp_proto::{
    ErrorObject, Message, Notification, Raw, RawObject, Request, RequestId, Response, methods,
};

/// The state of one conversation. `W` is whatever waits for a response, `S` whatever serves a request.
#[derive(Debug)]
pub struct Conversation<W, S> {
    last_id: i64,
    waiting: HashMap<i64, Waiting<W>>,
    serving: HashMap<RequestId, S>,
    /// Not after the earliest deadline; may be before it, when its request has been answered.
    earliest: Option<Instant>,
    closed: bool,
}

#[derive(Debug)]
struct Waiting<W> {
    waiter: W,
    deadline: Option<Instant>,
}

/// What a message that came in means.
#[derive(Debug, PartialEq)]
pub enum Event<W, S> {
    /// A request of ours has its outcome.
    Answered {
        /// Who waited for it.
        waiter: W,
        /// What came.
        outcome: Result<Raw, ErrorObject>,
    },
    /// A request of ours makes progress; its waiter is found with [`Conversation::waiter`].
    Progress {
        /// The request.
        id: i64,
        /// How far it is.
        params: ProgressParams,
    },
    /// The other side asks. It is answered only after [`Conversation::serve`] has taken it in.
    Request(Request),
    /// The other side no longer wants an answer.
    Cancelled {
        /// What served the request.
        server: S,
    },
    /// The other side tells something.
    Notification(Notification),
    /// A response that nobody waits for: late, doubled, or to an id that was never given out. Also a
    /// cancellation or a progress of no request in flight.
    Stray(&'static str),
}

/// A request of ours whose time is over.
#[derive(Debug, PartialEq)]
pub struct Expired<W> {
    /// The request.
    pub id: i64,
    /// Who waited for it.
    pub waiter: W,
}

impl<W, S> Default for Conversation<W, S> {
    fn default() -> Self {
        Conversation {
            last_id: 0,
            waiting: HashMap::new(),
            serving: HashMap::new(),
            earliest: None,
            closed: false,
        }
    }
}

impl<W, S> Conversation<W, S> {
    /// Gives out the id of a new request, to be answered before `deadline`. Gives the waiter back when
    /// the conversation is closed.
    pub fn open(&mut self, waiter: W, deadline: Option<Instant>) -> Result<i64, W> {
        if self.closed {
            return Err(waiter);
        }
        self.last_id += 1;
        self.earliest = [self.earliest, deadline].into_iter().flatten().min();
        self.waiting
            .insert(self.last_id, Waiting { waiter, deadline });
        Ok(self.last_id)
    }

    /// Takes a message in.
    pub fn receive(&mut self, message: Message) -> Event<W, S> {
        match message {
            Message::Response(response) => self.answered(response),
            Message::Request(request) => Event::Request(request),
            Message::Notification(notification) => match notification.method.as_ref() {
                methods::CANCELLED => self.cancelled(&notification),
                methods::PROGRESS => self.progressed(&notification),
                _ => Event::Notification(notification),
            },
        }
    }

    fn answered(&mut self, response: Response) -> Event<W, S> {
        let Some(id) = response.id.as_ref().and_then(own_id) else {
            return Event::Stray("a response to no id of ours");
        };
        match self.waiting.remove(&id) {
            Some(waiting) => Event::Answered {
                waiter: waiting.waiter,
                outcome: response.outcome,
            },
            None => Event::Stray("a response that nobody waits for"),
        }
    }

    fn cancelled(&mut self, notification: &Notification) -> Event<W, S> {
        // Only the id matters: whatever else is wrong with it, it is a cancellation.
        let id = notification
            .params
            .as_ref()
            .and_then(|params| params.decode::<RawObject>().ok())
            .and_then(|params| params.get_as::<RequestId>("requestId"));
        match id.and_then(|id| self.serving.remove(&id)) {
            Some(server) => Event::Cancelled { server },
            // The answer has crossed it, or the other side cancels what it has finished.
            None => Event::Stray("a cancellation of no request in flight"),
        }
    }

    fn progressed(&mut self, notification: &Notification) -> Event<W, S> {
        let params = notification
            .params
            .as_ref()
            .and_then(|params| params.decode::<ProgressParams>().ok());
        let Some(params) = params else {
            return Event::Stray("a progress notification that does not decode");
        };
        match params
            .token
            .as_ref()
            .and_then(own_id)
            .filter(|id| self.waiting.contains_key(id))
        {
            Some(id) => Event::Progress { id, params },
            None => Event::Stray("progress of no request in flight"),
        }
    }

    /// Who waits for `id`.
    pub fn waiter(&self, id: i64) -> Option<&W> {
        self.waiting.get(&id).map(|waiting| &waiting.waiter)
    }

    /// How many requests of ours wait for their answer.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Takes `id` out because its waiter has gone; gives nothing when it has been answered.
    pub fn abandon(&mut self, id: i64) -> Option<W> {
        self.waiting.remove(&id).map(|waiting| waiting.waiter)
    }

    /// Takes out who waits for the answer to `id`, as the other side wrote it, because that answer cannot
    /// be read.
    pub fn give_up(&mut self, id: &RequestId) -> Option<W> {
        own_id(id).and_then(|id| self.abandon(id))
    }

    /// Notes that a request of the other side is being served. Gives `server` back when the same id is
    /// being served already: two answers to one id would be wrong.
    pub fn serve(&mut self, id: RequestId, server: S) -> Result<(), S> {
        match self.serving.entry(id) {
            std::collections::hash_map::Entry::Occupied(_) => Err(server),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(server);
                Ok(())
            }
        }
    }

    /// Notes that a request has been served; whether its answer is still wanted.
    pub fn served(&mut self, id: &RequestId) -> bool {
        self.serving.remove(id).is_some()
    }

    /// How many requests of the other side are being served.
    pub fn serving(&self) -> usize {
        self.serving.len()
    }

    /// Takes out every request whose deadline is not after `now`.
    pub fn expire(&mut self, now: Instant) -> Vec<Expired<W>> {
        let is_over = |deadline: Option<Instant>| deadline.is_some_and(|deadline| deadline <= now);
        let mut over: Vec<_> = self
            .waiting
            .extract_if(|_, waiting| is_over(waiting.deadline))
            .map(|(id, waiting)| Expired {
                id,
                waiter: waiting.waiter,
            })
            .collect();
        over.sort_by_key(|expired| expired.id);
        self.earliest = self
            .waiting
            .values()
            .filter_map(|waiting| waiting.deadline)
            .min();
        over
    }

    /// When [`Conversation::expire`] is to be called next: at the earliest deadline, or before it when
    /// that of an answered request is still noted, so that an ordinary request never searches.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.earliest
    }

    /// Ends the conversation: everyone who waits is given back at once, and no request is opened again.
    pub fn close(&mut self) -> Vec<W> {
        self.closed = true;
        self.earliest = None;
        let mut waiting: Vec<_> = self.waiting.drain().collect();
        waiting.sort_by_key(|(id, _)| *id);
        waiting
            .into_iter()
            .map(|(_, waiting)| waiting.waiter)
            .collect()
    }

    /// Whether the conversation has ended.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

/// Our ids are numbers; some peers answer them as strings. Only the very digits that we sent count.
fn own_id(id: &RequestId) -> Option<i64> {
    match id {
        RequestId::Number(number) => Some(*number),
        RequestId::String(string) => {
            let number: i64 = string.parse().ok()?;
            (number.to_string() == **string).then_some(number)
        }
    }
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
