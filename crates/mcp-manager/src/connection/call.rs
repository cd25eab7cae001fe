//! What is sent to a server: calls, once, and other requests.

use std::sync::Arc;

use mcp_client::{CallOptions, Client, ClientError, Params, ToolCall};
use mcp_proto::Raw;
use tokio::time::Instant;

use super::Connection;
use super::state::Facts;
use crate::{ErrorKind, Generation, ListOutcome, ToolError};

impl Connection {
    /// Calls a tool once, connecting first where nobody has. A name that the server does not list is
    /// not sent. A call that was not sent because the server had gone is sent to its successor; one that
    /// may have been carried out is never sent again.
    ///
    /// The timeout is the definition's; where it names none, that of `options`, else the manager's.
    pub async fn call(&self, call: &ToolCall, options: CallOptions) -> Result<Raw, ToolError> {
        let deadline = self.startup_deadline(&options);
        let tool_timeout = self.inner.spec.options.borrow().tool_timeout;
        let own = self.definition().tool_timeout;
        let options = CallOptions {
            timeout: Some(own.or(options.timeout).unwrap_or(tool_timeout)),
            ..options
        };
        let mut was_gone = false;
        loop {
            let (generation, client) = self.reach(deadline).await?;
            if generation.tool(&call.name).is_none() {
                return Err(self.unknown_tool(&call.name, &generation));
            }
            match client.call_tool(call, options.clone()).await {
                Ok(result) => return Ok(result),
                Err(ClientError::Gone(_) | ClientError::Closed) if !was_gone => {
                    was_gone = true;
                    // The end is on its way to the state; the next attempt begins after it.
                    let is_noted = |facts: &Facts| !facts.is_client(&client);
                    self.inner.state.wait(is_noted).await;
                }
                Err(error) => return Err(self.failed(&format!("call {}", call.name), error)),
            }
        }
    }

    /// By what a call can be sent: at once where the server is there, else after connecting. A list that
    /// failed is read again behind the caller's back.
    async fn reach(&self, deadline: Instant) -> Result<(Arc<Generation>, Client), ToolError> {
        let (usable, list) = {
            let facts = self.inner.state.lock();
            (facts.usable(), facts.list)
        };
        if let Some(usable) = usable {
            if list == ListOutcome::Failed {
                self.demand();
            }
            return Ok(usable);
        }
        self.connect(deadline).await?;
        let facts = self.inner.state.lock();
        facts.usable().ok_or_else(|| facts.unavailable(self.name()))
    }

    /// Sends any other request, connecting first where nobody has. It needs the session alone: a server
    /// whose tool list failed answers, too. The timeout is that of [`Connection::call`].
    pub async fn request(
        &self,
        method: &str,
        params: Params,
        options: CallOptions,
    ) -> Result<Raw, ToolError> {
        let mut client = self.inner.state.lock().live_client();
        if client.is_none() {
            let connected = self.connect(self.startup_deadline(&options)).await;
            client = self.inner.state.lock().live_client();
            if let (Err(error), None) = (connected, &client) {
                return Err(error);
            }
        }
        let Some(client) = client else {
            return Err(self.inner.state.lock().unavailable(self.name()));
        };
        let sent = client.request(method, params, options).await;
        sent.map_err(|error| self.failed(method, error))
    }

    fn failed(&self, what: &str, error: ClientError) -> ToolError {
        let since = self.health().since;
        ToolError::of(
            self.name(),
            what,
            error,
            since,
            &self.inner.spec.options.borrow(),
        )
    }

    fn startup_deadline(&self, options: &CallOptions) -> Instant {
        let own = Instant::now() + self.startup_timeout();
        options
            .deadline
            .map_or(own, |deadline| own.min(Instant::from_std(deadline)))
    }

    fn unknown_tool(&self, tool: &str, generation: &Generation) -> ToolError {
        let (offered, all) = (generation.tools.len(), generation.unfiltered);
        let among = match (offered, all) {
            (_, 0) => "; it has no tools at all. Not sent.".to_owned(),
            (0, _) => format!(
                " to offer: the configuration leaves out all of its {all} tools. Not sent; change the filter there and reload."
            ),
            _ if offered < all => format!(
                " among the {offered} of its {all} tools that the configuration offers. Not sent; list or search for the right name."
            ),
            _ => format!(" among its {all}. Not sent; list or search for the right name."),
        };
        let message = format!("{}: it has no tool {tool:?}{among}", self.name());
        ToolError::new(ErrorKind::UnknownTool, message)
    }
}
