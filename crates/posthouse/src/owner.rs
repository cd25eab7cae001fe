//! The owner of the servers: the gateway over a manager, and the sessions of hosts.
//!
//! What a session brings is one duplex stream of MCP lines and a [`Hello`](hello::Hello); where the other
//! end of the stream is, the owner does not know.

pub(crate) mod hello;
pub(crate) mod process;
pub(crate) mod socket;

use std::sync::Arc;

use mcp_gateway::{Gateway, GatewayOptions, Reload, Surface};
use mcp_server::{ServeOptions, ServerHandler, serve};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use crate::engine::Engine;
use crate::environment::Environment;
use crate::outcome::Failure;
use crate::reload::FileReload;
use crate::setup::{Setup, implementation};
use crate::signals::Signals;

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
        let reload = setup.sources.clone().map(|sources| {
            Arc::new(FileReload {
                sources,
                environment,
            }) as Arc<dyn Reload>
        });
        let options = GatewayOptions::new(implementation());
        let gateway = Gateway::new(engine.manager.clone(), setup.roster(), options, reload);
        engine.manager.discover();
        Owner { engine, gateway }
    }

    /// The handler of one session.
    pub(crate) fn handler(&self, surface: &Surface) -> Result<Arc<dyn ServerHandler>, Failure> {
        self.gateway
            .session(surface)
            .map_err(|error| Failure::usage(error.to_string()))
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

/// Serves one session until its host is gone; since when it has been gone. What it had asked for by then
/// is still given a moment.
pub(crate) async fn session(
    handler: Arc<dyn ServerHandler>,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin,
) -> Instant {
    let options = ServeOptions::default();
    let input_ended = options.input_ended.clone();
    let serving = serve(handler, reader, writer, options);
    tokio::pin!(serving);
    let mut since = None;
    loop {
        tokio::select! {
            _ = &mut serving => return since.unwrap_or_else(Instant::now),
            () = input_ended.cancelled(), if since.is_none() => since = Some(Instant::now()),
        }
    }
}
