//! The front: our own stdin and stdout, between a host and the owner of the servers.

use std::sync::Arc;

use mcp_gateway::Surface;
use mcp_server::ServeOptions;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::cli::ServeArgs;
use crate::engine::STOP;
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
    let options = ServeOptions::default();
    let input_ended = options.input_ended.clone();
    let session = owner.session(&hello, reader, writer, options);
    tokio::pin!(session);
    let mut reloads = JoinSet::new();
    let mut ending = None;
    let ended = loop {
        tokio::select! {
            ended = &mut session => break ended.map(|_| Exit::Done),
            asked = signals.next() => match asked {
                Asked::Stop => break Ok(Exit::Interrupted),
                Asked::Reload => drop(reloads.spawn(owner.reload())),
            },
            Some(_) = reloads.join_next() => {}
            // What still runs for the host runs in the time that everything has to end in.
            () = input_ended.cancelled(), if ending.is_none() => ending = Some(Instant::now()),
        }
    };
    let deadline = ending.unwrap_or_else(Instant::now) + STOP;
    owner.stop(deadline, signals).await;
    reloads.shutdown().await;
    ended.map_err(|error| Failure::usage(error.to_string()))
}
