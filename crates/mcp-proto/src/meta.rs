//! The keys of `_meta` that have a meaning in the protocol.

/// Where `_meta` stands in parameters and results.
pub const META: &str = "_meta";
/// The version a modern request speaks.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client of a modern request can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who sends a modern request.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Who answers, on every modern result.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The subscription that a notification belongs to: the id of its `subscriptions/listen`.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The token under which the sender of a request wants to hear of progress.
pub const PROGRESS_TOKEN: &str = "progressToken";
