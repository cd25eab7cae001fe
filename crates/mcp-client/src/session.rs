//! What a handshake agreed on.

use mcp_proto::capabilities::{ClientCapabilities, ServerCapabilities};
use mcp_proto::lifecycle::Implementation;
use mcp_proto::{Raw, RawObject, Revision, meta};

/// The two ways to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// `initialize`, then a session; up to 2025-11-25.
    Legacy,
    /// Every request names its version and stands alone; from 2026-07-28.
    Modern,
}

/// What a handshake agreed on. It does not change while the session lasts.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The revision that is spoken.
    pub revision: Revision,
    /// Who the server is.
    pub server_info: Implementation,
    /// What the server can do.
    pub capabilities: ServerCapabilities,
    /// How the server is to be used, for the model.
    pub instructions: Option<String>,
}

impl Session {
    /// The era of the revision.
    pub fn era(&self) -> Era {
        if self.revision.is_modern() {
            Era::Modern
        } else {
            Era::Legacy
        }
    }
}

/// What every request of the modern era carries in its `_meta`; nothing in the legacy era.
pub(crate) fn envelope(
    revision: Revision,
    client_info: &Implementation,
    capabilities: &ClientCapabilities,
) -> RawObject {
    let mut envelope = RawObject::default();
    if revision.is_modern() {
        envelope.push(
            meta::PROTOCOL_VERSION,
            Raw::of(revision.as_str()).unwrap_or_default(),
        );
        envelope.push(meta::CLIENT_INFO, Raw::of(client_info).unwrap_or_default());
        envelope.push(
            meta::CLIENT_CAPABILITIES,
            Raw::of(capabilities).unwrap_or_default(),
        );
    }
    envelope
}
