//! What the server does about one request, and how answers look as text.

use std::time::Duration;

use serde_json::json;

/// What the server does about one request.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Answer with this result, a JSON object.
    Result(String),
    /// Answer with an error; `data` is JSON text.
    Error {
        code: i64,
        message: String,
        data: Option<String>,
    },
    /// Answer later.
    Later(Later),
    /// Say nothing.
    Never,
    /// End with this code instead of answering.
    Exit(u8),
}

/// An answer that takes time.
#[derive(Debug)]
pub(crate) struct Later {
    /// Whole messages to send on the way.
    pub(crate) notifications: Vec<String>,
    /// The wait before each notification, and before the result.
    pub(crate) gap: Duration,
    /// The result, a JSON object.
    pub(crate) result: String,
    /// Whether `notifications/cancelled` stops it.
    pub(crate) cancellable: bool,
}

impl Reply {
    /// An error without data.
    pub(crate) fn error(code: i64, message: impl Into<String>) -> Reply {
        Reply::Error {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub(crate) fn unknown_method(method: &str) -> Reply {
        Reply::error(-32601, format!("Method not found: {method}"))
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Reply {
        Reply::error(-32602, message)
    }

    /// A tool's result of one text block.
    pub(crate) fn tool_text(text: &str) -> Reply {
        Reply::Result(json!({"content": [{"type": "text", "text": text}]}).to_string())
    }

    /// A tool's failure, with its reason as the text block.
    pub(crate) fn tool_failure(text: &str) -> Reply {
        let content = json!([{"type": "text", "text": text}]);
        Reply::Result(json!({"content": content, "isError": true}).to_string())
    }

    /// The same reply, later; a reply without a result stays as it is.
    pub(crate) fn after(self, gap: Duration, cancellable: bool) -> Reply {
        match self {
            Reply::Result(result) => Reply::Later(Later {
                notifications: Vec::new(),
                gap,
                result,
                cancellable,
            }),
            other => other,
        }
    }

    /// The same reply with another result; a reply without a result stays as it is.
    pub(crate) fn map_result(self, change: impl FnOnce(&str) -> String) -> Reply {
        match self {
            Reply::Result(result) => Reply::Result(change(&result)),
            Reply::Later(later) => Reply::Later(Later {
                result: change(&later.result),
                ..later
            }),
            other => other,
        }
    }
}

/// A response, with the id's text as it came.
pub(crate) fn response(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// An error response.
pub(crate) fn error_response(id: &str, code: i64, message: &str, data: Option<&str>) -> String {
    let message = json!(message);
    let data = data.map_or(String::new(), |data| format!(r#","data":{data}"#));
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}{data}}}}}"#)
}

/// A notification; `params` is JSON text.
pub(crate) fn notification(method: &str, params: Option<&str>) -> String {
    let params = params.map_or(String::new(), |params| format!(r#","params":{params}"#));
    format!(r#"{{"jsonrpc":"2.0","method":"{method}"{params}}}"#)
}
