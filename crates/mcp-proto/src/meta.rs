//! `_meta`: the keys that have a meaning in the protocol, and who may carry which.

use crate::capabilities::ClientCapabilities;
use crate::lifecycle::Implementation;
use crate::logging::LoggingLevel;
use crate::open_struct::open_struct;
use crate::{ProgressToken, Raw, RequestId};

/// Where `_meta` stands in parameters and results.
pub const META: &str = "_meta";
/// The version a modern request speaks.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// What the client of a modern request can do.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Who sends a modern request.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The least level of the log lines that a modern request wants to see.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Who answers, on every modern result.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The subscription that a notification belongs to: the id of its `subscriptions/listen`.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The task that a message of 2025-11-25 belongs to.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// The token under which the sender of a request wants to hear of progress.
pub const PROGRESS_TOKEN: &str = "progressToken";

open_struct! {
    /// The `_meta` of a request (protocol.md §4.1).
    pub struct RequestMeta is "RequestMetaObject|PingRequest/params/_meta" {
        /// The token under which the sender wants to hear of progress.
        optional progress_token: ProgressToken = "progressToken",
        /// The version that the request speaks.
        optional protocol_version: String = "io.modelcontextprotocol/protocolVersion" since V2026_07_28,
        /// What its client can do.
        optional client_capabilities: ClientCapabilities = "io.modelcontextprotocol/clientCapabilities" since V2026_07_28,
        /// Who its client is.
        optional client_info: Implementation = "io.modelcontextprotocol/clientInfo" since V2026_07_28,
        /// The least level of log lines it wants.
        optional log_level: LoggingLevel = "io.modelcontextprotocol/logLevel" since V2026_07_28,
        /// The task it belongs to.
        optional related_task: Raw = "io.modelcontextprotocol/related-task" since V2025_11_25 until V2025_11_25,
    }
}

open_struct! {
    /// The `_meta` of a result (protocol.md §4.1).
    pub struct ResultMeta is "ResultMetaObject|SubscriptionsListenResultMetaObject" {
        /// Who answers.
        optional server_info: Implementation = "io.modelcontextprotocol/serverInfo" since V2026_07_28,
        /// The subscription that has ended.
        optional subscription_id: RequestId = "io.modelcontextprotocol/subscriptionId" since V2026_07_28,
        /// The task it belongs to.
        optional related_task: Raw = "io.modelcontextprotocol/related-task" since V2025_11_25 until V2025_11_25,
    }
}

open_struct! {
    /// The `_meta` of a notification (protocol.md §4.1).
    pub struct NotificationMeta is "NotificationMetaObject" {
        /// The subscription it belongs to.
        optional subscription_id: RequestId = "io.modelcontextprotocol/subscriptionId" since V2026_07_28,
        /// The task it belongs to.
        optional related_task: Raw = "io.modelcontextprotocol/related-task" since V2025_11_25 until V2025_11_25,
    }
}
