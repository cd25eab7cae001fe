//! One server as it was: names, schemas, annotations, `_meta` and order, byte for byte but for the
//! repair of a schema root and for what the host's era does not have.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use mcp_manager::Generation;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::prompt::GetPromptParams;
use mcp_proto::resource::ReadResourceParams;
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, Raw, methods};
use mcp_server::{List, Reply, RequestContext, ServerDescription, ServerHandler};
use tokio::sync::watch;

use crate::{Gateway, failure, forward};

pub(crate) struct PassThrough {
    gateway: Gateway,
    server: String,
    listed: AtomicBool,
}

impl PassThrough {
    pub(crate) fn new(gateway: Gateway, server: String) -> Self {
        PassThrough {
            gateway,
            server,
            listed: AtomicBool::new(false),
        }
    }

    fn generation(&self) -> Option<Arc<Generation>> {
        self.gateway
            .inner
            .manager
            .connection(&self.server)?
            .generation()
    }

    async fn send(
        &self,
        method: &str,
        params: Option<Raw>,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let inner = &self.gateway.inner;
        let timeout = inner.options.facade_timeout;
        forward::request(&inner.manager, &self.server, method, params, timeout, cx).await
    }
}

#[async_trait]
impl ServerHandler for PassThrough {
    fn describe(&self) -> ServerDescription {
        let info = self.gateway.inner.options.info.clone();
        let Some(generation) = self.generation() else {
            // What is not known is not declared: each capability costs a host tools and requests.
            return ServerDescription {
                info,
                capabilities: ServerCapabilities {
                    tools: Some(ListCapability::changing()),
                    ..ServerCapabilities::default()
                },
                ..ServerDescription::default()
            };
        };
        let session = &generation.session;
        let changing = |known: bool| known.then(ListCapability::changing);
        ServerDescription {
            info: if session.server_info.name.is_empty() {
                info
            } else {
                session.server_info.clone()
            },
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                resources: changing(session.capabilities.resources.is_some()),
                prompts: changing(session.capabilities.prompts.is_some()),
                completions: session.capabilities.completions.clone(),
                ..ServerCapabilities::default()
            },
            instructions: session.instructions.clone(),
            ..ServerDescription::default()
        }
    }

    async fn list(&self, kind: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        if kind != ListKind::Tools {
            let generation = self.generation();
            let items = generation.map(|generation| generation.items(kind));
            return Ok(List::new(items.unwrap_or_default()));
        }
        // The first list only (D38): a host that asks twice is not kept waiting twice.
        if !self.listed.swap(true, Ordering::AcqRel) {
            let connection = self.gateway.inner.manager.connection(&self.server);
            self.gateway.hold(connection.as_slice()).await;
        }
        // Before the list is made: what changes meanwhile is told.
        let generation = *self
            .gateway
            .inner
            .manager
            .changes_of(&self.server, kind)
            .borrow();
        let items = self.gateway.directory().listed(&self.server);
        Ok(List::new(items).of_generation(generation))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let inner = &self.gateway.inner;
        let tool = params.name.clone();
        let called = forward::call(
            &inner.manager,
            &self.server,
            &tool,
            params,
            inner.options.facade_timeout,
            cx,
        )
        .await;
        called.map(Reply::from).or_else(failure::call)
    }

    async fn read_resource(
        &self,
        params: ReadResourceParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        self.send(methods::RESOURCES_READ, Raw::of(&params).ok(), cx)
            .await
    }

    async fn get_prompt(
        &self,
        params: GetPromptParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        self.send(methods::PROMPTS_GET, Raw::of(&params).ok(), cx)
            .await
    }

    async fn other(
        &self,
        method: &str,
        params: Option<Raw>,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        if method != methods::COMPLETE {
            return Err(ErrorObject::method_not_found(method));
        }
        self.send(method, params, cx).await
    }

    fn changes(&self, kind: ListKind) -> Option<watch::Receiver<u64>> {
        match kind {
            // They change with the resources, and share their notification.
            ListKind::ResourceTemplates => None,
            _ => Some(self.gateway.inner.manager.changes_of(&self.server, kind)),
        }
    }
}
