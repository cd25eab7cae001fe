//! One server on one executor, with its life: it connects on demand, reads what the server lists,
//! reconnects once by itself, and then waits for the next demand.

mod life;
mod spec;
mod state;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_client::{CallOptions, Client, ClientError, Params, ToolCall};
use mcp_definitions::ServerDefinition;
use mcp_proto::Raw;
use mcp_proto::list::ListKind;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use workspace::ExecutorId;

use crate::{
    DEFAULT_STARTUP_TIMEOUT, ErrorKind, Generation, ManagerOptions, ServerHealth, ToolError,
};

pub(crate) use spec::transport;
use state::State;

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
    name: String,
    definition: ServerDefinition,
    executor: ExecutorId,
    options: Arc<ManagerOptions>,
    transport: Arc<dyn mcp_client::Transport>,
    /// How many connections may be starting at a time.
    permits: Arc<Semaphore>,
    state: State,
    /// Counts those who asked for the server.
    wanted: watch::Sender<u64>,
    stop: CancellationToken,
    was_run: AtomicBool,
    /// Tells the manager which lists are others now.
    on_change: Arc<dyn Fn(ListKind) + Send + Sync>,
}

/// What a connection is made from.
pub(crate) struct ConnectionOptions {
    pub(crate) name: String,
    pub(crate) definition: ServerDefinition,
    pub(crate) executor: ExecutorId,
    pub(crate) options: Arc<ManagerOptions>,
    pub(crate) transport: Arc<dyn mcp_client::Transport>,
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) on_change: Arc<dyn Fn(ListKind) + Send + Sync>,
}

impl Connection {
    pub(crate) fn new(options: ConnectionOptions) -> Self {
        Connection {
            inner: Arc::new(Inner {
                name: options.name,
                definition: options.definition,
                executor: options.executor,
                options: options.options,
                transport: options.transport,
                permits: options.permits,
                state: State::default(),
                wanted: watch::Sender::new(0),
                stop: CancellationToken::new(),
                was_run: AtomicBool::new(false),
                on_change: options.on_change,
            }),
        }
    }

    /// The name it is shown under.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// What the configuration says of it.
    pub fn definition(&self) -> &ServerDefinition {
        &self.inner.definition
    }

    pub(crate) fn is_same(&self, other: &Connection) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// A snapshot of its health.
    pub fn health(&self) -> ServerHealth {
        let inner = &self.inner;
        inner.state.health(
            &inner.name,
            &inner.executor,
            &inner.definition,
            &inner.options,
        )
    }

    /// Everything it listed last, also after it has gone.
    pub fn generation(&self) -> Option<Arc<Generation>> {
        self.inner.state.lock().generation.clone()
    }

    /// The session of the moment, if the server is there.
    pub fn client(&self) -> Option<Client> {
        self.inner.state.lock().client.clone()
    }

    /// Asks for the server without waiting for it.
    pub fn demand(&self) {
        if self.inner.definition.enabled {
            self.inner.wanted.send_modify(|count| *count += 1);
        }
    }

    /// Owns the connection's life until it is closed: connects at once where the definition says so,
    /// else when somebody asks. May be called once; gives `false` when it was called before.
    pub async fn run(&self) -> bool {
        if self.inner.was_run.swap(true, Ordering::AcqRel) {
            return false;
        }
        if self.inner.definition.enabled {
            life::live(&self.inner).await;
        } else {
            self.inner.stop.cancelled().await;
        }
        self.inner.state.closed();
        true
    }

    /// Ends the connection and waits until its process is gone.
    pub async fn close(&self) {
        self.inner.stop.cancel();
        if self.inner.was_run.load(Ordering::Acquire) {
            self.inner
                .state
                .wait(|state| state.phase == ConnectionState::Closed)
                .await;
        }
    }

    /// Waits until it is known what has become of the server: there with its lists, or not there.
    pub async fn settled(&self) {
        if self.inner.definition.enabled {
            self.inner.state.wait(|state| state.is_settled()).await;
        }
    }

