//! Why a call has no result, in a form that hosts and models can act on.

use std::time::Duration;

use mcp_client::ClientError;
use mcp_proto::ErrorObject;

use crate::ManagerOptions;

/// The stable code of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// `mcp_server_unavailable`: the server is not there.
    ServerUnavailable,
    /// `mcp_request_failed`: the server is there, the request failed.
    RequestFailed,
}

impl ErrorCode {
    /// The code on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorCode::ServerUnavailable => "mcp_server_unavailable",
            ErrorCode::RequestFailed => "mcp_request_failed",
        }
    }
}

/// What kind of error it is, finer than the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Not connected; nothing was sent.
    NotConnected,
    /// Still starting; nothing was sent.
    NotReady,
    /// Switched off in the configuration; nothing was sent.
    Disabled,
    /// Lost in mid-call; whether it was carried out is unknown.
    Disconnected,
    /// The server has no such tool; nothing was sent.
    UnknownTool,
    /// No answer in time; the server was told that it is no longer wanted.
    Timeout,
    /// The server answered with a protocol error.
    RpcError,
    /// The answer does not decode.
    Protocol,
}

impl ErrorKind {
    /// The kind on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorKind::NotConnected => "not_connected",
            ErrorKind::NotReady => "not_ready",
            ErrorKind::Disabled => "disabled",
            ErrorKind::Disconnected => "disconnected",
            ErrorKind::UnknownTool => "unknown_tool",
            ErrorKind::Timeout => "timeout",
            ErrorKind::RpcError => "rpc_error",
            ErrorKind::Protocol => "protocol",
        }
    }

    /// The code that goes with it.
    pub fn code(self) -> ErrorCode {
        match self {
            ErrorKind::NotConnected
            | ErrorKind::NotReady
            | ErrorKind::Disabled
            | ErrorKind::Disconnected => ErrorCode::ServerUnavailable,
            ErrorKind::UnknownTool
            | ErrorKind::Timeout
            | ErrorKind::RpcError
            | ErrorKind::Protocol => ErrorCode::RequestFailed,
        }
    }
}

/// Why a call has no result. The message names the server, what was tried, the cause and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// The error in words, for the model.
    pub message: String,
    /// The server's own error, as it was, for [`ErrorKind::RpcError`].
    pub rpc: Option<Box<ErrorObject>>,
}

impl ToolError {
    /// An error of ours.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        ToolError {
            kind,
            message: message.into(),
            rpc: None,
        }
    }

    /// The stable code.
    pub fn code(&self) -> ErrorCode {
        self.kind.code()
    }

    /// The words without what is secret; the server's own error stays as it was.
    fn redacted(mut self, options: &ManagerOptions) -> Self {
        self.message = options.redacted(self.message);
        self
    }

    /// The error for a request to `server`, such as `call echo`.
    pub(crate) fn of(
        server: &str,
        what: &str,
        error: ClientError,
        age: Duration,
        options: &ManagerOptions,
    ) -> Self {
        let seconds = age.as_secs();
        let error = match error {
            ClientError::NotReady { advice } => ToolError::new(ErrorKind::NotReady, advice),
            ClientError::Disconnected(ended) => {
                let mut message = format!(
                    "{server}: {what}: the server was lost in mid-call ({ended}). Outcome unknown, not repeated: check before you repeat it."
                );
                if let Some(line) = ended
                    .stderr_tail
                    .lines()
                    .rev()
                    .find(|line| !line.trim().is_empty())
                {
                    // Before it is cut: half a secret would not be known as one.
                    let line = options.redacted(line.trim().to_owned());
                    let line = crate::printable(&line, 200);
                    message.push_str(&format!(" Its last output: {line}"));
                }
                ToolError::new(ErrorKind::Disconnected, message)
            }
            ClientError::Timeout { after, .. } => ToolError::new(
                ErrorKind::Timeout,
                format!(
                    "{server}: {what}: no answer within {}; the server was told to stop. It may have been carried out: check before you repeat it.",
                    crate::status::age(after)
                ),
            ),
            ClientError::Rpc(error) => ToolError {
                kind: ErrorKind::RpcError,
                message: format!("{server}: {what}: the server refused: {error}"),
                rpc: Some(Box::new(error)),
            },
            ClientError::Protocol { .. } | ClientError::List(_) => {
                ToolError::new(ErrorKind::Protocol, format!("{server}: {what}: {error}"))
            }
            ClientError::Start(_)
            | ClientError::Handshake { .. }
            | ClientError::Gone(_)
            | ClientError::Closed => ToolError::new(
                ErrorKind::NotConnected,
                format!(
                    "{server}: {what}: not sent, since the server is not there ({error}, {seconds} s ago). Call again to start it anew."
                ),
            ),
        };
        error.redacted(options)
    }
}
