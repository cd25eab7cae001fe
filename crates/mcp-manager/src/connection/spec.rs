//! From a definition to the transport that reaches its server.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use mcp_client::{Channel, ClientError, StdioTransport, Transport};
use mcp_definitions::{ServerDefinition, ServerKind};
use workspace::{ExecutorId, ProcessSpec, Secret, StderrSink, Workspace, WorkspaceError};

use crate::ManagerOptions;

/// The way to the server that `definition` describes.
pub(crate) fn transport(
    name: &str,
    definition: &ServerDefinition,
    workspace: Option<Arc<dyn Workspace>>,
    executor: &ExecutorId,
    options: &ManagerOptions,
) -> Arc<dyn Transport> {
    let ServerKind::Stdio(command) = &definition.server else {
        let why = definition.server.unavailable().unwrap_or_default();
        return Arc::new(Unavailable(format!("reach {name}: {why}")));
    };
    let Some(workspace) = workspace else {
        return Arc::new(Unavailable(format!(
            "start {name} on executor `{executor}`: there is no such executor"
        )));
    };
    let mut spec = ProcessSpec::new(name, &command.command);
    spec.args = command.args.clone();
    for variable in &command.inherit_env {
        if let Some(value) = options.environment.get(variable) {
            spec.env
                .insert(variable.clone(), Secret::new(value.clone()));
        }
    }
    for (variable, value) in &command.env {
        spec.env
            .insert(variable.clone(), Secret::new(value.clone()));
    }
    spec.cwd = command
        .cwd
        .as_ref()
        .map(PathBuf::from)
        .or_else(|| options.cwd.clone());
    Arc::new(StdioTransport::new(workspace, spec))
}

/// A transport that this version does not have.
struct Unavailable(String);

#[async_trait]
impl Transport for Unavailable {
    async fn open(&self, _: StderrSink) -> Result<Channel, ClientError> {
        Err(ClientError::Start(Arc::new(WorkspaceError::Unsupported {
            op: self.0.clone(),
        })))
    }
}
