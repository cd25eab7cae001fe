//! The trait that servers are written with.

use async_trait::async_trait;
use mcp_proto::list::ListKind;
use mcp_proto::prompt::GetPromptParams;
use mcp_proto::resource::ReadResourceParams;
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, Raw, methods};
use tokio::sync::watch;

use crate::{ClientDescription, List, Reply, RequestContext, ServerDescription};

/// What a server has and does. One handler may serve many sessions.
///
/// Requests come decoded as far as their envelope; those behind a capability that
/// [`describe`](ServerHandler::describe) does not declare never come. Each runs as a task of its own,
/// and its future is dropped when the host cancels the request or the session ends. An error becomes
/// the JSON-RPC error of the response; what a model is to read is a [`Reply`] with `isError` instead.
#[async_trait]
pub trait ServerHandler: Send + Sync + 'static {
    /// Who the server is, what it can do and how it is to be used. Called by the task that reads, for
    /// every handshake and modern request: it must return at once.
    fn describe(&self) -> ServerDescription;

    /// The whole list; pages are made of it.
    async fn list(&self, kind: ListKind, cx: &RequestContext) -> Result<List, ErrorObject> {
        let _ = cx;
        Err(ErrorObject::method_not_found(kind.method()))
    }

    /// Calls a tool. A tool that does not exist is an [`unknown_tool`](crate::unknown_tool).
    async fn call_tool(
        &self,
        params: CallToolParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let _ = (params, cx);
        Err(ErrorObject::method_not_found(methods::TOOLS_CALL))
    }

    /// Reads a resource. One that does not exist is an [`unknown_resource`](crate::unknown_resource).
    async fn read_resource(
        &self,
        params: ReadResourceParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let _ = (params, cx);
        Err(ErrorObject::method_not_found(methods::RESOURCES_READ))
    }

    /// Fills in a prompt. One that does not exist is an [`unknown_prompt`](crate::unknown_prompt).
    async fn get_prompt(
        &self,
        params: GetPromptParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let _ = (params, cx);
        Err(ErrorObject::method_not_found(methods::PROMPTS_GET))
    }

    /// Any other request: `completion/complete`, `resources/subscribe`, an extension's.
    /// `logging/setLevel` comes here too and succeeds when this says that it does not know the method.
    async fn other(
        &self,
        method: &str,
        params: Option<Raw>,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let _ = (params, cx);
        Err(ErrorObject::method_not_found(method))
    }

    /// A number that is another whenever the list is another; `None` for a list that never changes.
    /// Asked once a session. The host is told when it differs from what it was served or told last, if
    /// the capability says `listChanged`. Resources and templates share one notification: where both
    /// change together, only [`ListKind::Resources`] should tick.
    fn changes(&self, kind: ListKind) -> Option<watch::Receiver<u64>> {
        let _ = kind;
        None
    }

    /// A host of the legacy era has finished its handshake. Called by the task that reads: it must
    /// return at once.
    fn connected(&self, client: &ClientDescription) {
        let _ = client;
    }
}
