//! What can be dialled through an executor, and what one gets.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

/// How long an executor tries to dial before it gives up with
/// [`WorkspaceError::Timeout`](crate::WorkspaceError::Timeout).
pub const DIAL_TIMEOUT: Duration = Duration::from_secs(10);

/// A byte stream in both directions.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin + ?Sized> Stream for T {}

/// A dialled stream of whatever kind. Dropping it closes it.
pub type BoxStream = Box<dyn Stream>;

/// An address as seen from the executor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DialTarget {
    /// A TCP port.
    Tcp {
        /// A name or an address; an IPv6 address with or without brackets.
        host: String,
        /// The port.
        port: u16,
    },
    /// A Unix stream socket.
    Unix(PathBuf),
}

impl fmt::Display for DialTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') && !host.starts_with('[') => {
                write!(f, "[{host}]:{port}")
            }
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_shown_as_people_write_it() {
        let tcp = |host: &str| DialTarget::Tcp {
            host: host.into(),
            port: 80,
        };
        assert_eq!(tcp("example.org").to_string(), "example.org:80");
        assert_eq!(tcp("::1").to_string(), "[::1]:80");
        assert_eq!(tcp("[::1]").to_string(), "[::1]:80");
        assert_eq!(DialTarget::Unix("/run/x".into()).to_string(), "unix:/run/x");
    }
}
