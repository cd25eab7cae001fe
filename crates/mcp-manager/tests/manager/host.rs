//! A host: a manager over fake servers, and short words for what tests do with it.

use std::sync::Arc;
use std::time::Duration;

use mcp_client::{CallOptions, ToolCall};
use mcp_definitions::{Command, Lifecycle, ServerDefinition, ServerKind, ServerSet};
use mcp_manager::{Manager, ManagerOptions, ServerHealth, ServerState, ToolError};
use mcp_proto::Raw;
use mcp_proto::lifecycle::Implementation;
use tokio::time::{Instant, timeout};
use workspace::Registry;

use crate::fake::Fakes;

pub(crate) struct Host {
    pub(crate) manager: Manager,
    pub(crate) fakes: Arc<Fakes>,
    /// Another executor, `build1`.
    pub(crate) elsewhere: Arc<Fakes>,
}

/// An eager server whose program is this mode of the fake, with its options.
pub(crate) fn server(id: &str, program: &str) -> ServerDefinition {
    let mut words = program.split(' ').map(str::to_owned);
    let command = Command {
        command: words.next().unwrap(),
        args: words.collect(),
        ..Command::default()
    };
    ServerDefinition::new(id.parse().unwrap(), ServerKind::Stdio(command))
}

/// A server that waits for its first use.
pub(crate) fn lazy(id: &str, program: &str) -> ServerDefinition {
    ServerDefinition {
        lifecycle: Lifecycle::Lazy,
        ..server(id, program)
    }
}

pub(crate) fn set(servers: impl IntoIterator<Item = ServerDefinition>) -> ServerSet {
    ServerSet::try_from(servers.into_iter().collect::<Vec<_>>()).unwrap()
}

pub(crate) fn options() -> ManagerOptions {
    ManagerOptions::new(Implementation::new("test", "1"))
}

/// Lets everybody do what they can do without time passing, then this much time pass. For a paused clock.
pub(crate) async fn pass(time: Duration) {
    drop(timeout(time, std::future::pending::<()>()).await);
}

/// Lets everybody do what they can do in next to no time.
pub(crate) async fn rest() {
    pass(Duration::from_millis(1)).await;
}

impl Host {
    pub(crate) fn with(
        servers: impl IntoIterator<Item = ServerDefinition>,
        options: ManagerOptions,
    ) -> Self {
        let (fakes, elsewhere) = (Fakes::on("local"), Fakes::on("build1"));
        let mut registry = Registry::new();
        registry.insert(fakes.clone());
        registry.insert(elsewhere.clone());
        let manager = Manager::new(set(servers), registry, options);
        manager.start();
        Host {
            manager,
            fakes,
            elsewhere,
        }
    }

    pub(crate) fn start(servers: impl IntoIterator<Item = ServerDefinition>) -> Self {
        Host::with(servers, options())
    }

    /// Started, and everything known that can be known.
    pub(crate) async fn settled(servers: impl IntoIterator<Item = ServerDefinition>) -> Self {
        let host = Host::start(servers);
        host.settle().await;
        host
    }

    pub(crate) async fn settle(&self) {
        let long = Duration::from_secs(120);
        self.manager.settled(Instant::now() + long).await;
    }

    pub(crate) fn health(&self, name: &str) -> ServerHealth {
        self.manager.connection(name).unwrap().health()
    }

    pub(crate) fn state(&self, name: &str) -> ServerState {
        self.health(name).state
    }

    /// Ends the output of a server, and waits until that is seen, while no time passes.
    pub(crate) async fn hang_up(&self, name: &str) {
        self.fakes.hang_up(name);
        for _ in 0..1000 {
            if self.state(name) == ServerState::Ready {
                tokio::task::yield_now().await;
            }
        }
        assert_ne!(self.state(name), ServerState::Ready);
    }

    /// The status line of one server.
    pub(crate) fn line(&self, name: &str) -> String {
        mcp_manager::format_server_line(&self.health(name))
    }

    /// The names of the tools that are known of a server.
    pub(crate) fn tools(&self, name: &str) -> Vec<String> {
        let generation = self.manager.connection(name).unwrap().generation();
        let tools = generation.iter().flat_map(|generation| &generation.tools);
        tools.map(|tool| tool.tool.name.clone()).collect()
    }

    /// Calls a tool with arguments as JSON text; gives the text of the result.
    pub(crate) async fn call(
        &self,
        name: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<String, ToolError> {
        let call = ToolCall::new(tool, Some(Raw::parse(arguments).unwrap()));
        let result = self
            .manager
            .call(name, &call, CallOptions::default())
            .await?;
        let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
        Ok(result["content"][0]["text"].as_str().unwrap().to_owned())
    }

    pub(crate) async fn echo(&self, name: &str) -> Result<String, ToolError> {
        self.call(name, "echo", r#"{"text":"hi"}"#).await
    }
}
