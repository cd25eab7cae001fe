//! Health: a pure function from what is known of a connection to one of five honest states.

use std::time::Duration;

use crate::{Cause, ConnectionState};

/// What a server is, in one word. `ready` is never claimed without a live list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ServerState {
    /// On its way for the first time.
    Starting,
    /// There, with its tools.
    Ready,
    /// There, but its tool list failed or is empty although it declares tools.
    Degraded,
    /// Not there.
    Offline,
    /// Switched off in the configuration.
    Disabled,
}

impl ServerState {
    /// Every state.
    pub const ALL: [ServerState; 5] = [
        ServerState::Starting,
        ServerState::Ready,
        ServerState::Degraded,
        ServerState::Offline,
        ServerState::Disabled,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            ServerState::Starting => "starting",
            ServerState::Ready => "ready",
            ServerState::Degraded => "degraded",
            ServerState::Offline => "offline",
            ServerState::Disabled => "disabled",
        }
    }

    /// The state for a word. An unknown one is `offline`: anything else would show a server as
    /// available while no tools come.
    pub fn from_str_lossy(word: &str) -> Self {
        ServerState::ALL
            .into_iter()
            .find(|state| state.as_str() == word)
            .unwrap_or(ServerState::Offline)
    }

    /// Whether its number of tools means anything. Not while it is starting: what has not happened yet
    /// is not "0 tools".
    pub fn counts_tools(self) -> bool {
        matches!(self, ServerState::Ready | ServerState::Degraded)
    }

    /// Whether it will stay as it is unless something happens.
    pub fn is_settled(self) -> bool {
        self != ServerState::Starting
    }
}

/// What came of the tool list of the live connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOutcome {
    /// It has not been read to its end yet.
    Pending,
    /// It was read, or the server declares no tools.
    Listed {
        /// Whether the server declares tools.
        declared: bool,
        /// How many it listed, before any filter.
        count: usize,
    },
    /// It failed.
    Failed,
}

/// What is known of one connection: all that its state depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Whether the configuration wants the server.
    pub enabled: bool,
    /// Where the connection is in its life.
    pub connection: ConnectionState,
    /// Whether it was connected before.
    pub was_connected: bool,
    /// What came of its tool list.
    pub list: ListOutcome,
}

/// The state of a server, from what is known. The table is in `docs/design/health.md`.
pub fn assess(observation: Observation) -> ServerState {
    use ConnectionState as Connection;
    if !observation.enabled {
        return ServerState::Disabled;
    }
    match (observation.connection, observation.list) {
        (Connection::NotStarted | Connection::Connecting, _) if !observation.was_connected => {
            ServerState::Starting
        }
        (Connection::NotStarted | Connection::Connecting, _) => ServerState::Offline,
        (Connection::Connected, ListOutcome::Pending) => ServerState::Starting,
        (Connection::Connected, ListOutcome::Failed) => ServerState::Degraded,
        (
            Connection::Connected,
            ListOutcome::Listed {
                declared: true,
                count: 0,
            },
        ) => ServerState::Degraded,
        (Connection::Connected, ListOutcome::Listed { .. }) => ServerState::Ready,
        (Connection::Parked | Connection::Idle | Connection::Closed, _) => ServerState::Offline,
    }
}

/// Where the tools that are shown come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolsSource {
    /// The list of the live connection.
    Live,
    /// The last list that was read, of a connection that is gone or whose new list failed.
    LastGood,
    /// Nowhere: there are none.
    None,
}

/// A snapshot of one server's health. It does not age: what counts seconds was counted when it was
/// taken.
#[derive(Clone, Debug, PartialEq)]
pub struct ServerHealth {
    /// The name it is shown under.
    pub name: String,
    /// The state.
    pub state: ServerState,
    /// Not there because nobody has needed it yet, or any more.
    pub idle: bool,
    /// An attempt to reach it is under way.
    pub connecting: bool,
    /// How long it has been in this state.
    pub since: Duration,
    /// Where it runs.
    pub executor: String,
    /// How many tools it offers; `None` when it declares none.
    pub tools: Option<usize>,
    /// How many of them the host has not bridged by hand.
    pub external: Option<usize>,
    /// How many usable tools it has before the configuration's filter.
    pub unfiltered: usize,
    /// How many resources and templates it has.
    pub resources: usize,
    /// How many prompts it has.
    pub prompts: usize,
    /// Where its tools come from.
    pub tools_source: ToolsSource,
    /// Why it is not there, or why its list failed.
    pub cause: Option<Cause>,
    /// The last line it printed beside the protocol.
    pub last_output: Option<String>,
    /// Where it is switched off, for `disabled`.
    pub origin: Option<String>,
    /// The protocol revision that is spoken.
    pub revision: Option<&'static str>,
    /// How it is to be used, in its own words.
    pub instructions: Option<String>,
    /// The process id, as its executor counts.
    pub pid: Option<u32>,
    /// What is odd about it, in whole sentences.
    pub warnings: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_is_a_table() {
        use ConnectionState::{Closed, Connected, Connecting, Idle, NotStarted, Parked};
        let listed = |declared, count| ListOutcome::Listed { declared, count };
        for (connection, was_connected, list, state) in [
            (
                NotStarted,
                false,
                ListOutcome::Pending,
                ServerState::Starting,
            ),
            (
                Connecting,
                false,
                ListOutcome::Pending,
                ServerState::Starting,
            ),
            (Connecting, true, listed(true, 3), ServerState::Offline),
            (Connected, true, ListOutcome::Pending, ServerState::Starting),
            (Connected, true, listed(true, 3), ServerState::Ready),
            (Connected, true, listed(true, 0), ServerState::Degraded),
            (Connected, true, listed(false, 0), ServerState::Ready),
            (Connected, true, ListOutcome::Failed, ServerState::Degraded),
            (Parked, false, ListOutcome::Pending, ServerState::Offline),
            (Parked, true, listed(true, 3), ServerState::Offline),
            (Idle, false, ListOutcome::Pending, ServerState::Offline),
            (Closed, true, listed(true, 3), ServerState::Offline),
        ] {
            let observation = Observation {
                enabled: true,
                connection,
                was_connected,
                list,
            };
            assert_eq!(assess(observation), state, "{observation:?}");
            assert_eq!(
                assess(Observation {
                    enabled: false,
                    ..observation
                }),
                ServerState::Disabled
            );
        }
    }

    #[test]
    fn unknown_state_string_falls_back_to_offline() {
        for state in ServerState::ALL {
            assert_eq!(ServerState::from_str_lossy(state.as_str()), state);
        }
        assert_eq!(ServerState::from_str_lossy("online"), ServerState::Offline);
    }
}
