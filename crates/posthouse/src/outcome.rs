//! What a command came to: the same for people and for programs.

use mcp_manager::{ErrorKind, ToolError};
use mcp_proto::Raw;

use crate::exit::Exit;

/// What a command found or did.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// For people.
    pub(crate) text: String,
    /// For programs.
    pub(crate) json: Raw,
    /// How the program ends.
    pub(crate) exit: Exit,
    /// These are words of a tool: they are handed on as they are, whatever they hold.
    pub(crate) is_result: bool,
}

impl Outcome {
    /// Done, with these words and this data.
    pub(crate) fn done<T: serde::Serialize>(text: String, data: &T) -> Self {
        // Strings, numbers and JSON texts under string keys can always be written.
        Outcome {
            text,
            json: Raw::of(data).unwrap_or_default(),
            exit: Exit::Done,
            is_result: false,
        }
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    /// In words: what was tried, the cause, the next step.
    pub(crate) message: String,
    /// How the program ends.
    pub(crate) exit: Exit,
}

impl Failure {
    /// The command line or the configuration is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            exit: Exit::Usage,
        }
    }

    /// A server that is needed is not available.
    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Failure {
            message: message.into(),
            exit: Exit::Unavailable,
        }
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        let exit = match error.kind {
            ErrorKind::NotConnected | ErrorKind::NotReady | ErrorKind::Disconnected => {
                Exit::Unavailable
            }
            ErrorKind::Disabled | ErrorKind::UnknownTool => Exit::Usage,
            ErrorKind::Timeout | ErrorKind::RpcError | ErrorKind::Protocol => Exit::ToolError,
        };
        Failure {
            message: error.message,
            exit,
        }
    }
}
