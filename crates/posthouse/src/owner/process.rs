//! The owner process: it holds the servers, so that a host may end the front in any way and at any
//! moment without leaving one behind.
//!
//! It serves every front that connects to its socket, and stops the servers in order when the last
//! session has ended. Its stdin is held open by the front that started it: when that ends before the
//! front has connected, nobody will come.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::task::JoinSet;
use tokio::time::{Duration, Instant, timeout};

use super::hello::{self, Hello, Welcome};
use super::socket::Socket;
use super::{Owner, session};
use crate::cli::{Cli, OwnerArgs};
use crate::engine::STOP;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::Failure;
use crate::setup::Setup;
use crate::signals::{Asked, Signals};
use crate::try_folder::TryFolder;

/// How long a front may take for its first line.
const FIRST_LINE: Duration = Duration::from_secs(10);

/// Runs the owner process until no session is left or a signal comes.
pub(crate) async fn run(
    cli: &Cli,
    args: &OwnerArgs,
    environment: Environment,
) -> Result<Exit, Failure> {
    let cannot = |error| Failure::unavailable(format!("the owner cannot start: {error}"));
    let mut signals = Signals::listen().map_err(cannot)?;
    let (mut front, mut starter) = mcp_server::stdio().map_err(cannot)?;
    let environment = Arc::new(environment);
    let mut byte = [0];
    // Commands in the configuration may take a while.
    let stopped = async {
        tokio::select! {
            _ = front.read(&mut byte) => {}
            () = signals.stop() => {}
        }
    };
    let ready = match Ready::make(cli, args, &environment, stopped).await {
        Ok(None) => return Ok(Exit::Interrupted),
        Ok(Some(ready)) => Ok(ready),
        Err(failure) => Err(failure),
    };
    let welcome = ready.as_ref().map_or_else(Welcome::no, |_| Welcome::yes());
    // A front that is gone already is noticed below.
    drop(hello::write(&mut starter, &welcome).await);
    drop(starter);
    let Ok(ready) = ready else {
        return Ok(Exit::Usage);
    };
    for notice in ready.setup.notices() {
        tracing::warn!("{notice}");
    }
    let owner = Arc::new(Owner::start(&ready.setup, environment));
    let mut sessions = JoinSet::new();
    let mut reloads = JoinSet::new();
    let (exit, since) = loop {
        tokio::select! {
            accepted = ready.socket.accept() => match accepted {
                Ok(stream) => drop(sessions.spawn(serve(owner.clone(), stream))),
                Err(error) => tracing::error!("cannot accept a front: {error}"),
            },
            Some(ended) = sessions.join_next() => {
                if sessions.is_empty() {
                    break (Exit::Done, ended.unwrap_or_else(|_| Instant::now()));
                }
            }
            _ = front.read(&mut byte), if sessions.is_empty() => break (Exit::Done, Instant::now()),
            asked = signals.next() => match asked {
                Asked::Stop => break (Exit::Interrupted, Instant::now()),
                Asked::Reload => drop(reloads.spawn(owner.reload())),
            },
            Some(_) = reloads.join_next() => {}
        }
    };
    drop(ready.socket);
    owner.stop(since + STOP, &mut signals).await;
    sessions.shutdown().await;
    reloads.shutdown().await;
    Ok(exit)
}

/// What must be there before a front is told to come.
struct Ready {
    setup: Setup,
    socket: Socket,
    /// What the embedded server `folder` shows; goes when we end.
    _folder: Option<TryFolder>,
}

impl Ready {
    /// Gets all of it; `None` when `stopped` comes first.
    async fn make(
        cli: &Cli,
        args: &OwnerArgs,
        environment: &Environment,
        stopped: impl Future<Output = ()>,
    ) -> Result<Option<Self>, Failure> {
        let (setup, folder) = if args.demo {
            let folder = TryFolder::make(&environment.temporary)?;
            (Setup::demo(environment, folder.path())?, Some(folder))
        } else {
            let config = cli.global.config.as_deref();
            match Setup::of_files(config, environment, stopped).await? {
                Some(setup) => (setup, None),
                None => return Ok(None),
            }
        };
        let socket = Socket::bind(&args.socket).map_err(|error| {
            Failure::unavailable(format!(
                "the owner cannot listen at {}: {error}",
                args.socket.display()
            ))
        })?;
        Ok(Some(Ready {
            setup,
            socket,
            _folder: folder,
        }))
    }
}

/// One front's session, from its first line to its end.
async fn serve(owner: Arc<Owner>, stream: UnixStream) -> Instant {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    let hello = match timeout(FIRST_LINE, hello::read::<Hello>(&mut reader)).await {
        Ok(Ok(hello)) => hello,
        Ok(Err(error)) => {
            tracing::warn!("a front's first line does not read: {error}");
            return Instant::now();
        }
        Err(_) => {
            tracing::warn!("a front said nothing");
            return Instant::now();
        }
    };
    let handler = hello.surface().and_then(|surface| owner.handler(&surface));
    let welcome = handler
        .as_ref()
        .map_or_else(Welcome::no, |_| Welcome::yes());
    if hello::write(&mut writer, &welcome).await.is_err() {
        return Instant::now();
    }
    match handler {
        Ok(handler) => session(handler, reader, writer).await,
        Err(_) => Instant::now(),
    }
}
