//! The owner of the servers: the gateway over a manager, and the sessions of hosts.
//!
//! What a session brings is one duplex stream of MCP lines and a [`Hello`]; where the other end of the
//! stream is, the owner does not know. Today it is the stdin and stdout of the same process.

use std::sync::Arc;

use mcp_gateway::{Gateway, GatewayOptions, Reload, Surface, UnknownServer};
use mcp_server::{CloseReason, ServeOptions, serve};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::environment::Environment;
use crate::reload::FileReload;
use crate::setup::{Setup, implementation};
use crate::signals::Signals;

/// What a front says of its session before the first line.
pub(crate) struct Hello {
    /// How the servers are to be shown.
    pub(crate) surface: Surface,
}

/// Holds the servers for as many sessions as come.
pub(crate) struct Owner {
    engine: Engine,
    gateway: Gateway,
}

impl Owner {
    /// Starts the manager and, behind it, the discovery of every server: there is no cache of lists yet,
    /// so that nothing else can tell what they have.
    pub(crate) fn start(setup: &Setup, environment: Arc<Environment>) -> Self {
        let engine = Engine::start(setup, &environment);
        let reload = setup
            .path
            .clone()
            .map(|path| Arc::new(FileReload { path, environment }) as Arc<dyn Reload>);
        let options = GatewayOptions::new(implementation());
        let gateway = Gateway::new(engine.manager.clone(), setup.roster(), options, reload);
        engine.manager.discover();
        Owner { engine, gateway }
    }

    /// Serves one session until its host is gone.
    pub(crate) async fn session(
        &self,
        hello: &Hello,
        reader: impl AsyncRead + Unpin,
        writer: impl AsyncWrite + Unpin,
        options: ServeOptions,
    ) -> Result<CloseReason, UnknownServer> {
        let handler = self.gateway.session(&hello.surface)?;
        Ok(serve(handler, reader, writer, options).await)
    }

    /// Reads the configuration again. Nobody needs to wait for it: it takes as long as the servers that
    /// it closes.
    pub(crate) fn reload(&self) -> impl Future<Output = ()> + Send + 'static {
        let gateway = self.gateway.clone();
        async move {
            match gateway.reload().await {
                Ok(done) => tracing::info!("{done}"),
                Err(why) => tracing::error!("reload: {why}"),
            }
        }
    }

    /// Stops every server before `deadline`.
    pub(crate) async fn stop(&self, deadline: Instant, signals: &mut Signals) {
        self.engine.stop_by(deadline, signals).await;
    }
}
