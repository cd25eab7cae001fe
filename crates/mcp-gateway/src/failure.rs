//! A request without a result, as something that the host and its model can read.

use mcp_manager::{ErrorKind, ToolError};
use mcp_proto::tool::CallToolResult;
use mcp_proto::{ErrorObject, Raw, RawObject, error_object};
use mcp_server::Reply;
use serde_json::json;

/// Where the code and the kind of one of our errors stand in a result's `_meta`: not in the structured
/// content, which a client checks against the tool's schema even on errors.
const META_KEY: &str = "posthouse/error";

/// The answer to `tools/call` when `error` came instead of a result. What the server itself refused is
/// handed on as it was; everything else becomes a result with `isError`, which models
/// see.
pub(crate) fn call(error: ToolError) -> Result<Reply, ErrorObject> {
    match error.kind {
        ErrorKind::RpcError => Err(request(error)),
        _ => Ok(result(error)),
    }
}

/// A result with `isError` that says what went wrong, and in `_meta` what kind of error it is.
pub(crate) fn result(error: ToolError) -> Reply {
    let mut meta = RawObject::default();
    meta.push(META_KEY, kind_of(&error));
    CallToolResult {
        meta: Some(meta),
        ..CallToolResult::error(error.message)
    }
    .into()
}

/// The answer to any other request when `error` came instead of a result: the server's own error as it
/// was, or one of ours with its code and kind as data.
pub(crate) fn request(error: ToolError) -> ErrorObject {
    let data = kind_of(&error);
    match error.rpc {
        Some(own) => *own,
        None => ErrorObject {
            data: Some(data),
            ..ErrorObject::new(error_object::INTERNAL_ERROR, error.message)
        },
    }
}

fn kind_of(error: &ToolError) -> Raw {
    let (code, kind) = (error.code().as_str(), error.kind.as_str());
    Raw::of(&json!({ "code": code, "kind": kind })).unwrap_or_default()
}
