//! What may stand as the value of a key, as a JSON Schema says it.

use mcp_definitions::{Lifecycle, Placement, Sharing};
use serde_json::{Value, json};

/// What may stand as the value of a key.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// Text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of texts, numbers, and true or false.
    Scalars,
    /// A program, or a list of program and arguments.
    Command,
    /// An object of names and values.
    Map,
    /// One of some words.
    Words(fn() -> Vec<&'static str>),
    /// `"30s"`, or a number of seconds.
    Duration,
    /// True or false.
    Flag,
    /// Names of executors.
    Executors,
    /// `include` and `exclude`, or a list of what to include.
    Tools,
}

impl Shape {
    /// The schema of such a value.
    pub(crate) fn schema(self) -> Value {
        let texts = || json!({ "type": "array", "items": { "type": "string" } });
        match self {
            Self::Text => json!({ "type": "string" }),
            Self::Texts => texts(),
            Self::Scalars => {
                json!({ "type": "array", "items": { "type": ["string", "number", "boolean"] } })
            }
            Self::Command => json!({
                "anyOf": [
                    { "type": "string", "minLength": 1 },
                    { "type": "array", "items": { "type": "string" }, "minItems": 1 },
                ]
            }),
            Self::Map => json!({
                "type": "object",
                "additionalProperties": { "type": ["string", "number", "boolean"] },
            }),
            Self::Words(words) => json!({ "enum": words() }),
            Self::Duration => json!({
                "anyOf": [
                    {
                        "type": "string",
                        "pattern": "^\\s*([0-9]+(\\.[0-9]*)?\\s*(ms|s|m|h|d)\\s*)+$",
                    },
                    { "type": "number", "minimum": 0 },
                ],
                "examples": ["500ms", "30s", "2m"],
            }),
            Self::Flag => json!({ "type": "boolean" }),
            Self::Executors => json!({
                "type": "array",
                "items": { "type": "string", "pattern": "^[a-z0-9-]{1,16}$" },
                "uniqueItems": true,
            }),
            Self::Tools => json!({
                "anyOf": [
                    texts(),
                    {
                        "type": "object",
                        "properties": { "include": texts(), "exclude": texts() },
                        "additionalProperties": false,
                    },
                ]
            }),
        }
    }
}

/// The words of `type`, in our spelling.
pub(crate) fn transports() -> Vec<&'static str> {
    vec!["stdio", "http", "streamable-http", "sse"]
}

/// The words of `placement`.
pub(crate) fn placements() -> Vec<&'static str> {
    Placement::ALL.map(Placement::as_str).to_vec()
}

/// The words of `sharing`.
pub(crate) fn sharings() -> Vec<&'static str> {
    Sharing::ALL.map(Sharing::as_str).to_vec()
}

/// The words of `lifecycle`.
pub(crate) fn lifecycles() -> Vec<&'static str> {
    Lifecycle::ALL.map(Lifecycle::as_str).to_vec()
}
