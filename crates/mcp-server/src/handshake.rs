//! The answers to both handshakes, made of what the server says of itself and nothing else.

use std::sync::Arc;

use mcp_proto::lifecycle::{DiscoverResult, InitializeParams, InitializeResult};
use mcp_proto::{Raw, RawObject, Revision, methods, project};

use crate::envelope::SUPPORTED;
use crate::{ClientDescription, ServerDescription};

/// What requests are served under: the revision, who asks, and what the server has declared to them.
#[derive(Clone)]
pub(crate) struct Terms {
    pub(crate) revision: Revision,
    pub(crate) client: Arc<ClientDescription>,
    pub(crate) server: Arc<ServerDescription>,
}

impl Terms {
    /// The terms that an `initialize` asks for: its revision if we know it, else the newest legacy one
    /// that is not newer (D40).
    pub(crate) fn agree(params: InitializeParams, server: ServerDescription) -> Terms {
        Terms {
            revision: Revision::answer_initialize(&params.protocol_version),
            client: Arc::new(ClientDescription {
                info: Some(params.client_info),
                capabilities: params.capabilities,
            }),
            server: Arc::new(server),
        }
    }

    /// The terms of a legacy host that asks before its handshake.
    pub(crate) fn before_handshake(server: ServerDescription) -> Terms {
        Terms {
            revision: Revision::LATEST_LEGACY,
            client: Arc::default(),
            server: Arc::new(server),
        }
    }

    /// The result of `initialize`. It names no extensions: the legacy era has none.
    pub(crate) fn initialize_result(&self) -> Raw {
        let mut capabilities = self.server.capabilities.clone();
        capabilities.extensions = None;
        let result = InitializeResult {
            protocol_version: self.revision.as_str().to_owned(),
            capabilities,
            server_info: self.server.info.clone(),
            instructions: self.server.instructions.clone(),
            ..InitializeResult::default()
        };
        let result = Raw::of(&result).unwrap_or_default();
        project::result(methods::INITIALIZE, &result, self.revision).into_owned()
    }

    /// The result of `server/discover`. It names no tasks: the modern era has them as an extension.
    pub(crate) fn discover_result(&self) -> Raw {
        let mut capabilities = self.server.capabilities.clone();
        capabilities.extra.remove("tasks");
        let mut extra = RawObject::default();
        extra.push("ttlMs", Raw::of(&self.server.ttl_ms).unwrap_or_default());
        let scope = Raw::of(self.server.cache_scope.as_str()).unwrap_or_default();
        extra.push("cacheScope", scope);
        let result = DiscoverResult {
            supported_versions: SUPPORTED
                .iter()
                .map(|revision| revision.as_str().to_owned())
                .collect(),
            capabilities,
            instructions: self.server.instructions.clone(),
            extra,
            ..DiscoverResult::default()
        };
        let result = Raw::of(&result).unwrap_or_default();
        project::result_to_modern(methods::DISCOVER, result, &self.server.info)
    }
}