    /// Sees to it that the server is there and its lists are read, at most until `deadline`: joins an
    /// attempt under way, or makes a new one.
    pub async fn connect(&self, deadline: Instant) -> Result<Arc<Generation>, ToolError> {
        let inner = &self.inner;
        if !inner.definition.enabled {
            let place = inner.options.origins.get(&inner.definition.id);
            let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
            return Err(ToolError::new(
                ErrorKind::Disabled,
                format!(
                    "{}: the server is switched off in the configuration{place}; enable it there and reload.",
                    inner.name
                ),
            ));
        }
        let target = {
            let state = inner.state.lock();
            if let Some(generation) = state.live_generation() {
                return Ok(generation);
            }
            if !state.is_under_way() {
                self.demand();
            }
            state.settles + 1
        };
        let is_over = |state: &state::Facts| {
            state.settles >= target || state.phase == ConnectionState::Closed
        };
        if timeout_at(deadline, inner.state.wait(is_over))
            .await
            .is_err()
        {
            let advice = inner
                .definition
                .not_ready_advice
                .clone()
                .unwrap_or_else(|| {
                    format!(
                        "{}: the server is still starting. Call again later, or use another tool.",
                        inner.name
                    )
                });
            return Err(ToolError::new(ErrorKind::NotReady, advice));
        }
        let state = inner.state.lock();
        match &state.generation {
            Some(generation) if state.phase == ConnectionState::Connected => Ok(generation.clone()),
            _ => Err(state.unavailable(&inner.name)),
        }
    }

    /// Calls a tool once, connecting first where nobody has. A name that the server does not list is
    /// not sent. A call that was not sent because the server had gone is sent to its successor; one that
    /// may have been carried out is never sent again.
    pub async fn call(&self, call: &ToolCall, options: CallOptions) -> Result<Raw, ToolError> {
        let mut tries = 0;
        loop {
            let usable = self.inner.state.lock().usable_generation();
            let generation = match usable {
                Some(generation) => generation,
                None => self.connect(self.startup_deadline(&options)).await?,
            };
            if generation.tool(&call.name).is_none() {
                return Err(self.unknown_tool(&call.name, &generation));
            }
            let Some(client) = self.client() else {
                continue;
            };
            let timeout = self.inner.definition.tool_timeout.or(options.timeout);
            let timeout = timeout.unwrap_or(self.inner.options.tool_timeout);
            let options = CallOptions {
                timeout: Some(timeout),
                ..options.clone()
            };
            match client.call_tool(call, options).await {
                Ok(result) => return Ok(result),
                Err(ClientError::Gone(_) | ClientError::Closed) if tries == 0 => {
                    tries += 1;
                    // The end is on its way to the state; the next attempt begins after it.
                    self.inner
                        .state
                        .wait(|state| !state.is_client(&client))
                        .await;
                }
                Err(error) => {
                    let what = format!("call {}", call.name);
                    return Err(ToolError::of(
                        &self.inner.name,
                        &what,
                        error,
                        self.health().since,
                    ));
                }
            }
        }
    }

    /// Sends any other request, connecting first where nobody has.
    pub async fn request(
        &self,
        method: &str,
        params: Params,
        options: CallOptions,
    ) -> Result<Raw, ToolError> {
        self.connect(self.startup_deadline(&options)).await?;
        let Some(client) = self.client() else {
            return Err(self.inner.state.lock().unavailable(&self.inner.name));
        };
        let sent = client.request(method, params, options).await;
        sent.map_err(|error| ToolError::of(&self.inner.name, method, error, self.health().since))
    }

    fn startup_deadline(&self, options: &CallOptions) -> Instant {
        let own = Instant::now() + self.startup_timeout();
        options
            .deadline
            .map_or(own, |deadline| own.min(Instant::from_std(deadline)))
    }

    /// How long those who need the server wait for it.
    pub fn startup_timeout(&self) -> std::time::Duration {
        self.inner
            .definition
            .startup_timeout
            .unwrap_or(DEFAULT_STARTUP_TIMEOUT)
    }

    fn unknown_tool(&self, tool: &str, generation: &Generation) -> ToolError {
        let name = &self.inner.name;
        let message = if generation.tools.is_empty() {
            format!("{name}: it has no tool {tool:?}; it has no tools at all. Not sent.")
        } else {
            format!(
                "{name}: it has no tool {tool:?} among its {}. Not sent; list or search for the right name.",
                generation.tools.len()
            )
        };
        ToolError::new(ErrorKind::UnknownTool, message)
    }
}
