//! Which requests a server that declared some capabilities can be asked at all.

use mcp_proto::capabilities::ServerCapabilities;
use mcp_proto::{ErrorObject, methods};

/// The legacy era's way to choose how much a server logs.
pub(crate) const SET_LEVEL: &str = "logging/setLevel";
/// The legacy era's ways to follow a resource.
const SUBSCRIBE: [&str; 2] = ["resources/subscribe", "resources/unsubscribe"];

/// Refuses a method behind a capability that was not declared (protocol.md §2). Methods behind no
/// capability that we know pass.
pub(crate) fn check(method: &str, declared: &ServerCapabilities) -> Result<(), ErrorObject> {
    let is_open = match method {
        methods::TOOLS_LIST | methods::TOOLS_CALL => declared.tools.is_some(),
        methods::RESOURCES_LIST | methods::RESOURCE_TEMPLATES_LIST | methods::RESOURCES_READ => {
            declared.resources.is_some()
        }
        methods::PROMPTS_LIST | methods::PROMPTS_GET => declared.prompts.is_some(),
        methods::COMPLETE => declared.completions.is_some(),
        SET_LEVEL => declared.logging.is_some(),
        method if SUBSCRIBE.contains(&method) => declared
            .resources
            .as_ref()
            .is_some_and(|resources| resources.subscribe == Some(true)),
        _ => true,
    };
    match is_open {
        true => Ok(()),
        false => Err(ErrorObject::method_not_found(method)),
    }
}

/// Whether the modern era has done away with a method (protocol.md §4.11).
pub(crate) fn is_removed(method: &str) -> bool {
    matches!(method, methods::INITIALIZE | methods::PING | SET_LEVEL) || SUBSCRIBE.contains(&method)
}
