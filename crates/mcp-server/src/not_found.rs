//! The errors for names that a server does not have (protocol.md §1, §3).

use mcp_proto::{ErrorObject, Raw, error_object};

/// The error for a call of a tool that does not exist.
pub fn unknown_tool(name: &str) -> ErrorObject {
    ErrorObject::invalid_params(format_args!("unknown tool {name:?}"))
}

/// The error for a prompt that does not exist.
pub fn unknown_prompt(name: &str) -> ErrorObject {
    ErrorObject::invalid_params(format_args!("unknown prompt {name:?}"))
}

/// The error for a resource that does not exist, which it names in its data. A modern host gets it with
/// the code of its era.
pub fn unknown_resource(uri: &str) -> ErrorObject {
    ErrorObject {
        data: Raw::of(&serde_json::json!({ "uri": uri })).ok(),
        ..ErrorObject::new(
            error_object::RESOURCE_NOT_FOUND,
            format!("unknown resource {uri:?}"),
        )
    }
}
