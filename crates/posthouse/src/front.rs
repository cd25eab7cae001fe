//! The front process: our own stdin and stdout, carried to and from the owner of the servers.
//!
//! It knows nothing of MCP and has no server of its own, so that it can end at once: hosts leave as
//! little as nothing between their first signal and SIGKILL.

mod owner_child;

use std::cell::Cell;
use std::io::ErrorKind;

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
            end = &mut carried => return match end {
                End::Host => Ok(Exit::Done),
                End::Owner => Err(Failure::unavailable(
                    "lost the owner of the servers in the middle of the session; start the session again",
                )),
            },
            () = &mut logs, if !logged => logged = true,
            asked = signals.next() => match asked {
                Asked::Stop => return Ok(Exit::Interrupted),
                Asked::Reload => owner.reload(),
            },
        }
    }
}

/// Who ended a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Host,
    Owner,
}

/// Carries both ways until the owner has said its last word. The host's end of input is handed on, so
/// that what it has asked for by then is still answered.
async fn carry(
    mut reader: mcp_server::BoxRead,
    mut writer: mcp_server::BoxWrite,
    mut from_owner: BufReader<OwnedReadHalf>,
    mut to_owner: OwnedWriteHalf,
) -> End {
    let host_left = Cell::new(false);
    let asked = async {
        let copied = copy(&mut reader, &mut to_owner).await;
        host_left.set(!copied.is_err_and(|error| is_owner_gone(error.kind())));
        drop(to_owner.shutdown().await);
        std::future::pending::<End>().await
    };
    let answered = async {
        let copied = copy_buf(&mut from_owner, &mut writer).await;
        drop(writer.flush().await);
        match copied {
            // Nobody reads our stdout any more.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => End::Host,
            _ if host_left.get() => End::Host,
            _ => End::Owner,
        }
    };
    tokio::select! {
        end = asked => end,
        end = answered => end,
    }
}

/// What writing to an owner that was killed comes to.
fn is_owner_gone(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}
