//! The manager: many servers, each with its connection, under the names they are shown by.

use std::sync::{Arc, Mutex, PoisonError};

use mcp_client::{CallOptions, Params, ToolCall};
use mcp_definitions::{ExecutorName, ServerDefinition, ServerSet};
use mcp_proto::Raw;
use mcp_proto::list::ListKind;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use workspace::Registry;

use crate::changes::Changes;
use crate::connection::{ConnectionSpec, transport};
use crate::{Connection, ErrorKind, ManagerOptions, ServerHealth, ToolError, render_status_lines};

/// Many servers. Clones are handles to the same manager. End it with [`Manager::shutdown`]: when the
/// last handle is dropped without it, every server is stopped as well, but nobody waits for that.
#[derive(Clone)]
pub struct Manager {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    options: watch::Sender<Arc<ManagerOptions>>,
    permits: Arc<Semaphore>,
    /// In the order of the configuration. Replaced as a whole.
    connections: Mutex<Arc<Vec<Connection>>>,
    changes: Arc<Changes>,
    tasks: TaskTracker,
    /// Reloads come one after the other.
    reloading: tokio::sync::Mutex<()>,
    /// Ends every connection, also one that a reload is about to make.
    stop: CancellationToken,
    _alive: DropGuard,
}

impl Manager {
    /// A manager for these servers. Nothing is started before [`Manager::start`].
    pub fn new(servers: ServerSet, registry: Registry, options: ManagerOptions) -> Self {
        let stop = CancellationToken::new();
        let manager = Manager {
            inner: Arc::new(Inner {
                registry,
                permits: Arc::new(Semaphore::new(options.parallel_starts.max(1))),
                options: watch::Sender::new(Arc::new(options)),
                connections: Mutex::default(),
                changes: Arc::default(),
                tasks: TaskTracker::new(),
                reloading: tokio::sync::Mutex::new(()),
                _alive: stop.clone().drop_guard(),
                stop,
            }),
        };
        let connections = servers
            .into_iter()
            .flat_map(|definition| manager.connections_of(definition));
        let connections = connections.collect();
        manager.adopt(connections);
        manager
    }

    /// Starts to run every connection, and every server whose lifecycle says so. Returns at once: no
    /// server is waited for, and every handle exists.
    pub fn start(&self) {
        for connection in self.connections().iter() {
            self.run(connection);
        }
    }

    fn run(&self, connection: &Connection) {
        let connection = connection.clone();
        self.inner
            .tasks
            .spawn(async move { connection.run().await });
    }

