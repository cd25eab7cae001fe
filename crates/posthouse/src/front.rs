//! The front: our own stdin and stdout, between a host and the owner of the servers.

use std::sync::Arc;

use mcp_gateway::Surface;

use crate::cli::ServeArgs;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::Failure;
use crate::owner::{Hello, Owner};
use crate::setup::Setup;
use crate::signals::{Asked, Signals};

/// Speaks MCP on stdin and stdout until the host is gone or a signal comes; then every server is stopped.
pub(crate) async fn serve(
    setup: Setup,
    args: &ServeArgs,
    environment: Arc<Environment>,
    signals: &mut Signals,
) -> Result<Exit, Failure> {
    let surface = match &args.server {
        Some(name) => Surface::PassThrough(name.clone()),
        None if args.all => Surface::Facade,
        None => Surface::Mcp,
    };
    let cannot = |error| Failure::unavailable(format!("cannot use stdin and stdout: {error}"));
    let (reader, writer) = mcp_server::stdio().map_err(cannot)?;
    let owner = Owner::start(&setup, environment);
    let hello = Hello { surface };
    let session = owner.session(&hello, reader, writer);
    tokio::pin!(session);
    let ended = loop {
        tokio::select! {
            ended = &mut session => break ended.map(|_| Exit::Done),
            asked = signals.next() => match asked {
                Asked::Stop => break Ok(Exit::Interrupted),
                Asked::Reload => owner.reload().await,
            },
        }
    };
    owner.stop(signals).await;
    ended.map_err(|error| Failure::usage(error.to_string()))
}
