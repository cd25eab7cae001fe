//! How a session with a server can fail.

use std::sync::Arc;
use std::time::Duration;

use mcp_proto::ErrorObject;
use workspace::{ExitStatus, WorkspaceError};

use crate::{HandshakeError, ListError};

/// Why something asked of a client did not succeed. Cheap to clone: everyone who waits gets it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ClientError {
    /// The server could not be started or reached.
    #[error("cannot {0}")]
    Start(#[source] Arc<WorkspaceError>),
    /// The handshake is not done yet. The advice is a whole sentence, to be handed to a model as it is.
    #[error("{advice}")]
    NotReady {
        /// What to do instead.
        advice: String,
    },
    /// It runs, or ran, but there is no way to talk to it.
    #[error("no handshake: {reason}")]
    Handshake {
        /// Why.
        reason: HandshakeError,
        /// How it ended.
        ended: Box<Ended>,
    },
    /// It had gone before anything was sent.
    #[error("it is gone: {0}")]
    Gone(Ended),
    /// It went while the request was under way. Whether the request was carried out is unknown.
    #[error("the connection was lost before the answer: {0}")]
    Disconnected(Ended),
    /// It answered with an error.
    #[error("{0}")]
    Rpc(ErrorObject),
    /// It did not answer in time, and was told that the answer is no longer wanted.
    #[error("no answer to {method} within {}", seconds(*after))]
    Timeout {
        /// What was asked.
        method: String,
        /// How long it had.
        after: Duration,
    },
    /// Its answer is not what the method's answer is.
    #[error("its answer to {method} does not decode: {reason}")]
    Protocol {
        /// What was asked.
        method: String,
        /// What is wrong with the answer.
        reason: String,
    },
    /// Its pages are no list.
    #[error("{0}")]
    List(#[from] ListError),
    /// The client was shut down.
    #[error("the connection was closed on our side")]
    Closed,
}

/// How a server ended, as far as is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ended {
    /// How its process ended; `None` when it has none or it is still there.
    pub exit: Option<ExitStatus>,
    /// Why the connection ended.
    pub reason: String,
    /// The last that it wrote to standard error, at most 4096 bytes.
    pub stderr_tail: String,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.exit {
            Some(exit) => write!(f, "{exit}"),
            None => f.write_str(&self.reason),
        }
    }
}

/// A duration as people write it.
fn seconds(duration: Duration) -> String {
    if duration.subsec_millis() == 0 {
        format!("{} s", duration.as_secs())
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}
