//! The manager: many servers, each with its connection, under the names they are shown by.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mcp_client::{CallOptions, Params, ToolCall};
use mcp_definitions::{ServerDefinition, ServerSet};
use mcp_proto::Raw;
use mcp_proto::list::ListKind;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;
use workspace::{ExecutorId, Registry};

use crate::connection::{ConnectionOptions, transport};
use crate::{Connection, ErrorKind, ManagerOptions, ServerHealth, ToolError, render_status_lines};

/// Many servers. Clones are handles to the same manager. End it with [`Manager::shutdown`].
#[derive(Clone)]
pub struct Manager {
    inner: Arc<Inner>,
}

struct Inner {
    registry: Registry,
    options: Mutex<Arc<ManagerOptions>>,
    permits: Arc<Semaphore>,
    /// In the order of the configuration. Replaced as a whole.
    connections: Mutex<Arc<Vec<Connection>>>,
    changes: Arc<Changes>,
    /// The same by name; outlives the connection, so that who watches a server goes on after a reload.
    changes_of: Mutex<HashMap<String, Arc<Changes>>>,
    tasks: TaskTracker,
    /// Reloads come one after the other.
    reloading: tokio::sync::Mutex<()>,
}

/// Counts, over all servers, how often a list became another.
#[derive(Default)]
struct Changes {
    tools: watch::Sender<u64>,
    resources: watch::Sender<u64>,
    prompts: watch::Sender<u64>,
}

impl Changes {
    fn tick(&self, kind: ListKind) {
        self.of(kind).send_modify(|count| *count += 1);
    }

    fn of(&self, kind: ListKind) -> &watch::Sender<u64> {
        match kind {
            ListKind::Tools => &self.tools,
            ListKind::Resources | ListKind::ResourceTemplates => &self.resources,
            ListKind::Prompts => &self.prompts,
        }
    }
}

impl Manager {
    /// A manager for these servers. Nothing is started before [`Manager::start`].
    pub fn new(servers: ServerSet, registry: Registry, options: ManagerOptions) -> Self {
        let manager = Manager {
            inner: Arc::new(Inner {
                registry,
                permits: Arc::new(Semaphore::new(options.parallel_starts.max(1))),
                options: Mutex::new(Arc::new(options)),
                connections: Mutex::default(),
                changes: Arc::default(),
                changes_of: Mutex::default(),
                tasks: TaskTracker::new(),
                reloading: tokio::sync::Mutex::new(()),
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

    fn options(&self) -> Arc<ManagerOptions> {
        self.inner
            .options
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// One connection for each executor of the definition.
    fn connections_of(&self, definition: ServerDefinition) -> Vec<Connection> {
        let names = definition.instance_names();
        let executors = definition.executor_ids.clone();
        names
            .into_iter()
            .zip(executors)
            .map(|(name, executor)| {
                let options = self.options();
                // The definition has checked the characters; an executor nobody registered is told of
                // when it is needed.
                let id = executor
                    .as_str()
                    .parse()
                    .unwrap_or_else(|_| ExecutorId::local());
                let workspace = self.inner.registry.get(&id);
                let (all, own) = (self.inner.changes.clone(), self.changes_named(&name));
                Connection::new(ConnectionOptions {
                    transport: transport(&name, &definition, workspace, &id, &options),
                    name,
                    definition: definition.clone(),
                    executor: id,
                    options,
                    permits: self.inner.permits.clone(),
                    on_change: Arc::new(move |kind| {
                        own.tick(kind);
                        all.tick(kind);
                    }),
                })
            })
            .collect()
    }

    fn changes_named(&self, name: &str) -> Arc<Changes> {
        let mut changes = self
            .inner
            .changes_of
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        changes.entry(name.to_owned()).or_default().clone()
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
        self.inner.changes.of(kind).subscribe()
    }

    /// Counts how often a list of this server became another, also over reloads.
    pub fn changes_of(&self, name: &str, kind: ListKind) -> watch::Receiver<u64> {
        self.changes_named(name).of(kind).subscribe()
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
            let names: Vec<_> = connections.iter().map(Connection::name).collect();
            ToolError::new(
                ErrorKind::NotConnected,
                format!(
                    "there is no server {name:?}; there are: {}",
                    names.join(", ")
                ),
            )
        })
    }

    /// Takes over a new set of servers: those that are gone or changed are closed, the new ones started,
    /// and whatever stayed as it was keeps its process and its session. Reloads come one after another.
    pub async fn reload(&self, servers: ServerSet, options: ManagerOptions) {
        let _one_at_a_time = self.inner.reloading.lock().await;
        let old = self.connections();
        *self
            .inner
            .options
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Arc::new(options);
        let kept = |definition: &ServerDefinition| -> Option<Vec<Connection>> {
            let same = |name: &String| {
                old.iter()
                    .find(|it| it.name() == name && it.definition() == definition)
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
        let touched = gone
            .iter()
            .chain(&started)
            .map(|it| self.changes_named(it.name()));
        let mut touched: Vec<_> = touched.collect();
        if !touched.is_empty() {
            touched.push(self.inner.changes.clone());
        }
        for changes in touched {
            for kind in [ListKind::Tools, ListKind::Resources, ListKind::Prompts] {
                changes.tick(kind);
            }
        }
    }

    /// Ends every connection in parallel and waits until every process is gone and every task joined.
    pub async fn shutdown(&self) {
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
