//! The handshakes: `initialize` of the legacy era, `server/discover` of the modern one.

use crate::capabilities::{ClientCapabilities, ServerCapabilities};
use crate::icon::Icon;
use crate::meta::{RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::result::CacheScope;
use crate::{Raw, RawObject};

open_struct! {
    /// Who a client or a server is.
    pub struct Implementation {
        /// Its name for programs.
        required name: String = "name",
        /// Its version.
        defaulted version: String = "version",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
        /// What it is for.
        optional description: String = "description" since V2025_11_25,
        /// Pictures for it.
        optional icons: Raw as Vec<Icon> = "icons" since V2025_11_25,
        /// Where more is told.
        optional website_url: String = "websiteUrl" since V2025_11_25,
    }
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Implementation {
            name: name.into(),
            version: version.into(),
            ..Implementation::default()
        }
    }
}

open_struct! {
    /// The parameters of `initialize`.
    pub struct InitializeParams is "InitializeRequestParams" {
        /// The newest legacy revision that the client speaks.
        required protocol_version: String = "protocolVersion",
        /// What the client can do.
        defaulted capabilities: ClientCapabilities = "capabilities",
        /// Who the client is.
        defaulted client_info: Implementation = "clientInfo",
        /// Data of the sender.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The result of `initialize`.
    pub struct InitializeResult {
        /// The revision both sides speak from here on.
        required protocol_version: String = "protocolVersion",
        /// What the server can do.
        defaulted capabilities: ServerCapabilities = "capabilities",
        /// Who the server is.
        defaulted server_info: Implementation = "serverInfo",
        /// How the server is to be used, for the model.
        optional instructions: String = "instructions",
        /// Data of the sender.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// The result of `server/discover`.
    pub struct DiscoverResult {
        /// The versions that a request may name.
        required supported_versions: Vec<String> = "supportedVersions",
        /// What the server can do.
        required capabilities: ServerCapabilities = "capabilities",
        /// How the server is to be used, for the model.
        optional instructions: String = "instructions",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// How long it may be kept, in milliseconds; less than 0 means 0 (2026-07-28).
        optional ttl_ms: i64 = "ttlMs" since V2026_07_28,
        /// Who may share it (2026-07-28).
        optional cache_scope: CacheScope = "cacheScope" since V2026_07_28,
        /// Data of the sender; has the server's name.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// The parameters of requests that have none of their own: `ping`, `server/discover`.
    pub struct RequestParams is "RequestParams|PingRequest/params" {
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}
