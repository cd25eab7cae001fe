//! One small tool, `mcp`, behind which all servers stand. Its list is known from the configuration and
//! never held.

use async_trait::async_trait;
use mcp_proto::ErrorObject;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_server::{List, Reply, RequestContext, ServerDescription, ServerHandler, unknown_tool};
use tokio::sync::watch;

use super::actions;
use crate::{Gateway, mcp_instructions, mcp_tool};

pub(crate) struct McpSurface {
    gateway: Gateway,
}

impl McpSurface {
    pub(crate) fn new(gateway: Gateway) -> Self {
        McpSurface { gateway }
    }
}

#[async_trait]
impl ServerHandler for McpSurface {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            info: self.gateway.inner.options.info.clone(),
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                ..ServerCapabilities::default()
            },
            instructions: Some(mcp_instructions(&self.gateway.roster())),
            ..ServerDescription::default()
        }
    }

    async fn list(&self, kind: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        match kind {
            ListKind::Tools => Ok(List::new([mcp_tool(&self.gateway.roster())])),
            _ => Err(ErrorObject::method_not_found(kind.method())),
        }
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        if params.name != "mcp" {
            return Err(unknown_tool(&params.name));
        }
        Ok(actions::act(&self.gateway, params, cx).await)
    }

    fn changes(&self, kind: ListKind) -> Option<watch::Receiver<u64>> {
        (kind == ListKind::Tools).then(|| self.gateway.inner.descriptions.subscribe())
    }
}
