//! Tool calls.

use std::time::{Duration, Instant};

use mcp_proto::{Raw, RawObject, methods};
use mcp_rpc::ProgressSink;

use crate::{Client, ClientError, Params};

/// One call of a tool. Everything but the name is passed on as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// The tool, by its name in the server's list.
    pub name: String,
    /// Its arguments.
    pub arguments: Option<Raw>,
    /// The caller's `_meta`.
    pub meta: RawObject,
    /// Further fields of the parameters.
    pub extra: RawObject,
}

impl ToolCall {
    /// A call with these arguments.
    pub fn new(name: impl Into<String>, arguments: Option<Raw>) -> Self {
        ToolCall {
            name: name.into(),
            arguments,
            ..ToolCall::default()
        }
    }
}

/// How long a request may take, and who hears of its progress.
#[derive(Clone, Default)]
pub struct CallOptions {
    /// When the caller stops waiting.
    pub deadline: Option<Instant>,
    /// The longest it may take; `None` is the client's request timeout. The earlier of both counts.
    pub timeout: Option<Duration>,
    /// Where progress goes; without it the server is not asked for any.
    pub progress: Option<ProgressSink>,
}

impl Client {
    /// Calls a tool, once. The result's bytes are the server's.
    ///
    /// Fails at once before the handshake is done ([`ClientError::NotReady`]) and after the server has
    /// gone ([`ClientError::Gone`]); in both cases nothing was sent. After
    /// [`ClientError::Disconnected`] and [`ClientError::Timeout`] the call may have been carried out.
    /// Dropping the future cancels the call.
    pub async fn call_tool(
        &self,
        call: &ToolCall,
        options: CallOptions,
    ) -> Result<Raw, ClientError> {
        let arguments = call.arguments.as_ref().map_or(0, |it| it.get().len());
        let mut params =
            Params::with_room(call.name.len() + arguments + 32).text("name", &call.name);
        if let Some(arguments) = &call.arguments {
            params = params.raw("arguments", arguments);
        }
        params = params.object(&call.extra).meta(call.meta.clone());
        self.request(methods::TOOLS_CALL, params, options).await
    }
}
