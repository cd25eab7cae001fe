//! What is known of a connection, how it changes, and the waiting for it to change.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_client::{Client, Session};
use mcp_proto::list::ListKind;
use tokio::sync::watch;
use tokio::time::Instant;

use super::ConnectionState;
use crate::{Cause, Generation, ListOutcome, Observation, ServerState, assess};

/// The facts behind a lock that is never held while something is awaited, and a tick for those who wait.
pub(crate) struct State {
    facts: Mutex<Facts>,
    ticks: watch::Sender<u64>,
}

/// All that is known.
pub(crate) struct Facts {
    pub(crate) phase: ConnectionState,
    /// The state as it was seen last, and since when it has been that.
    seen: ServerState,
    pub(super) since: Instant,
    was_connected: bool,
    pub(super) list: ListOutcome,
    /// Somebody needs the server, and what is under way, if anything, is not for them.
    pub(super) wanted: bool,
    /// How often it became known what has become of the server.
    pub(super) settles: u64,
    pub(crate) client: Option<Client>,
    pub(super) session: Option<Arc<Session>>,
    /// Everything that was listed last, also after the server has gone.
    pub(crate) generation: Option<Arc<Generation>>,
    pub(super) cause: Option<Cause>,
}

impl Default for State {
    fn default() -> Self {
        State {
            facts: Mutex::new(Facts {
                phase: ConnectionState::NotStarted,
                seen: ServerState::Starting,
                since: Instant::now(),
                was_connected: false,
                list: ListOutcome::Pending,
                wanted: false,
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
            let result = change(&mut facts);
            facts.look();
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

    /// Asks for the server: gives its live generation, else the number of settles after which it is
    /// known what has become of it. One step, so that no settle falls between looking and asking.
    pub(crate) fn demand(&self) -> Result<Arc<Generation>, u64> {
        self.change(|facts| match facts.live_generation() {
            Some(generation) => Ok(generation),
            None => {
                facts.wanted |= !facts.is_under_way();
                Err(facts.settles + 1)
            }
        })
    }

    pub(crate) fn idle(&self) {
        self.change(|facts| facts.phase = ConnectionState::Idle);
    }

    /// An attempt begins; whether it is for somebody who asked.
    pub(crate) fn connecting(&self) -> bool {
        self.change(|facts| {
            facts.phase = ConnectionState::Connecting;
            std::mem::take(&mut facts.wanted)
        })
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
        // Compared outside the lock, which long lists would hold for long: nobody else replaces it.
        let before = self.lock().generation.clone();
        let differing = generation.differing(before.as_deref());
        self.change(|facts| {
            facts.list = ListOutcome::Listed {
                declared: generation.session.capabilities.tools.is_some(),
                count: generation.unfiltered,
            };
            facts.cause = None;
            facts.generation = Some(Arc::new(generation));
            facts.settle();
        });
        differing
    }

    /// The last good generation stays.
    pub(crate) fn list_failed(&self, cause: Cause) {
        self.change(|facts| {
            facts.list = ListOutcome::Failed;
            facts.cause = Some(cause);
            facts.settle();
        });
    }

    /// The server is not there. It is on its way again at once, for somebody who has asked meanwhile or
    /// because it has a reconnect left; else it waits for demand. Gives what is left of it.
    pub(crate) fn lost(&self, cause: Cause, reconnect: bool) -> Option<Client> {
        self.change(|facts| {
            facts.session = None;
            facts.cause = Some(cause);
            if reconnect || facts.wanted {
                facts.phase = ConnectionState::Connecting;
            } else {
                facts.phase = ConnectionState::Parked;
                facts.settle();
            }
            facts.client.take()
        })
    }

    pub(crate) fn closed(&self) {
        self.change(|facts| {
            facts.phase = ConnectionState::Closed;
            facts.session = None;
            facts.client = None;
        });
    }
}

impl Facts {
    /// It is known what has become of the server; whoever asked until now is served.
    fn settle(&mut self) {
        self.settles += 1;
        self.wanted = false;
    }

    /// The state, seen now: a server that has died counts as gone from the first look on, even before
    /// it is known how it ended.
    pub(super) fn look(&mut self) -> ServerState {
        let connection = match self.phase {
            ConnectionState::Connected if self.live_client().is_none() => ConnectionState::Parked,
            phase => phase,
        };
        let state = assess(Observation {
            enabled: true,
            connection,
            was_connected: self.was_connected,
            list: self.list,
        });
        if state != self.seen {
            self.seen = state;
            self.since = Instant::now();
        }
        state
    }

    /// An attempt is under way, or the lists of a connected server are being read for the first time.
    fn is_under_way(&self) -> bool {
        match self.phase {
            ConnectionState::Connecting => true,
            ConnectionState::Connected => self.list == ListOutcome::Pending,
            _ => false,
        }
    }

    /// It is known what has become of the server, or nobody has asked.
    pub(crate) fn is_settled(&self) -> bool {
        !self.wanted && !self.is_under_way() && self.phase != ConnectionState::NotStarted
    }

    /// The session of a server that is there, whatever came of its lists.
    pub(crate) fn live_client(&self) -> Option<Client> {
        let is_connected = self.phase == ConnectionState::Connected;
        let client = self.client.as_ref().filter(|client| client.is_alive());
        client.filter(|_| is_connected).cloned()
    }

    /// The generation of a server that is there and whose list did not fail.
    pub(crate) fn live_generation(&self) -> Option<Arc<Generation>> {
        let is_live = matches!(self.list, ListOutcome::Listed { .. });
        let generation = self.generation.as_ref().filter(|_| is_live);
        generation.filter(|_| self.live_client().is_some()).cloned()
    }

    /// By what a call can be sent now: also a generation whose successor failed.
    pub(crate) fn usable(&self) -> Option<(Arc<Generation>, Client)> {
        let is_known = self.list != ListOutcome::Pending;
        let generation = self.generation.as_ref().filter(|_| is_known);
        Some((generation?.clone(), self.live_client()?))
    }

    pub(crate) fn is_client(&self, client: &Client) -> bool {
        self.client.as_ref().is_some_and(|own| own.is_same(client))
    }
}
