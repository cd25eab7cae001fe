//! What a side of a conversation does with what it is asked and told.

use std::future::Future;
use std::pin::Pin;

use mcp_proto::{DecodeError, ErrorObject, Notification, Raw, Request};

use crate::Peer;

/// Answers requests and takes notifications. Its methods are called in the order of arrival, by the task
/// that reads: they must return at once. What takes time goes into [`Answer::Later`].
///
/// A panic costs what the method was called for: a request is answered with an internal error, as it is
/// when its future panics.
pub trait Handler: Send + Sync + 'static {
    /// The other side asks. `peer` sends in the same conversation.
    fn request(&self, request: Request, peer: &Peer) -> Answer;

    /// The other side tells something. Cancellations and progress do not come here.
    fn notification(&self, notification: Notification, peer: &Peer);

    /// Something came that is no message; the conversation goes on.
    fn noise(&self, noise: Noise<'_>);
}

/// How a request is answered.
pub enum Answer {
    /// At once, or as soon as the other side reads enough.
    Now(Result<Raw, ErrorObject>),
    /// When the future is ready; it runs as a task of its own, and is dropped when the other side
    /// cancels the request or the conversation ends.
    Later(Pin<Box<dyn Future<Output = Result<Raw, ErrorObject>> + Send>>),
}

impl Answer {
    /// An answer that takes time.
    pub fn later(answer: impl Future<Output = Result<Raw, ErrorObject>> + Send + 'static) -> Self {
        Answer::Later(Box::pin(answer))
    }
}

/// Bytes that are no message.
#[derive(Debug)]
pub enum Noise<'a> {
    /// A line that does not decode.
    Line {
        /// The line.
        line: &'a [u8],
        /// What is wrong with it.
        error: DecodeError,
    },
    /// A line that was thrown away for its length, in bytes.
    TooLong(usize),
    /// A message that fits nothing in flight.
    Stray(&'static str),
}
