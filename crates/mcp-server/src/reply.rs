//! What a handler answers: a result, kept as the bytes it is written with.

use mcp_proto::prompt::GetPromptResult;
use mcp_proto::resource::ReadResourceResult;
use mcp_proto::tool::CallToolResult;
use mcp_proto::{Raw, RawObject};

use crate::ToolFailure;

/// A result. Made of a [`Raw`] it reaches the host byte for byte, but for what the host's era must have
/// or must not see (`resultType`, cache hints, the server's name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply(Raw);

impl Reply {
    /// The result `{}`.
    pub fn empty() -> Self {
        Reply(Raw::empty_object())
    }

    /// A tool's result that is one block of text.
    pub fn text(text: impl Into<String>) -> Self {
        CallToolResult::text(text).into()
    }

    /// A tool's failure that the model can read (`isError`).
    pub fn error(text: impl Into<String>) -> Self {
        CallToolResult::error(text).into()
    }

    /// The result as JSON.
    pub fn raw(&self) -> &Raw {
        &self.0
    }

    /// The result as JSON.
    pub fn into_raw(self) -> Raw {
        self.0
    }
}

impl From<Raw> for Reply {
    fn from(result: Raw) -> Self {
        Reply(result)
    }
}

impl From<RawObject> for Reply {
    fn from(result: RawObject) -> Self {
        Reply(result.to_raw())
    }
}

/// Results of a type that has string keys only, so that writing them cannot fail.
macro_rules! from_results {
    ($($result:ty),*) => { $(
        impl From<$result> for Reply {
            fn from(result: $result) -> Self {
                Reply(Raw::of(&result).unwrap_or_default())
            }
        }
    )* };
}

from_results!(CallToolResult, ReadResourceResult, GetPromptResult);

/// What a tool came to: text for the model, or a failure it can read.
impl From<Result<String, ToolFailure>> for Reply {
    fn from(outcome: Result<String, ToolFailure>) -> Self {
        match outcome {
            Ok(text) => Reply::text(text),
            Err(failure) => Reply::error(failure.to_string()),
        }
    }
}
