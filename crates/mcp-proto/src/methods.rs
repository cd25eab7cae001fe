//! The names of requests and notifications.

/// Handshake of the legacy era.
pub const INITIALIZE: &str = "initialize";
/// The client's last word of the legacy handshake.
pub const INITIALIZED: &str = "notifications/initialized";
/// A sign of life; legacy era.
pub const PING: &str = "ping";
/// Handshake of the modern era.
pub const DISCOVER: &str = "server/discover";
/// One page of tools.
pub const TOOLS_LIST: &str = "tools/list";
/// One tool call.
pub const TOOLS_CALL: &str = "tools/call";
/// One page of resources.
pub const RESOURCES_LIST: &str = "resources/list";
/// One page of resource templates.
pub const RESOURCE_TEMPLATES_LIST: &str = "resources/templates/list";
/// The contents of one resource.
pub const RESOURCES_READ: &str = "resources/read";
/// One page of prompts.
pub const PROMPTS_LIST: &str = "prompts/list";
/// One prompt, filled in.
pub const PROMPTS_GET: &str = "prompts/get";
/// Suggestions for an argument.
pub const COMPLETE: &str = "completion/complete";
/// One long-lived subscription; modern era.
pub const LISTEN: &str = "subscriptions/listen";
/// The first message of a subscription.
pub const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
/// The sender no longer wants an answer.
pub const CANCELLED: &str = "notifications/cancelled";
/// How far a request is.
pub const PROGRESS: &str = "notifications/progress";
/// A log line of the server.
pub const LOG_MESSAGE: &str = "notifications/message";
/// The list of tools is another.
pub const TOOLS_LIST_CHANGED: &str = "notifications/tools/list_changed";
/// The list of resources is another.
pub const RESOURCES_LIST_CHANGED: &str = "notifications/resources/list_changed";
/// The list of prompts is another.
pub const PROMPTS_LIST_CHANGED: &str = "notifications/prompts/list_changed";
