//! The JSON-RPC error object and the codes that have a meaning in MCP.

use crate::open_struct::open_struct;
use crate::{Raw, RawObject, Revision, methods};

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
/// The call needs a person to visit an address first; 2025-11-25 only, later revisions ask in a result.
pub const URL_ELICITATION_REQUIRED: i64 = -32042;
/// An HTTP header and the body disagree (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a client capability that it did not declare (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The request names a protocol version that is not supported (2026-07-28).
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

open_struct! {
    /// The `error` of a response.
    pub struct ErrorObject is "Error|JSONRPCError/error" {
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

    /// The error that answers `method`, for a peer of `to` (protocol.md §1). That a resource does not exist
    /// is [`RESOURCE_NOT_FOUND`] in the legacy era and [`INVALID_PARAMS`] with the address in `data.uri` in
    /// the modern one; every other error means the same in both.
    pub fn for_revision(self, method: &str, to: Revision) -> Self {
        let code = match self.code {
            RESOURCE_NOT_FOUND if to.is_modern() => INVALID_PARAMS,
            INVALID_PARAMS
                if !to.is_modern() && method == methods::RESOURCES_READ && self.names_a_uri() =>
            {
                RESOURCE_NOT_FOUND
            }
            code => code,
        };
        ErrorObject { code, ..self }
    }

    fn names_a_uri(&self) -> bool {
        let data = self.data.as_ref().and_then(|data| data.decode().ok());
        data.is_some_and(|data: RawObject| data.get_as::<String>("uri").is_some())
    }

    /// The versions that the peer says it supports, in `data.supported`.
    pub fn supported_versions(&self) -> Vec<String> {
        let data = self
            .data
            .as_ref()
            .and_then(|data| data.decode::<RawObject>().ok());
        data.and_then(|data| data.get_as("supported"))
            .unwrap_or_default()
    }
}

impl std::fmt::Display for ErrorObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (code {})", self.message, self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_that_does_not_exist_has_a_code_in_each_era() {
        let data = || Raw::parse(r#"{"uri":"file:///a"}"#).ok();
        for (code, data, method, to, expected) in [
            (
                -32002,
                data(),
                "resources/read",
                Revision::V2026_07_28,
                -32602,
            ),
            (-32002, None, "tools/call", Revision::V2026_07_28, -32602),
            (
                -32002,
                data(),
                "resources/read",
                Revision::V2025_11_25,
                -32002,
            ),
            (
                -32602,
                data(),
                "resources/read",
                Revision::V2025_11_25,
                -32002,
            ),
            (
                -32602,
                None,
                "resources/read",
                Revision::V2025_11_25,
                -32602,
            ),
            (-32602, data(), "tools/call", Revision::V2024_11_05, -32602),
            (
                -32602,
                data(),
                "resources/read",
                Revision::V2026_07_28,
                -32602,
            ),
            (-32042, data(), "tools/call", Revision::V2026_07_28, -32042),
        ] {
            let error = ErrorObject {
                data,
                ..ErrorObject::new(code, "m")
            };
            let mapped = error.clone().for_revision(method, to);
            assert_eq!(mapped.code, expected, "{code} {method} {to}");
            assert_eq!((mapped.message, mapped.data), (error.message, error.data));
        }
    }
}
