//! How a conversation is driven: its bounds and times.

use std::time::Duration;

use mcp_proto::framing::MAX_LINE;

/// How a conversation is driven.
#[derive(Clone, Debug)]
pub struct DriverOptions {
    /// The longest line that is read, in bytes.
    pub max_line: usize,
    /// How many requests of the other side may be served at a time; more are refused.
    pub max_serving: usize,
    /// Whether a line that is no JSON is answered with an error, as a server does, or skipped.
    pub answer_garbage: bool,
    /// How long requests being served may go on after the other side has stopped sending.
    pub drain: Duration,
    /// How long the other side may read nothing while something waits to be written; then the conversation
    /// ends. `None` waits for ever: what waits is bounded.
    ///
    /// The default, five minutes, is longer than the call limits of most hosts and than our own: a server
    /// that reads nothing because it is busy with one call is not cut off while anybody waits for that.
    pub write_limit: Option<Duration>,
    /// How long what is queued may still be written after [`Peer::close`](crate::Peer::close).
    pub flush: Duration,
}

impl Default for DriverOptions {
    fn default() -> Self {
        DriverOptions {
            max_line: MAX_LINE,
            max_serving: 1024,
            answer_garbage: false,
            drain: Duration::ZERO,
            write_limit: Some(Duration::from_secs(300)),
            flush: Duration::from_secs(5),
        }
    }
}
