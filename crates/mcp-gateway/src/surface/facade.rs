//! All servers under one roof: every tool under `<server>__<tool>`, otherwise as it was.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use mcp_manager::{ErrorKind, ToolError};
use mcp_proto::ErrorObject;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_server::{List, Reply, RequestContext, ServerDescription, ServerHandler};
use tokio::sync::watch;

use crate::directory::quoted;
use crate::facade_list::Names;
use crate::{Gateway, facade_instructions, facade_names, failure, forward};

pub(crate) struct FacadeSurface {
    gateway: Gateway,
    listed: AtomicBool,
    /// The names of the list that the host was served last and of the one before it, which it may still
    /// use.
    served: Mutex<[Arc<Names>; 2]>,
}

impl FacadeSurface {
    pub(crate) fn new(gateway: Gateway) -> Self {
        FacadeSurface {
            gateway,
            listed: AtomicBool::new(false),
            served: Mutex::default(),
        }
    }

    fn serve(&self, names: &Arc<Names>) {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if served[0] != *names {
            served.swap(0, 1);
            served[0] = names.clone();
        }
    }

    /// The server and the tool that a name means: by the lists that the host has seen, else by what is
    /// known now. A host may know a name from an earlier session and call before it lists, so that a
    /// server whose tools are not known yet is asked for them first.
    async fn find(&self, name: &str) -> Result<(String, String), ToolError> {
        let [last, before] = {
            let served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
            served.clone()
        };
        if let Some(tool) = last.get(name).or_else(|| before.get(name)) {
            return Ok(tool.clone());
        }
        let stands_in = |server: &str| name.starts_with(&facade_names::prefix(server));
        if let Some(server) = self.gateway.server_named(stands_in) {
            self.gateway.reach(&server).await?;
        }
        let directory = self.gateway.directory();
        let list = directory.facade();
        if let Some(tool) = list.names.get(name) {
            return Ok(tool.clone());
        }
        let near = directory.near(name);
        let near: Vec<_> = near.filter_map(|found| list.name_of(&found)).collect();
        let help = match near.is_empty() {
            true => String::new(),
            false => format!(" The nearest: {}.", near.join(", ")),
        };
        let name = quoted(name);
        Err(ToolError::new(
            ErrorKind::UnknownTool,
            format!("there is no tool {name}. Nothing was sent.{help}"),
        ))
    }
}

#[async_trait]
impl ServerHandler for FacadeSurface {
    fn describe(&self) -> ServerDescription {
        let inner = &self.gateway.inner;
        let connections = inner.manager.connections();
        let known: Vec<_> = connections
            .iter()
            .filter_map(|it| Some((it.name(), it.generation()?)))
            .collect();
        let own = known
            .iter()
            .filter_map(|(name, known)| Some((*name, known.session.instructions.as_deref()?)));
        ServerDescription {
            info: inner.options.info.clone(),
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                ..ServerCapabilities::default()
            },
            instructions: Some(facade_instructions(&self.gateway.roster(), own)),
            ..ServerDescription::default()
        }
    }

    async fn list(&self, kind: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        if kind != ListKind::Tools {
            return Err(ErrorObject::method_not_found(kind.method()));
        }
        // The first list only (D38): a host that asks twice is not kept waiting twice.
        if !self.listed.swap(true, Ordering::AcqRel) {
            let connections = self.gateway.inner.manager.connections();
            self.gateway.hold(&connections).await;
        }
        // Before the list is made: what changes meanwhile is told.
        let generation = *self.gateway.inner.manager.changes(kind).borrow();
        let directory = self.gateway.directory();
        let list = directory.facade();
        self.serve(&list.names);
        Ok(List::new(list.items.clone()).of_generation(generation))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let (server, tool) = match self.find(&params.name).await {
            Ok(found) => found,
            Err(error) => return Ok(failure::result(error)),
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
