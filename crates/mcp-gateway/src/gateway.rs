//! What the surfaces share: the manager, the roster, and what is made from them once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use mcp_manager::{Connection, Manager, ServerHealth, ToolError};
use mcp_proto::lifecycle::Implementation;
use mcp_server::ServerHandler;
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::surface::{FacadeSurface, McpSurface, PassThrough};
use crate::{Directory, Roster, Surface};

/// How long the first list of a session is held while some server's list is unknown. Half of all hosts
/// keep an empty first list for ever; the most impatient of them waits ten seconds.
pub const FIRST_LIST_HOLD: Duration = Duration::from_secs(8);

/// How a gateway behaves.
#[derive(Clone, Debug)]
pub struct GatewayOptions {
    /// Who we are towards hosts.
    pub info: Implementation,
    /// Replaces [`FIRST_LIST_HOLD`].
    pub first_list_hold: Duration,
    /// How long a call through the `mcp` tool may take.
    pub mcp_timeout: Duration,
    /// How long a call through the facade or in pass-through may take.
    pub facade_timeout: Duration,
}

impl GatewayOptions {
    /// The defaults, under this name and version.
    pub fn new(info: Implementation) -> Self {
        GatewayOptions {
            info,
            first_list_hold: FIRST_LIST_HOLD,
            mcp_timeout: Duration::from_secs(60),
            facade_timeout: Duration::from_secs(180),
        }
    }
}

/// Reads the configuration again and hands it to the manager.
#[async_trait]
pub trait Reload: Send + Sync + 'static {
    /// The new roster and what was done in a sentence, or why everything stays as it is.
    async fn reload(&self, manager: &Manager) -> Result<(Roster, String), String>;
}

/// A server that the configuration does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no server {name:?} in the configuration; {}", known(.servers))]
pub struct UnknownServer {
    /// The name that was asked for.
    pub name: String,
    /// Those there are.
    pub servers: Vec<String>,
}

fn known(servers: &[String]) -> String {
    if servers.is_empty() {
        "it has none".to_owned()
    } else {
        format!("there are: {}", servers.join(", "))
    }
}

/// What the sessions of all hosts share. Clones are handles to the same gateway.
#[derive(Clone)]
pub struct Gateway {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) manager: Manager,
    pub(crate) options: GatewayOptions,
    pub(crate) reload: Option<Arc<dyn Reload>>,
    /// Until when the `mcp` tool waits for servers that nobody named: what has not come by then is told
    /// as missing.
    pub(crate) discovered_by: Instant,
    roster: Mutex<Arc<Roster>>,
    /// Reloads come one after the other: each must be the newest file when it is handed on.
    reloading: tokio::sync::Mutex<()>,
    /// Ticks when the texts made from the roster are others.
    pub(crate) descriptions: watch::Sender<u64>,
    directory: Mutex<Option<Arc<Directory>>>,
}

impl Gateway {
    /// A gateway over a manager that has been started. Without `reload` the action of that name says
    /// that there is nothing to read again.
    pub fn new(
        manager: Manager,
        roster: Roster,
        options: GatewayOptions,
        reload: Option<Arc<dyn Reload>>,
    ) -> Self {
        Gateway {
            inner: Arc::new(Inner {
                discovered_by: Instant::now() + options.first_list_hold,
                manager,
                options,
                reload,
                roster: Mutex::new(Arc::new(roster)),
                reloading: tokio::sync::Mutex::default(),
                descriptions: watch::Sender::new(0),
                directory: Mutex::new(None),
            }),
        }
    }

    /// The handler of one host's session.
    pub fn session(&self, surface: &Surface) -> Result<Arc<dyn ServerHandler>, UnknownServer> {
        Ok(match surface {
            Surface::Mcp => Arc::new(McpSurface::new(self.clone())),
            Surface::Facade => Arc::new(FacadeSurface::new(self.clone())),
            Surface::PassThrough(name) => {
                if self.inner.manager.connection(name).is_none() {
                    let servers = self.roster().names().map(str::to_owned).collect();
                    return Err(UnknownServer {
                        name: name.clone(),
                        servers,
                    });
                }
                Arc::new(PassThrough::new(self.clone(), name.clone()))
            }
        })
    }

    /// The manager behind it.
    pub fn manager(&self) -> &Manager {
        &self.inner.manager
    }

    /// What the configuration says.
    pub fn roster(&self) -> Arc<Roster> {
        self.inner
            .roster
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Reads the configuration again: what changed is restarted, the rest stays. A configuration that
    /// cannot be read changes nothing. Gives what was done, or why nothing was, in a sentence.
    pub async fn reload(&self) -> Result<String, String> {
        let Some(reload) = &self.inner.reload else {
            return Err("there is no configuration file to read again".to_owned());
        };
        let _one_at_a_time = self.inner.reloading.lock().await;
        let (roster, done) = reload.reload(&self.inner.manager).await?;
        let before = std::mem::replace(
            &mut *self
                .inner
                .roster
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
            Arc::new(roster),
        );
        if before.servers != self.roster().servers {
            self.inner.descriptions.send_modify(|count| *count += 1);
        }
        self.inner.manager.discover();
        Ok(done)
    }

    /// All tools that are known now, to be searched and described. Made anew only when some server has
    /// listed anew. What counts is what the servers have, not whether the change has been told: whoever
    /// waited for a server finds its tools here.
    pub fn directory(&self) -> Arc<Directory> {
        let manager = &self.inner.manager;
        let mut kept = self
            .inner
            .directory
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some(directory) if directory.is_of(manager) => directory.clone(),
            _ => kept.insert(Arc::new(Directory::of(manager))).clone(),
        }
    }

    /// Sees to it that the tools of `server` are known: one that has never listed is asked for them now,
    /// and an error says why it cannot tell.
    pub(crate) async fn reach(&self, server: &str) -> Result<(), ToolError> {
        let connection = self.inner.manager.connection(server);
        if connection.is_some_and(|it| it.generation().is_some()) {
            return Ok(());
        }
        self.connect(server).await.map(drop)
    }

    /// Sees to it that `server` is there, for as long as its start may take.
    pub(crate) async fn connect(&self, server: &str) -> Result<ServerHealth, ToolError> {
        let manager = &self.inner.manager;
        let connection = manager.connection(server);
        let limit = connection.map_or(Duration::ZERO, |it| it.startup_timeout());
        manager.connect(server, Instant::now() + limit).await
    }

    /// The name of the server that a text is found to name.
    pub(crate) fn server_named(&self, is_named: impl Fn(&str) -> bool) -> Option<String> {
        let connections = self.inner.manager.connections();
        let mut names = connections.iter().map(Connection::name);
        names.find(|name| is_named(name)).map(str::to_owned)
    }

    /// Holds a first list until it is known what the servers have, but not for longer than the options
    /// say.
    pub(crate) async fn hold(&self, connections: &[Connection]) {
        let limit = self.inner.options.first_list_hold;
        discovered(connections, Instant::now() + limit).await;
    }
}

/// Waits until it is known of each server what it has or that it is not there, at most until
/// `deadline`. A server that nobody has needed yet is asked for; one that has listed before is not
/// waited for.
pub(crate) async fn discovered(connections: &[Connection], deadline: Instant) {
    let unknown = connections.iter().filter(|it| it.generation().is_none());
    let unknown: Vec<_> = unknown.collect();
    for connection in &unknown {
        if connection.health().idle {
            connection.demand();
        }
    }
    let settled = async {
        for connection in unknown {
            connection.settled().await;
        }
    };
    drop(timeout_at(deadline, settled).await);
}
