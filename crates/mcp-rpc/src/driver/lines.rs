//! Taking lines in: each is decoded, paired with who waits for it, or handed on.

use mcp_proto::framing::Frame;
use mcp_proto::message::write_error;
use mcp_proto::{DecodeError, ErrorObject, Message, Request, error_object};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::DriverOptions;
use crate::handler::{Answer, Handler, Noise};
use crate::peer::Peer;
use crate::{Event, RpcError};

/// Takes lines in: decodes, pairs, hands on.
pub(super) struct Lines<'a, H> {
    pub(super) peer: &'a Peer,
    pub(super) handler: &'a H,
    pub(super) options: &'a DriverOptions,
    pub(super) tasks: &'a mut JoinSet<()>,
}

impl<H: Handler> Lines<'_, H> {
    pub(super) fn take(&mut self, frame: Frame<'_>) {
        let line = match frame {
            Frame::Line(line) => line,
            Frame::TooLong { bytes } => {
                self.refuse_length(bytes);
                return self.handler.noise(Noise::TooLong(bytes));
            }
        };
        let message = match Message::decode(line) {
            Ok(message) => message,
            Err(error) => {
                self.refuse(&error);
                return self.handler.noise(Noise::Line { line, error });
            }
        };
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
                    sink(params);
                }
            }
            Event::Request(request) => self.serve(request),
            Event::Cancelled { server } => server.cancel(),
            Event::Notification(notification) => self.handler.notification(notification, self.peer),
            Event::Stray(what) => self.handler.noise(Noise::Stray(what)),
        }
    }

    /// Tells the other side of a line that was thrown away; its id went with it.
    fn refuse_length(&self, bytes: usize) {
        if self.options.answer_garbage {
            let limit = self.options.max_line;
            let reason = format!("a line of {bytes} bytes; at most {limit} are read");
            let error = ErrorObject::new(error_object::INVALID_REQUEST, reason);
            self.peer
                .shared
                .enqueue(|state| write_error(&mut state.outbox, None, &error));
        }
    }

    /// Answers what is no message, where there is something to answer.
    fn refuse(&self, error: &DecodeError) {
        let (code, id) = match error {
            DecodeError::NotJson(_) if !self.options.answer_garbage => return,
            DecodeError::NotJson(_) => (error_object::PARSE_ERROR, None),
            DecodeError::Batch => (error_object::INVALID_REQUEST, None),
            DecodeError::NotAMessage { id: None, .. } if !self.options.answer_garbage => return,
            DecodeError::NotAMessage { id, .. } => (error_object::INVALID_REQUEST, id.as_ref()),
        };
        let error = ErrorObject::new(code, error.to_string());
        self.peer
            .shared
            .enqueue(|state| write_error(&mut state.outbox, id, &error));
    }

    fn serve(&mut self, request: Request) {
        let id = request.id.clone();
        let cancelled = CancellationToken::new();
        let refused = self.peer.shared.enqueue(|state| {
            let refusal = if state.conversation.serving() >= self.options.max_serving {
                "too many requests at a time; wait for some answers"
            } else if state
                .conversation
                .serve(id.clone(), cancelled.clone())
                .is_err()
            {
                "the id is that of a request still being served"
            } else {
                return false;
            };
            let error = ErrorObject::new(error_object::INVALID_REQUEST, refusal);
            write_error(&mut state.outbox, Some(&id), &error);
            true
        });
        if refused {
            return;
        }
        match self.handler.request(request, self.peer) {
            Answer::Now(outcome) => self.peer.finish(&id, &outcome),
            Answer::Later(answer) => {
                let peer = self.peer.clone();
                self.tasks.spawn(async move {
                    tokio::select! {
                        biased;
                        () = cancelled.cancelled() => {}
                        outcome = answer => {
                            peer.wait_for_room().await;
                            peer.finish(&id, &outcome);
                        }
                    }
                });
            }
        }
    }
}
