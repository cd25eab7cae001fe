//! How messages reach a server: the seam for transports, and the one over a process's standard streams.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::io::AsyncWrite;
use workspace::{BoxRead, ProcessHandle, ProcessSpec, StderrSink, Workspace};

use crate::ClientError;

/// A way to reach one server. A host with transports of its own implements it.
#[async_trait]
pub trait Transport: Send + Sync + 'static {
    /// Opens a channel to the server, starting it where it has to be started. Called again when the
    /// server has exited at the era probe.
    ///
    /// `on_output` is to be called with whatever the server prints beside the channel, so that a
    /// server that is up and silent can be told from one that is still starting.
    async fn open(&self, on_output: StderrSink) -> Result<Channel, ClientError>;
}

/// An open way to a server: lines of JSON both ways.
pub struct Channel {
    /// What the server says.
    pub reader: BoxRead,
    /// What the server hears. Dropping it tells the server to end.
    pub writer: Box<dyn AsyncWrite + Send + Unpin>,
    /// The process behind it, where there is one.
    pub process: Option<ProcessHandle>,
}

/// A server that is a command, spoken to over its standard streams.
pub struct StdioTransport {
    workspace: Arc<dyn Workspace>,
    spec: ProcessSpec,
}

impl StdioTransport {
    /// Starts `spec` in `workspace` whenever a channel is opened.
    pub fn new(workspace: Arc<dyn Workspace>, spec: ProcessSpec) -> Self {
        StdioTransport { workspace, spec }
    }
}

#[async_trait]
impl Transport for StdioTransport {
    async fn open(&self, on_output: StderrSink) -> Result<Channel, ClientError> {
        let mut spec = self.spec.clone();
        spec.on_stderr = Some(match spec.on_stderr.take() {
            None => on_output,
            Some(own) => Arc::new(move |chunk: &[u8]| {
                on_output(chunk);
                own(chunk);
            }),
        });
        let process = self
            .workspace
            .start_process(spec)
            .await
            .map_err(|error| ClientError::Start(Arc::new(error)))?;
        Ok(Channel {
            reader: process.stdout,
            writer: Box::new(process.stdin),
            process: Some(process.handle),
        })
    }
}
