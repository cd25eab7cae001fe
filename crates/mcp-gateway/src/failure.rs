//! A call without a result, as a result that the model can read.

use mcp_manager::{ErrorKind, ToolError};
use mcp_proto::tool::CallToolResult;
use mcp_proto::{ErrorObject, Raw, RawObject, error_object};
use mcp_server::Reply;
use serde_json::json;

/// Where the code and the kind of one of our errors stand in a result's `_meta`: not in the structured
/// content, which a client checks against the tool's schema even on errors.
const META_KEY: &str = "posthouse/error";

/// The answer to `tools/call` when `error` came instead of a result. What the server itself refused is
/// handed on as it was; everything else becomes a result with `isError`, which models see.
pub(crate) fn call(error: ToolError) -> Result<Reply, ErrorObject> {
    if let (ErrorKind::RpcError, Some(code)) = (error.kind, error.rpc_code) {
        return Err(ErrorObject {
            data: error.data,
            ..ErrorObject::new(code, error.message)
        });
    }
    Ok(with_code(
        error.message,
        error.kind.code().as_str(),
        error.kind.as_str(),
    ))
}

/// A result with `isError` that says what kind of error it is.
pub(crate) fn with_code(message: impl Into<String>, code: &str, kind: &str) -> Reply {
    let mut meta = RawObject::default();
    meta.push(
        META_KEY,
        Raw::of(&json!({ "code": code, "kind": kind })).unwrap_or_default(),
    );
    CallToolResult {
        meta: Some(meta),
        ..CallToolResult::error(message)
    }
    .into()
}

/// The answer to any other request when `error` came instead of a result.
pub(crate) fn request(error: ToolError) -> ErrorObject {
    let code = error.rpc_code.unwrap_or(error_object::INTERNAL_ERROR);
    ErrorObject {
        data: error.data,
        ..ErrorObject::new(code, error.message)
    }
}
