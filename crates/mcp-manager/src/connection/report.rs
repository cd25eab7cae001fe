//! What is told of a connection: its health, and why something that needs it cannot be done.

use mcp_client::Client;
use mcp_definitions::ServerDefinition;

use super::ConnectionState;
use super::state::{Facts, State};
use crate::status::age;
use crate::{
    ErrorKind, Generation, ManagerOptions, ServerHealth, ServerState, ToolError, ToolsSource,
    printable,
};

impl State {
    /// A snapshot of the health of the server that `definition` describes. Looks whether it is still
    /// there.
    pub(crate) fn health(
        &self,
        name: &str,
        executor: &str,
        definition: &ServerDefinition,
        origin: Option<String>,
    ) -> ServerHealth {
        let mut facts = self.lock();
        let state = match facts.look() {
            _ if !definition.enabled => ServerState::Disabled,
            state => state,
        };
        let generation = facts.generation.as_deref();
        let diagnostics = facts
            .client
            .as_ref()
            .map(Client::diagnostics)
            .unwrap_or_default();
        let printed = diagnostics.last_stderr_line.or(diagnostics.last_noise);
        let external = |generation: &Generation| {
            let names = generation.tools.iter().map(|tool| &tool.tool.name);
            names
                .filter(|name| !definition.curated.contains(name))
                .count()
        };
        ServerHealth {
            name: name.to_owned(),
            state,
            idle: facts.phase == ConnectionState::Idle,
            connecting: facts.phase == ConnectionState::Connecting,
            since: facts.since.elapsed(),
            executor: executor.to_owned(),
            tools: generation
                .filter(|generation| generation.session.capabilities.tools.is_some())
                .map(|generation| generation.tools.len()),
            external: generation
                .filter(|_| !definition.curated.is_empty())
                .map(external),
            unfiltered: generation.map_or(0, |generation| generation.unfiltered),
            resources: generation.map_or(0, |generation| {
                generation.resources.len() + generation.resource_templates.len()
            }),
            prompts: generation.map_or(0, |generation| generation.prompts.len()),
            tools_source: match generation {
                None => ToolsSource::None,
                Some(_) if facts.live_generation().is_some() => ToolsSource::Live,
                Some(_) => ToolsSource::LastGood,
            },
            last_output: printed.or_else(|| facts.last_output().map(str::to_owned)),
            cause: facts.cause.clone(),
            origin,
            revision: facts
                .session
                .as_ref()
                .map(|session| session.revision.as_str()),
            instructions: generation.and_then(|generation| generation.session.instructions.clone()),
            pid: diagnostics.pid,
            warnings: generation
                .map(|generation| generation.warnings.clone())
                .unwrap_or_default(),
        }
    }
}

impl Facts {
    fn last_output(&self) -> Option<&str> {
        self.cause.as_ref()?.last_output.as_deref()
    }

    /// The error for something that needs the server after it has become known that it is not there.
    pub(crate) fn unavailable(&self, name: &str) -> ToolError {
        let what = match self.phase {
            ConnectionState::Closed => {
                return ToolError::new(
                    ErrorKind::NotConnected,
                    format!(
                        "{name}: the server was closed, by a reload or a shutdown. Nothing was sent; see in the status whether it is still there."
                    ),
                );
            }
            ConnectionState::Connected => "its tool list could not be read",
            _ => "the server is not there",
        };
        let cause = self.cause.as_ref();
        let text = cause.map_or("it has just gone", |cause| cause.text.as_str());
        let mut message = format!("{name}: {what}: {text}.");
        let lines = cause.map(|cause| cause.stderr_lines(3).join(" | "));
        let lines = lines.filter(|lines| !lines.is_empty());
        if let Some(output) = lines.as_deref().or(self.last_output()) {
            message.push_str(&format!(" Its last output: {}.", printable(output, 400)));
        }
        message.push_str(" Nothing was sent; the next call or `connect` tries again.");
        ToolError::new(ErrorKind::NotConnected, message)
    }

    /// The error for something that needs the server before it has become known what became of it. The
    /// definition's own advice is handed on as it is.
    pub(crate) fn not_ready(
        &self,
        name: &str,
        advice: Option<&str>,
        options: &ManagerOptions,
    ) -> ToolError {
        let message = advice.map(str::to_owned).unwrap_or_else(|| {
            let what = match self.phase {
                ConnectionState::Connected => "it is there, but has not given its tool list",
                _ => "no handshake yet",
            };
            let age = age(self.since.elapsed());
            let diagnostics = self.client.as_ref().map(Client::diagnostics);
            let printed = diagnostics.and_then(|it| it.last_stderr_line.or(it.last_noise));
            let output = printed
                .map(|line| options.redacted(line))
                .map(|line| format!(" Its last output: {}.", printable(line.trim(), 400)))
                .unwrap_or_default();
            format!(
                "{name}: the server is still starting ({what}, for {age}).{output} Nothing was sent; call again later, or use another tool."
            )
        });
        ToolError::new(ErrorKind::NotReady, message)
    }
}
