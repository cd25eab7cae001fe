//! What is known of a connection, and the waiting for it to change.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_client::{Client, Session};
use mcp_definitions::ServerDefinition;
use mcp_proto::list::ListKind;
use tokio::sync::watch;
use tokio::time::Instant;
use workspace::ExecutorId;

use super::ConnectionState;
use crate::{
    Cause, ErrorKind, Generation, ListOutcome, ManagerOptions, Observation, ServerHealth,
    ServerState, ToolError, ToolsSource, assess,
};

/// The facts behind a lock that is never held while something is awaited, and a tick for those who wait.
pub(crate) struct State {
    facts: Mutex<Facts>,
    ticks: watch::Sender<u64>,
}

/// All that is known.
pub(crate) struct Facts {
    pub(crate) phase: ConnectionState,
    /// Since when the server has been in the state that is shown.
    since: Instant,
    was_connected: bool,
    list: ListOutcome,
    /// How often it became known what has become of the server.
    pub(crate) settles: u64,
    pub(crate) client: Option<Client>,
    session: Option<Arc<Session>>,
    /// Everything that was listed last, also after the server has gone.
    pub(crate) generation: Option<Arc<Generation>>,
    cause: Option<Cause>,
}

impl Default for State {
    fn default() -> Self {
        State {
            facts: Mutex::new(Facts {
                phase: ConnectionState::NotStarted,
                since: Instant::now(),
                was_connected: false,
                list: ListOutcome::Pending,
                settles: 0,
                client: None,
                session: None,
                generation: None,
                cause: None,
            }),
            ticks: watch::Sender::new(0),
        }
    }
}

impl State {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the facts, and tells those who wait after the lock has been released.
    fn change<T>(&self, change: impl FnOnce(&mut Facts) -> T) -> T {
        let result = {
            let mut facts = self.lock();
            let before = facts.shown();
            let result = change(&mut facts);
            if facts.shown() != before {
                facts.since = Instant::now();
            }
            result
        };
        self.ticks.send_modify(|ticks| *ticks += 1);
        result
    }

    /// Waits until the facts are as wanted.
    pub(crate) async fn wait(&self, wanted: impl Fn(&Facts) -> bool) {
        let mut ticks = self.ticks.subscribe();
        // The sender lives as long as we do.
        drop(ticks.wait_for(|_| wanted(&self.lock())).await);
    }

    pub(crate) fn idle(&self) {
        self.change(|facts| facts.phase = ConnectionState::Idle);
    }

    pub(crate) fn connecting(&self) {
        self.change(|facts| facts.phase = ConnectionState::Connecting);
    }

    pub(crate) fn started(&self, client: &Client) {
        self.change(|facts| facts.client = Some(client.clone()));
    }

    pub(crate) fn connected(&self, session: Arc<Session>) {
        self.change(|facts| {
            facts.phase = ConnectionState::Connected;
            facts.was_connected = true;
            facts.list = ListOutcome::Pending;
            facts.session = Some(session);
            facts.cause = None;
        });
    }

    /// Swaps the generation whole; which lists are others now.
    pub(crate) fn listed(&self, generation: Generation) -> Vec<ListKind> {
        let declared = generation.session.capabilities.tools.is_some();
        self.change(|facts| {
            let differing = generation.differing(facts.generation.as_deref());
            facts.list = ListOutcome::Listed {
                declared,
                count: generation.unfiltered,
            };
            facts.cause = None;
            facts.generation = Some(Arc::new(generation));
            facts.settles += 1;
            differing
        })
    }

    /// The last good generation stays.
    pub(crate) fn list_failed(&self, cause: Cause) {
        self.change(|facts| {
            facts.list = ListOutcome::Failed;
            facts.cause = Some(cause);
            facts.settles += 1;
        });
    }

    /// The server is not there. It is on its way again at once, or waits for demand.
    pub(crate) fn lost(&self, cause: Cause, again: bool) {
        self.change(|facts| {
            facts.client = None;
            facts.session = None;
            facts.cause = Some(cause);
            if again {
                facts.phase = ConnectionState::Connecting;
            } else {
                facts.phase = ConnectionState::Parked;
                facts.settles += 1;
            }
        });
    }

