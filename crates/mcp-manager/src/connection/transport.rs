//! From a definition to the transport that reaches its server.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use mcp_client::{Channel, ClientError, StdioTransport, Transport};
use mcp_definitions::{ExecutorName, ServerDefinition, ServerKind};
use workspace::{ProcessSpec, Registry, Secret, StderrSink, WorkspaceError};

use crate::ManagerOptions;

/// The way to the server that `definition` describes, on one of its executors. What makes it impossible
/// is told when the server is needed.
pub(crate) fn transport(
    name: &str,
    definition: &ServerDefinition,
    executor: &ExecutorName,
    registry: &Registry,
    options: &ManagerOptions,
) -> Arc<dyn Transport> {
    let ServerKind::Stdio(command) = &definition.server else {
        let why = definition.server.unavailable().unwrap_or_default();
        return Arc::new(Unavailable(format!("reach it: {why}")));
    };
    let id = executor.as_str().parse();
    let Some(workspace) = id.ok().and_then(|id| registry.get(&id)) else {
        return Arc::new(Unavailable(format!(
            "start it on executor `{executor}`: there is no such executor; add it or name another"
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
        // The folder of the session is one of this machine.
        .or_else(|| options.cwd.clone().filter(|_| executor.is_local()));
    spec.on_stderr = options.stderr_sinks.as_ref().map(|sinks| sinks(name));
    Arc::new(StdioTransport::new(workspace, spec))
}

/// A server that cannot be reached whatever is tried, and why.
struct Unavailable(String);

#[async_trait]
impl Transport for Unavailable {
    async fn open(&self, _: StderrSink) -> Result<Channel, ClientError> {
        let error = io::Error::new(io::ErrorKind::Unsupported, self.0.as_str());
        Err(ClientError::Start(Arc::new(WorkspaceError::Io(error))))
    }
}