    /// The connections, in the order of the configuration.
    pub fn connections(&self) -> Arc<Vec<Connection>> {
        self.inner
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn adopt(&self, connections: Vec<Connection>) {
        *self
            .inner
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(connections);
    }

    /// One connection for each executor of the definition.
    fn connections_of(&self, definition: ServerDefinition) -> Vec<Connection> {
        let inner = &self.inner;
        let names = definition.instance_names();
        let mut executors = definition.executor_ids.clone();
        if executors.is_empty() {
            executors.push(ExecutorName::local());
        }
        let options = inner.options.borrow().clone();
        // Where one instance has several executors, it is on the first: falling over comes later.
        let connections = names.into_iter().zip(executors).map(|(name, executor)| {
            let (changes, own_name) = (inner.changes.clone(), name.clone());
            Connection::new(ConnectionSpec {
                transport: transport(&name, &definition, &executor, &inner.registry, &options),
                name,
                definition: definition.clone(),
                executor,
                options: inner.options.subscribe(),
                permits: inner.permits.clone(),
                stop: inner.stop.child_token(),
                on_change: Arc::new(move |kind| changes.tick(&own_name, kind)),
            })
        });
        connections.collect()
    }

    /// The connection of this name.
    pub fn connection(&self, name: &str) -> Option<Connection> {
        self.connections()
            .iter()
            .find(|connection| connection.name() == name)
            .cloned()
    }

    /// Asks for every server without waiting for any.
    pub fn discover(&self) {
        for connection in self.connections().iter() {
            connection.demand();
        }
    }

    /// Waits until it is known of every server what has become of it, at most until `deadline`. Servers
    /// that nobody has asked for are not waited for to be asked.
    pub async fn settled(&self, deadline: Instant) {
        let all = async {
            for connection in self.connections().iter() {
                connection.settled().await;
            }
        };
        drop(tokio::time::timeout_at(deadline, all).await);
    }

    /// A snapshot of every server's health, in the order of the configuration.
    pub fn health(&self) -> Vec<ServerHealth> {
        self.connections().iter().map(Connection::health).collect()
    }

    /// The status in words, a line per server: exactly [`render_status_lines`] of [`Manager::health`].
    pub fn status_lines(&self, max_lines: usize) -> Vec<String> {
        render_status_lines(&self.health(), max_lines)
    }

    /// Counts how often a list of some server became another.
    pub fn changes(&self, kind: ListKind) -> watch::Receiver<u64> {
        self.inner.changes.watch(kind)
    }

    /// Counts how often a list of this server became another, also over reloads.
    pub fn changes_of(&self, name: &str, kind: ListKind) -> watch::Receiver<u64> {
        self.inner.changes.watch_named(name, kind)
    }

    /// Sees to it that a server is there, at most until `deadline`, and tells how it is.
    pub async fn connect(&self, name: &str, deadline: Instant) -> Result<ServerHealth, ToolError> {
        let connection = self.known(name)?;
        connection.connect(deadline).await?;
        Ok(connection.health())
    }

    /// Calls a tool of a server, by its original name; see [`Connection::call`].
    pub async fn call(
        &self,
        name: &str,
        call: &ToolCall,
        options: CallOptions,
    ) -> Result<Raw, ToolError> {
        self.known(name)?.call(call, options).await
    }

    /// Sends any other request to a server; see [`Connection::request`].
    pub async fn request(
        &self,
        name: &str,
        method: &str,
        params: Params,
        options: CallOptions,
    ) -> Result<Raw, ToolError> {
        self.known(name)?.request(method, params, options).await
    }

    fn known(&self, name: &str) -> Result<Connection, ToolError> {
        self.connection(name).ok_or_else(|| {
            let connections = self.connections();
            let enabled = connections.iter().filter(|it| it.definition().enabled);
            let names: Vec<_> = enabled.map(Connection::name).collect();
            let there_are = match names.is_empty() {
                true => "none is configured".to_owned(),
                false => format!("there are: {}", names.join(", ")),
            };
            ToolError::new(
                ErrorKind::NotConnected,
                format!("there is no server {name:?}; {there_are}. Nothing was sent."),
            )
        })
    }

    /// Takes over a new set of servers: those that are gone or changed are closed, the new ones started,
    /// and whatever stayed as it was keeps its process, its session, and the environment and folder that
    /// it was made with. Reloads come one after another.
    pub async fn reload(&self, servers: ServerSet, options: ManagerOptions) {
        let _one_at_a_time = self.inner.reloading.lock().await;
        let old = self.connections();
        self.inner.options.send_replace(Arc::new(options));
        let kept = |definition: &ServerDefinition| -> Option<Vec<Connection>> {
            let same = |name: &String| {
                let mut open = old.iter().filter(|it| !it.is_closing());
                open.find(|it| it.name() == name && it.definition() == definition)
                    .cloned()
            };
            definition.instance_names().iter().map(same).collect()
        };
        let mut connections = Vec::new();
        let mut started = Vec::new();
        for definition in servers {
            match kept(&definition) {
                Some(same) => connections.extend(same),
                None => {
                    let new = self.connections_of(definition);
                    started.extend(new.iter().cloned());
                    connections.extend(new);
                }
            }
        }
        let stays = |connection: &Connection| connections.iter().any(|it| it.is_same(connection));
        let gone: Vec<_> = old
            .iter()
            .filter(|connection| !stays(connection))
            .cloned()
            .collect();
        close_all(&gone).await;
        self.adopt(connections);
        for connection in &started {
            self.run(connection);
        }
        for name in gone.iter().chain(&started).map(Connection::name) {
            for kind in [ListKind::Tools, ListKind::Resources, ListKind::Prompts] {
                self.inner.changes.tick(name, kind);
            }
        }
    }

    /// Ends every connection in parallel and waits until every process is gone and every task joined.
    /// Nothing can be started afterwards.
    pub async fn shutdown(&self) {
        self.inner.stop.cancel();
        close_all(&self.connections()).await;
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }
}

async fn close_all(connections: &[Connection]) {
    let mut closing = JoinSet::new();
    for connection in connections {
        let connection = connection.clone();
        closing.spawn(async move { connection.close().await });
    }
    while closing.join_next().await.is_some() {}
}
