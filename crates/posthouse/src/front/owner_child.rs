//! An owner process of the front's own, started and connected to.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::io::{AsyncReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};

use crate::cli::{Cli, ServeArgs};
use crate::environment::Environment;
use crate::logs::Stderr;
use crate::outcome::Failure;
use crate::owner::hello::{self, Hello, Welcome};
use crate::owner::socket;

/// The owner, as its front sees it. It is not ended from here: it ends by itself when we are gone.
pub(super) struct OwnerChild {
    /// Its stdin is ours to hold: the end of it tells the owner that we are gone.
    child: Child,
    socket: PathBuf,
}

impl OwnerChild {
    /// Starts the owner in a process group of its own, so that a signal to ours does not reach it.
    pub(super) fn spawn(
        cli: &Cli,
        args: &ServeArgs,
        environment: &Environment,
    ) -> Result<Self, Failure> {
        let program = environment.program.as_ref().ok_or_else(|| {
            Failure::unavailable(
                "cannot find our own program to start the owner of the servers with",
            )
        })?;
        let folder = environment.runtime_folder();
        socket::folder(&folder).map_err(|error| {
            Failure::unavailable(format!(
                "cannot use the folder {} for a socket: {error}",
                folder.display()
            ))
        })?;
        let socket = folder.join(format!("{}.sock", std::process::id()));
        // Left by a front of the same process id that was killed with its owner.
        drop(fs::remove_file(&socket));
        let mut command = Command::new(program);
        command.arg("owner").arg("--socket").arg(&socket);
        if let Some(config) = &cli.global.config {
            command.arg("--config").arg(config);
        }
        if args.demo {
            command.arg("--demo");
        }
        command.args(std::iter::repeat_n("-v", usize::from(cli.global.verbose)));
        if cli.global.quiet {
            command.arg("--quiet");
        }
        // Not even our stderr: a host may wait for its end, and the owner outlives us for a moment.
        command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().map_err(|error| {
            Failure::unavailable(format!(
                "cannot start {} as the owner of the servers: {error}",
                program.display()
            ))
        })?;
        Ok(OwnerChild { child, socket })
    }

    /// Waits until the owner is ready, and opens a session.
    pub(super) async fn connect(
        &mut self,
        hello: &Hello,
    ) -> Result<(BufReader<OwnedReadHalf>, OwnedWriteHalf), Failure> {
        let lost = |error| {
            Failure::unavailable(format!(
                "lost the owner of the servers while it started: {error}"
            ))
        };
        if let Some(stdout) = self.child.stdout.take() {
            let ready = hello::read::<Welcome>(&mut BufReader::new(stdout)).await;
            ready.map_err(lost)?.accept()?;
        }
        let stream = UnixStream::connect(&self.socket).await.map_err(lost)?;
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        hello::write(&mut writer, hello).await.map_err(lost)?;
        hello::read::<Welcome>(&mut reader)
            .await
            .map_err(lost)?
            .accept()?;
        Ok((reader, writer))
    }

    /// Passes on what the owner logs, for as long as we are there to read it.
    pub(super) fn relay_logs(&mut self) -> impl Future<Output = ()> + use<> {
        let logs = self.child.stderr.take();
        async move {
            let stderr = Stderr::open();
            let mut chunk = [0; 4096];
            if let Some(mut logs) = logs {
                while let Ok(read @ 1..) = logs.read(&mut chunk).await {
                    drop((&stderr).write(&chunk[..read]));
                }
            }
        }
    }

    /// Has the owner read the configuration again.
    pub(super) fn reload(&self) {
        let id = self.child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(id) = id
            && let Err(error) = kill(Pid::from_raw(id), Signal::SIGHUP)
        {
            tracing::error!("cannot tell the owner to reload: {error}");
        }
    }
}
