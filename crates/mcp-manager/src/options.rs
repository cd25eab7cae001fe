//! What a manager is given by its host, and the times that hold where a definition names none.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mcp_client::ProbeTimes;
use mcp_definitions::ServerId;
use mcp_proto::capabilities::ClientCapabilities;
use mcp_proto::lifecycle::Implementation;
use workspace::StderrSink;

/// How long those who need a server's tools wait for them, and how long its lists may take. Neither
/// ends the server.
pub const DEFAULT_STARTUP_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a handshake may take before the status says that it is slow. The server is left alone: a
/// cold index takes minutes, and killing it would begin it anew.
pub const READY_TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// How long a call may take.
pub const DEFAULT_TOOL_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection that lived so long has earned a new immediate reconnect.
pub const RESET_AFTER: Duration = Duration::from_secs(30);

/// Strikes what is secret out of a text.
pub type Redact = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// Gives the server of this name somewhere for its standard error to go.
pub type StderrSinks = Arc<dyn Fn(&str) -> StderrSink + Send + Sync>;

/// What a manager is given by its host. Nothing is read from the environment.
#[derive(Clone)]
pub struct ManagerOptions {
    /// Who we are towards servers.
    pub client_info: Implementation,
    /// What the host offers servers.
    pub capabilities: ClientCapabilities,
    /// The environment from which definitions may inherit variables by name.
    pub environment: BTreeMap<String, String>,
    /// The folder of the session: where commands start that name no folder.
    pub cwd: Option<PathBuf>,
    /// Where each definition was written, for status texts.
    pub origins: BTreeMap<ServerId, String>,
    /// Replaces [`DEFAULT_TOOL_TIMEOUT`] for definitions without one.
    pub tool_timeout: Duration,
    /// How many servers may be starting at a time. One that is slow makes way after a second.
    pub parallel_starts: usize,
    /// How long era probes wait.
    pub probe: ProbeTimes,
    /// Applied to every text of ours that holds words of a server: causes, last outputs, errors. What
    /// tools give back is never touched.
    pub redact: Option<Redact>,
    /// Where the standard error of each server goes beside the tail that is kept of it. Asked once for
    /// each connection; a sink may not block.
    pub stderr_sinks: Option<StderrSinks>,
}

impl ManagerOptions {
    /// The defaults, for a host of this name and version.
    pub fn new(client_info: Implementation) -> Self {
        ManagerOptions {
            client_info,
            capabilities: ClientCapabilities::default(),
            environment: BTreeMap::new(),
            cwd: None,
            origins: BTreeMap::new(),
            tool_timeout: DEFAULT_TOOL_TIMEOUT,
            parallel_starts: 16,
            probe: ProbeTimes::default(),
            redact: None,
            stderr_sinks: None,
        }
    }

    /// The text without what is secret.
    pub(crate) fn redacted(&self, text: String) -> String {
        match &self.redact {
            Some(redact) => redact(&text),
            None => text,
        }
    }
}
