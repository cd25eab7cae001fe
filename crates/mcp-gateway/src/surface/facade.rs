//! All servers under one roof: every tool under `<server>__<tool>`, otherwise as it was.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use mcp_manager::Connection;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, Raw, RawObject};
use mcp_server::{List, Reply, RequestContext, ServerDescription, ServerHandler};
use tokio::sync::watch;

use super::pass_through::hold;
use crate::{Gateway, facade_instructions, facade_names, failure, forward, repair};

/// Facade name to server and original name.
type Names = HashMap<String, (String, String)>;

pub(crate) struct FacadeSurface {
    gateway: Gateway,
    listed: AtomicBool,
    /// The names of the last list and of the one before it, which a host may still use.
    names: Mutex<[Arc<Names>; 2]>,
}

impl FacadeSurface {
    pub(crate) fn new(gateway: Gateway) -> Self {
        FacadeSurface {
            gateway,
            listed: AtomicBool::new(false),
            names: Mutex::default(),
        }
    }

    fn names(&self) -> std::sync::MutexGuard<'_, [Arc<Names>; 2]> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The whole list, and its names noted.
    fn compose(&self) -> Vec<Raw> {
        let directory = self.gateway.directory();
        let tools: Vec<_> = directory
            .servers()
            .flat_map(|(server, generation)| {
                generation.tools.iter().map(move |tool| (server, tool))
            })
            .collect();
        let names = facade_names(
            tools
                .iter()
                .map(|(server, tool)| (*server, tool.tool.name.as_str())),
        );
        let mut known = Names::new();
        let mut items = Vec::with_capacity(tools.len());
        for ((server, tool), name) in tools.iter().zip(names) {
            if let Some(item) = renamed(&tool.raw, &name) {
                items.push(item);
                known.insert(name, ((*server).to_owned(), tool.tool.name.clone()));
            }
        }
        let mut kept = self.names();
        if *kept[0] != known {
            kept.swap(0, 1);
            kept[0] = Arc::new(known);
        }
        items
    }

    fn find(&self, name: &str) -> Option<(String, String)> {
        let find = || {
            let [current, previous] = self.names().clone();
            current.get(name).or_else(|| previous.get(name)).cloned()
        };
        // A host may know the names from an earlier session and call before it lists.
        find().or_else(|| {
            self.compose();
            find()
        })
    }
}

/// The tool under another name, in the place where its name stood.
fn renamed(tool: &Raw, name: &str) -> Option<Raw> {
    let mut object = RawObject::parse(&repair::tool(tool)).ok()?;
    object.set("name", Raw::of(name).ok()?);
    Some(object.to_raw())
}

#[async_trait]
impl ServerHandler for FacadeSurface {
    fn describe(&self) -> ServerDescription {
        let gateway = &self.gateway;
        let connections = gateway.inner.manager.connections();
        let own: Vec<_> = connections
            .iter()
            .filter_map(|connection| {
                let instructions = connection.generation()?.session.instructions.clone()?;
                Some((connection.name().to_owned(), instructions))
            })
            .collect();
        let own = own
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        ServerDescription {
            info: gateway.inner.options.info.clone(),
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                ..ServerCapabilities::default()
            },
            instructions: Some(facade_instructions(&gateway.roster(), own)),
            ..ServerDescription::default()
        }
    }

    async fn list(&self, kind: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        if kind != ListKind::Tools {
            return Err(ErrorObject::method_not_found(kind.method()));
        }
        if !self.listed.swap(true, Ordering::AcqRel) {
            let connections: Vec<Connection> = self.gateway.inner.manager.connections().to_vec();
            hold(&self.gateway, connections.into_iter().map(Some)).await;
        }
        Ok(List::new(self.compose()))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let Some((server, tool)) = self.find(&params.name) else {
            let help = match self.gateway.directory().resolve(&params.name, None) {
                Ok(found) => format!("did you mean {}?", found.reference().replacen('/', "__", 1)),
                Err(error) => error.to_string(),
            };
            return Ok(failure::with_code(
                format!(
                    "there is no tool {:?}: {help} Nothing was sent.",
                    params.name
                ),
                "mcp_request_failed",
                "unknown_tool",
            ));
        };
        let inner = &self.gateway.inner;
        let called = forward::call(
            &inner.manager,
            &server,
            &tool,
            params,
            inner.options.facade_timeout,
            cx,
        )
        .await;
        called.map(Reply::from).or_else(failure::call)
    }

    fn changes(&self, kind: ListKind) -> Option<watch::Receiver<u64>> {
        (kind == ListKind::Tools).then(|| self.gateway.inner.manager.changes(kind))
    }
}