    pub(crate) fn closed(&self) {
        self.change(|facts| {
            facts.phase = ConnectionState::Closed;
            facts.client = None;
            facts.session = None;
        });
    }

    pub(crate) fn health(
        &self,
        name: &str,
        executor: &ExecutorId,
        definition: &ServerDefinition,
        options: &ManagerOptions,
    ) -> ServerHealth {
        let facts = self.lock();
        let state = assess(facts.observation(definition.enabled));
        let generation = facts.generation.as_deref();
        let diagnostics = facts
            .client
            .as_ref()
            .map(Client::diagnostics)
            .unwrap_or_default();
        let printed = diagnostics.last_stderr_line.or(diagnostics.last_noise);
        let tools = generation
            .filter(|generation| generation.session.capabilities.tools.is_some())
            .map(|generation| generation.tools.len());
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
            since: facts.since.elapsed(),
            executor: executor.to_string(),
            tools,
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
                Some(_)
                    if matches!(facts.list, ListOutcome::Listed { .. })
                        && facts.client.is_some() =>
                {
                    ToolsSource::Live
                }
                Some(_) => ToolsSource::LastGood,
            },
            last_output: printed.or_else(|| {
                facts
                    .cause
                    .as_ref()
                    .and_then(|cause| cause.last_output.clone())
            }),
            cause: facts.cause.clone(),
            origin: options.origins.get(&definition.id).cloned(),
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
    fn observation(&self, enabled: bool) -> Observation {
        Observation {
            enabled,
            connection: self.phase,
            was_connected: self.was_connected,
            list: self.list,
        }
    }

    /// What the time in a state is counted for.
    fn shown(&self) -> ServerState {
        assess(self.observation(true))
    }

    /// An attempt is under way, or the lists of a connected server are being read.
    pub(crate) fn is_under_way(&self) -> bool {
        match self.phase {
            ConnectionState::Connecting => true,
            ConnectionState::Connected => self.list == ListOutcome::Pending,
            _ => false,
        }
    }

    /// It is known what has become of the server.
    pub(crate) fn is_settled(&self) -> bool {
        match self.phase {
            ConnectionState::Connected => self.list != ListOutcome::Pending,
            ConnectionState::Parked | ConnectionState::Closed => true,
            ConnectionState::NotStarted | ConnectionState::Connecting | ConnectionState::Idle => {
                false
            }
        }
    }

    /// The generation of a server that is there and whose list did not fail.
    pub(crate) fn live_generation(&self) -> Option<Arc<Generation>> {
        let is_live = self.phase == ConnectionState::Connected
            && matches!(self.list, ListOutcome::Listed { .. })
            && self.client.as_ref().is_some_and(Client::is_alive);
        if is_live {
            self.generation.clone()
        } else {
            None
        }
    }

    /// The generation by which a call can be sent now: also one whose newer list failed.
    pub(crate) fn usable_generation(&self) -> Option<Arc<Generation>> {
        let is_there = self.phase == ConnectionState::Connected
            && self.list != ListOutcome::Pending
            && self.client.as_ref().is_some_and(Client::is_alive);
        if is_there {
            self.generation.clone()
        } else {
            None
        }
    }

    pub(crate) fn is_client(&self, client: &Client) -> bool {
        self.client.as_ref().is_some_and(|own| own.is_same(client))
    }

    /// The error for something that needs the server while it is not there.
    pub(crate) fn unavailable(&self, name: &str) -> ToolError {
        let (text, lines) = match &self.cause {
            Some(cause) => (cause.text.clone(), cause.stderr_lines(3).join(" | ")),
            None => ("it was closed".to_owned(), String::new()),
        };
        let what = match self.phase {
            ConnectionState::Connected => "its tool list could not be read",
            _ => "the server is not there",
        };
        let mut message = format!("{name}: {what}: {text}.");
        if !lines.is_empty() {
            message.push_str(&format!(
                " Its last output: {}.",
                crate::printable(&lines, 400)
            ));
        } else if let Some(output) = self
            .cause
            .as_ref()
            .and_then(|cause| cause.last_output.as_deref())
        {
            message.push_str(&format!(
                " Its last output: {}.",
                crate::printable(output, 200)
            ));
        }
        message.push_str(" Nothing was sent; the next call or `connect` tries again.");
        ToolError::new(ErrorKind::NotConnected, message)
    }
}
