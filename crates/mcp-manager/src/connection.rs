//! One server on one executor, with its life: it connects on demand, reads what the server lists,
//! reconnects once by itself, and then waits for the next demand.

mod call;
mod life;
mod report;
mod state;
mod transport;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{
    DEFAULT_STARTUP_TIMEOUT, ErrorKind, Generation, ManagerOptions, ServerHealth, ToolError,
};
use mcp_client::Client;
use mcp_definitions::{ExecutorName, ServerDefinition};
use mcp_proto::list::ListKind;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use state::{Facts, State};
pub(crate) use transport::transport;

/// Where a connection is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConnectionState {
    /// Nothing has been tried.
    NotStarted,
    /// On its way.
    Connecting,
    /// The handshake is done and the server is there.
    Connected,
    /// Failed or lost; waits until somebody asks.
    Parked,
    /// Not there on purpose, until somebody needs it.
    Idle,
    /// Over.
    Closed,
}

/// One server on one executor. Clones are handles to the same one.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    spec: ConnectionSpec,
    state: State,
    was_run: AtomicBool,
}

/// What a connection is made from.
pub(crate) struct ConnectionSpec {
    pub(crate) name: String,
    pub(crate) definition: ServerDefinition,
    pub(crate) executor: ExecutorName,
    /// The manager's options of the moment.
    pub(crate) options: watch::Receiver<Arc<ManagerOptions>>,
    pub(crate) transport: Arc<dyn mcp_client::Transport>,
    /// How many connections may be starting at a time.
    pub(crate) permits: Arc<Semaphore>,
    /// Ends the connection.
    pub(crate) stop: CancellationToken,
    /// Tells the manager which lists are others now.
    pub(crate) on_change: Arc<dyn Fn(ListKind) + Send + Sync>,
}

impl Connection {
    pub(crate) fn new(spec: ConnectionSpec) -> Self {
        Connection {
            inner: Arc::new(Inner {
                spec,
                state: State::default(),
                was_run: AtomicBool::new(false),
            }),
        }
    }

    /// The name it is shown under.
    pub fn name(&self) -> &str {
        &self.inner.spec.name
    }

    /// What the configuration says of it.
    pub fn definition(&self) -> &ServerDefinition {
        &self.inner.spec.definition
    }

    pub(crate) fn is_same(&self, other: &Connection) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.inner.spec.stop.is_cancelled()
    }

    /// A snapshot of its health.
    pub fn health(&self) -> ServerHealth {
        let executor = self.inner.spec.executor.as_str();
        let origin = self.origin();
        let state = &self.inner.state;
        let mut health = state.health(self.name(), executor, self.definition(), origin);
        let options = self.inner.spec.options.borrow();
        health.last_output = health.last_output.map(|line| options.redacted(line));
        health
    }

    /// Where it was written.
    fn origin(&self) -> Option<String> {
        let options = self.inner.spec.options.borrow();
        options.origins.get(&self.definition().id).cloned()
    }

    /// Everything it listed last, also after it has gone.
    pub fn generation(&self) -> Option<Arc<Generation>> {
        self.inner.state.lock().generation.clone()
    }

    /// The session of the moment, if the server is there.
    pub fn client(&self) -> Option<Client> {
        self.inner.state.lock().client.clone()
    }

    /// Asks for the server without waiting for it. Joins whatever is under way; does nothing when the
    /// server is there with its lists.
    pub fn demand(&self) {
        if self.definition().enabled {
            drop(self.inner.state.demand());
        }
    }

    /// Owns the connection's life until it is closed: connects at once where the definition says so,
    /// else when somebody asks. May be called once; gives `false` when it was called before, or when the
    /// connection was closed before. Dropping the future closes the connection without waiting.
    pub async fn run(&self) -> bool {
        if self.inner.was_run.swap(true, Ordering::AcqRel) {
            return false;
        }
        let closing = Closing(&self.inner);
        if self.definition().enabled {
            life::live(&self.inner).await;
        } else {
            self.inner.spec.stop.cancelled().await;
        }
        drop(closing);
        true
    }

    /// Ends the connection and waits until its process is gone. It cannot be run again.
    pub async fn close(&self) {
        self.inner.spec.stop.cancel();
        if self.inner.was_run.swap(true, Ordering::AcqRel) {
            let is_closed = |facts: &Facts| facts.phase == ConnectionState::Closed;
            self.inner.state.wait(is_closed).await;
        } else {
            self.inner.state.closed();
        }
    }

    /// Waits until it is known what has become of the server: there with its lists, or not there. Does
    /// not wait for somebody to ask.
    pub async fn settled(&self) {
        if self.definition().enabled {
            self.inner.state.wait(Facts::is_settled).await;
        }
    }

    /// Sees to it that the server is there and its lists are read, at most until `deadline`: joins an
    /// attempt under way, or makes a new one.
    pub async fn connect(&self, deadline: Instant) -> Result<Arc<Generation>, ToolError> {
        let (name, state) = (self.name(), &self.inner.state);
        if !self.definition().enabled {
            let place = self.origin();
            let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
            return Err(ToolError::new(
                ErrorKind::Disabled,
                format!(
                    "{name}: the server is switched off in the configuration{place}. Nothing was sent; enable it there and reload."
                ),
            ));
        }
        let target = match state.demand() {
            Ok(generation) => return Ok(generation),
            Err(target) => target,
        };
        let is_over =
            |facts: &Facts| facts.settles >= target || facts.phase == ConnectionState::Closed;
        let in_time = timeout_at(deadline, state.wait(is_over)).await.is_ok();
        let facts = state.lock();
        match facts.usable() {
            Some((generation, _)) if in_time => Ok(generation),
            _ if in_time => Err(facts.unavailable(name)),
            _ => {
                let advice = self.definition().not_ready_advice.as_deref();
                let options = self.inner.spec.options.borrow();
                Err(facts.not_ready(name, advice, &options))
            }
        }
    }

    /// How long those who need the server wait for it, and how long its lists may take.
    pub fn startup_timeout(&self) -> Duration {
        self.definition()
            .startup_timeout
            .unwrap_or(DEFAULT_STARTUP_TIMEOUT)
    }
}

/// Says that the connection is closed however its life ends, by a panic as well: nobody may wait for it
/// for ever.
struct Closing<'a>(&'a Inner);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.spec.stop.cancel();
        self.0.state.closed();
    }
}
