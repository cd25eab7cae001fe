//! The JSON-RPC error object and the codes that have a meaning in MCP.

use crate::open_struct::open_struct;
use crate::{Raw, Revision};

/// The text was no JSON.
pub const PARSE_ERROR: i64 = -32700;
/// The JSON was no message.
pub const INVALID_REQUEST: i64 = -32600;
/// The method is unknown, or behind a capability that was not offered.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters do not fit, or name something that does not exist.
pub const INVALID_PARAMS: i64 = -32602;
/// The receiver failed.
pub const INTERNAL_ERROR: i64 = -32603;
/// A resource does not exist; legacy era only, later revisions use [`INVALID_PARAMS`].
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// An HTTP header and the body disagree (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a client capability that it did not declare (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The request names a protocol version that is not supported (2026-07-28).
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

open_struct! {
    /// The `error` of a response.
    pub struct ErrorObject {
        /// What kind of error it is.
        required code: i64 = "code",
        /// The error in words.
        defaulted message: String = "message",
        /// More about it, by code.
        nullable data: Raw = "data",
    }
}

impl ErrorObject {
    /// An error without data.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        ErrorObject {
            code,
            message: message.into(),
            ..ErrorObject::default()
        }
    }

    /// [`METHOD_NOT_FOUND`] for `method`.
    pub fn method_not_found(method: &str) -> Self {
        ErrorObject::new(METHOD_NOT_FOUND, format!("method not found: {method}"))
    }

    /// [`INVALID_PARAMS`] with the reason.
    pub fn invalid_params(reason: impl std::fmt::Display) -> Self {
        ErrorObject::new(INVALID_PARAMS, format!("invalid params: {reason}"))
    }

    /// [`UNSUPPORTED_PROTOCOL_VERSION`], naming the versions that would do.
    pub fn unsupported_version(requested: &str, supported: &[Revision]) -> Self {
        let names: Vec<_> = supported.iter().map(|revision| revision.as_str()).collect();
        let data = serde_json::json!({ "supported": names, "requested": requested });
        ErrorObject {
            data: Raw::of(&data).ok(),
            ..ErrorObject::new(UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version")
        }
    }

    /// Whether only a peer of the modern era sends this code.
    pub fn is_modern(&self) -> bool {
        matches!(
            self.code,
            HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY | UNSUPPORTED_PROTOCOL_VERSION
        )
    }

    /// The versions that the peer says it supports, in `data.supported`.
    pub fn supported_versions(&self) -> Vec<String> {
        let data = self
            .data
            .as_ref()
            .and_then(|data| data.decode::<crate::RawObject>().ok());
        data.and_then(|data| data.get_as("supported"))
            .unwrap_or_default()
    }
}

impl std::fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (code {})", self.message, self.code)
    }
}
