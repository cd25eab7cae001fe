//! How a tool fails so that the model can read it and try again, and the arguments that often are why.

use mcp_proto::tool::CallToolParams;
use serde::de::DeserializeOwned;

/// A failure of a tool, in words for the model: what is wrong and what would be right. It is a result
/// with `isError`, as the protocol wants for arguments that do not fit (protocol.md §3), and not a
/// JSON-RPC error, which models do not see.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolFailure(pub String);

impl From<String> for ToolFailure {
    fn from(text: String) -> Self {
        ToolFailure(text)
    }
}

impl From<&str> for ToolFailure {
    fn from(text: &str) -> Self {
        ToolFailure(text.to_owned())
    }
}

/// Decodes the arguments of a call; absent ones read as `{}`. Fails with what does not fit, for the model.
pub fn arguments<T: DeserializeOwned>(params: &CallToolParams) -> Result<T, ToolFailure> {
    let text = params.arguments.as_ref().map_or("{}", |raw| raw.get());
    serde_json::from_str(text).map_err(|error| {
        let error = error.to_string();
        // Where in the JSON it is says nothing to a model.
        let reason = error.split(" at line ").next().unwrap_or_default();
        ToolFailure(format!(
            "The arguments of {} do not fit: {reason}.",
            params.name
        ))
    })
}
