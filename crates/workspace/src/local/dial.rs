//! Dialling from this machine.

use std::io;

use tokio::net::{TcpStream, UnixStream};
use tokio::time::timeout;

use crate::dial::{BoxStream, DIAL_TIMEOUT, DialTarget};
use crate::error::WorkspaceError;

pub(super) async fn dial(target: &DialTarget) -> Result<BoxStream, WorkspaceError> {
    match timeout(DIAL_TIMEOUT, connect(target)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(error)) => Err(explain(target, error)),
        Err(_) => Err(timed_out(target)),
    }
}

async fn connect(target: &DialTarget) -> io::Result<BoxStream> {
    match target {
        DialTarget::Tcp { host, port } => {
            let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
            let stream = TcpStream::connect((bare.unwrap_or(host), *port)).await?;
            // Messages are small and each waits for its answer.
            stream.set_nodelay(true)?;
            Ok(Box::new(stream))
        }
        DialTarget::Unix(path) => Ok(Box::new(UnixStream::connect(path).await?)),
    }
}

fn explain(target: &DialTarget, error: io::Error) -> WorkspaceError {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => WorkspaceError::Refused {
            target: target.to_string(),
        },
        io::ErrorKind::TimedOut => timed_out(target),
        kind @ (io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput) => {
            let text = format!("connect to {target}: {error}; check its path and permissions");
            WorkspaceError::Io(io::Error::new(kind, text))
        }
        _ => WorkspaceError::Unreachable {
            addr: target.to_string(),
            source: error,
        },
    }
}

fn timed_out(target: &DialTarget) -> WorkspaceError {
    WorkspaceError::Timeout {
        phase: format!("connect to {target} ({} s)", DIAL_TIMEOUT.as_secs()),
    }
}
