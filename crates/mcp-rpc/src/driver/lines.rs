//! Taking lines in: each is decoded, paired with who waits for it, or handed on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mcp_proto::framing::Frame;
use mcp_proto::{
    DecodeError, ErrorObject, Message, Raw, RawObject, RequestId, Revision, error_object,
};
use tokio::task::JoinSet;

use super::DriverOptions;
use crate::handler::{Handler, Noise};
use crate::peer::Peer;
use crate::{Event, RpcError};

/// Takes lines in: decodes, pairs, hands on.
pub(super) struct Lines<'a, H> {
    pub(super) peer: &'a Peer,
    pub(super) handler: &'a H,
    pub(super) options: &'a DriverOptions,
    pub(super) tasks: &'a mut JoinSet<()>,
    /// Set when so much was refused that the other side must read first.
    pub(super) is_held: bool,
}

impl<H: Handler> Lines<'_, H> {
    /// Takes a line in; how many messages it held.
    pub(super) fn take(&mut self, frame: Frame<'_>) -> usize {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::TooLong { bytes } => {
                self.refuse_length(bytes);
                self.make_noise(Noise::TooLong(bytes));
                return 1;
            }
        };
        let messages = match Message::decode(line) {
            Ok(message) => {
                self.receive(message);
                return 1;
            }
            Err(DecodeError::Batch) if self.peer.shared.lock().accepts_batches => {
                Message::decode_batch(line, Revision::V2025_03_26)
            }
            Err(error) => Err(error),
        };
        let messages = messages.unwrap_or_else(|error| vec![Err(error)]);
        let count = messages.len();
        for message in messages {
            match message {
                Ok(message) => self.receive(message),
                Err(error) => {
                    self.refuse(&error, line);
                    self.make_noise(Noise::Line { line, error });
                }
            }
        }
        count
    }

    fn receive(&mut self, message: Message) {
        // The lock is released before anyone is told: whoever is told may send.
        let event = self.peer.shared.lock().conversation.receive(message);
        match event {
            Event::Answered { waiter, outcome } => waiter.resolve(outcome.map_err(RpcError::Error)),
            Event::Progress { id, params } => {
                let state = self.peer.shared.lock();
                let sink = state
                    .conversation
                    .waiter(id)
                    .and_then(|ticket| ticket.progress());
                drop(state);
                if let Some(sink) = sink {
                    spare("progress", || sink(params));
                }
            }
            Event::Request(request) => self.serve(request),
            Event::Cancelled { server } => server.cancel(),
            Event::Notification(notification) => spare("a notification", || {
                self.handler.notification(notification, self.peer)
            }),
            Event::Stray(what) => self.make_noise(Noise::Stray(what)),
        }
    }

    fn make_noise(&self, noise: Noise<'_>) {
        spare("noise", || self.handler.noise(noise));
    }

    /// Tells the other side of a line that was thrown away; its id went with it.
    fn refuse_length(&mut self, bytes: usize) {
        if self.options.answer_garbage {
            let limit = self.options.max_line;
            let reason = format!("a line of {bytes} bytes; at most {limit} are read");
            let error = ErrorObject::new(error_object::INVALID_REQUEST, reason);
            self.refuse_with(None, &error);
        }
    }

    /// Answers what is no message, where there is something to answer. An answer that cannot be read is
    /// one all the same: nobody is left waiting for it, and it is never answered itself.
    fn refuse(&mut self, error: &DecodeError, line: &[u8]) {
        let answers = self.options.answer_garbage;
        let (code, id) = match error {
            DecodeError::NotJson(_) if !answers => return,
            DecodeError::NotJson(_) => (error_object::PARSE_ERROR, None),
            DecodeError::Batch => (error_object::INVALID_REQUEST, None),
            DecodeError::NotAMessage { id: None, .. } if !answers => return,
            DecodeError::NotAMessage { id: None, .. } => (error_object::INVALID_REQUEST, None),
            DecodeError::NotAMessage { id: Some(id), .. } => {
                if self.is_bad_answer(id, error, line) {
                    return;
                }
                (error_object::INVALID_REQUEST, Some(id))
            }
        };
        self.refuse_with(id, &ErrorObject::new(code, error.to_string()));
    }

    /// Whether a line that is no message was meant as an answer; whoever waits for it is told.
    fn is_bad_answer(&self, id: &RequestId, error: &DecodeError, line: &[u8]) -> bool {
        let text = String::from_utf8_lossy(line);
        let fields = Raw::parse(text).and_then(|line| line.decode::<RawObject>());
        let Ok(fields) = fields else { return false };
        if fields.get("method").is_some() {
            return false;
        }
        let waiter = self.peer.shared.lock().conversation.give_up(id);
        // Also without a result or an error: some leave out a result that is undefined.
        let is_answer = waiter.is_some() || fields.get("result").or(fields.get("error")).is_some();
        if let Some(waiter) = waiter {
            let reason = format!("the answer cannot be read: {error}");
            let error = ErrorObject::new(error_object::INTERNAL_ERROR, reason);
            waiter.resolve(Err(RpcError::Error(error)));
        }
        is_answer
    }

    pub(super) fn refuse_with(&mut self, id: Option<&RequestId>, error: &ErrorObject) {
        self.is_held |= self.peer.shared.enqueue(|state| {
            state.outbox.refusal(id, error);
            state.outbox.is_refusing_too_much()
        });
    }
}

/// Calls what is not ours. A panic costs what it was called for, not the conversation.
fn spare(what: &str, call: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(call)).is_err() {
        tracing::error!("a handler panicked at {what}");
    }
}
