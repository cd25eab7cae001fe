//! The front process: our own stdin and stdout, carried to and from the owner of the servers.
//!
//! It knows nothing of MCP and has no server of its own, so that it can end at once: hosts leave as
//! little as nothing between their first signal and SIGKILL.

mod owner_child;

use mcp_gateway::Surface;
use tokio::io::{AsyncWriteExt, BufReader, copy, copy_buf};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use self::owner_child::OwnerChild;
use crate::cli::{Cli, ServeArgs};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::Failure;
use crate::owner::hello::Hello;
use crate::signals::{Asked, Signals};

/// Speaks MCP on stdin and stdout until the host or the owner is gone, or a signal comes.
pub(crate) async fn serve(
    cli: &Cli,
    args: &ServeArgs,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let cannot = |error| Failure::unavailable(format!("cannot use stdin and stdout: {error}"));
    let mut signals = Signals::listen().map_err(cannot)?;
    let (reader, writer) = mcp_server::stdio().map_err(cannot)?;
    let surface = match &args.server {
        Some(name) => Surface::PassThrough(name.clone()),
        None if args.all => Surface::Facade,
        None => Surface::Mcp,
    };
    let hello = Hello::new(&surface, environment.cwd.clone());
    let mut owner = OwnerChild::spawn(cli, args, environment)?;
    let logs = owner.relay_logs();
    tokio::pin!(logs);
    let connecting = owner.connect(&hello);
    let (from_owner, to_owner) = tokio::select! {
        connected = connecting => connected?,
        () = signals.stop() => return Ok(Exit::Interrupted),
    };
    let carried = carry(reader, writer, from_owner, to_owner);
    tokio::pin!(carried);
    let mut logged = false;
    loop {
        tokio::select! {
            () = &mut carried => return Ok(Exit::Done),
            () = &mut logs, if !logged => logged = true,
            asked = signals.next() => match asked {
                Asked::Stop => return Ok(Exit::Interrupted),
                Asked::Reload => owner.reload(),
            },
        }
    }
}

/// Carries both ways until the owner has said its last word. The host's end of input is handed on, so
/// that what it has asked for by then is still answered.
async fn carry(
    mut reader: mcp_server::BoxRead,
    mut writer: mcp_server::BoxWrite,
    mut from_owner: BufReader<OwnedReadHalf>,
    mut to_owner: OwnedWriteHalf,
) {
    let asked = async {
        drop(copy(&mut reader, &mut to_owner).await);
        drop(to_owner.shutdown().await);
        std::future::pending::<()>().await;
    };
    let answered = async {
        drop(copy_buf(&mut from_owner, &mut writer).await);
        drop(writer.flush().await);
    };
    tokio::select! {
        () = asked => {}
        () = answered => {}
    }
}
