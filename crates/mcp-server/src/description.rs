//! Who is at either end: what a server says of itself, and what a host said.

use mcp_proto::capabilities::{ClientCapabilities, ServerCapabilities};
use mcp_proto::lifecycle::Implementation;

/// Who a server is, what it can do and how it is to be used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServerDescription {
    /// Its name and version.
    pub info: Implementation,
    /// What it can do. Requests behind a capability that is not here are refused (protocol.md §2).
    pub capabilities: ServerCapabilities,
    /// How it is to be used, for the model.
    pub instructions: Option<String>,
    /// How long the answer to `server/discover` may be kept, in milliseconds (2026-07-28).
    pub ttl_ms: u64,
    /// Who may keep that answer and the lists (2026-07-28).
    pub cache_scope: CacheScope,
}

impl ServerDescription {
    /// A server with a name and a version that can do nothing yet; set its `capabilities`.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        ServerDescription {
            info: Implementation::new(name, version),
            ..ServerDescription::default()
        }
    }
}

/// Who may keep an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheScope {
    /// Only who asked.
    #[default]
    Private,
    /// Anyone: it is the same for all.
    Public,
}

impl CacheScope {
    /// The value of `cacheScope` on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            CacheScope::Private => "private",
            CacheScope::Public => "public",
        }
    }
}

/// Who a host is and what it can do, by its handshake (legacy era) or by the request (modern era).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientDescription {
    /// Its name and version; a modern host need not say, nor one that has not done its handshake.
    pub info: Option<Implementation>,
    /// What it can do.
    pub capabilities: ClientCapabilities,
}
