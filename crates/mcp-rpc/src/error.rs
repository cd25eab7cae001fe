//! How a request of ours can fail, and why a conversation ended.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use mcp_proto::ErrorObject;

/// Why a request has no result.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RpcError {
    /// The other side answered with an error.
    #[error("{0}")]
    Error(ErrorObject),
    /// The deadline passed; the other side was told, unless the request cannot be cancelled or was never
    /// sent for want of room.
    #[error("no answer in time")]
    Timeout,
    /// The conversation ended first. Whether the request was carried out is unknown.
    #[error("the connection closed: {0}")]
    Closed(CloseReason),
}

/// Why a conversation ended.
#[derive(Clone, Debug)]
pub enum CloseReason {
    /// The other side closed its end.
    Eof,
    /// We closed it.
    Local,
    /// Reading failed.
    Read(Arc<io::Error>),
    /// Writing failed.
    Write(Arc<io::Error>),
    /// The other side read nothing for so long while something waited to be written.
    NotReading(Duration),
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CloseReason::Eof => f.write_str("the other side closed it"),
            CloseReason::Local => f.write_str("we closed it"),
            CloseReason::Read(error) => write!(f, "reading failed: {error}"),
            CloseReason::Write(error) => write!(f, "writing failed: {error}"),
            CloseReason::NotReading(limit) => {
                write!(
                    f,
                    "the other side read nothing for {} s",
                    limit.as_secs_f64()
                )
            }
        }
    }
}
