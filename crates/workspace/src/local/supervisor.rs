//! The one task that owns a process, from its start until its group is empty.

use std::future::pending;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::Signal as UnixSignal;
use tokio::process::Child;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::group::Group;
use super::guard::Guarded;
use super::stopping::{Due, Stopping};
use crate::closing::Closing;
use crate::process::{Demand, ProcessControl, Request, SignalRequest};
use crate::{ExitStatus, Signal, StopGrace, WorkspaceError};

/// How long the pump may take to hand on what it has: it waits for nothing but the callback.
const FLUSH_WAIT: Duration = Duration::from_millis(500);

/// Owns a process. Nobody else waits for it or signals it, so its id is never used when it may
/// belong to another process.
pub(super) struct Supervisor {
    pub(super) name: String,
    pub(super) child: Child,
    pub(super) group: Group,
    pub(super) guarded: Guarded,
    pub(super) control: ProcessControl,
    pub(super) grace: StopGrace,
    pub(super) closing: Closing,
    pub(super) pump: PumpHandle,
}

/// How the supervisor and the pump of standard error speak.
pub(super) struct PumpHandle {
    pub(super) exited: CancellationToken,
    pub(super) flushed: oneshot::Receiver<()>,
    pub(super) ended: CancellationToken,
    pub(super) task: JoinHandle<()>,
}

impl Supervisor {
    /// Runs until nothing of the process is left, or `KILL` did not do away with it in time.
    pub(super) async fn run(mut self) {
        let mut obeyed = Demand::Run;
        let mut stopping: Option<Stopping> = None;
        let all_gone = loop {
            let exited = self.control.has_exited();
            let next_look = match &mut stopping {
                None => None,
                // A group with its leader in it is not empty: nothing to look for.
                Some(stopping) if !exited => Some(stopping.step_ends()),
                Some(stopping) => Some(stopping.next_look(Instant::now())),
            };
            tokio::select! {
                status = self.child.wait(), if !exited => {
                    self.leader_exited(status).await;
                    if self.group.is_empty().await {
                        break true;
                    }
                    if stopping.is_none() {
                        // It went by itself: what it leaves behind has lost its parent and goes
                        // too. In a stop the others keep the time that was promised to all.
                        self.send(Signal::Term).await;
                        stopping = Some(Stopping::by_term(Instant::now(), self.grace));
                    }
                }
                request = self.closing.next_request(&mut self.control, obeyed) => match request {
                    Request::Signal(request) => self.deliver(request),
                    Request::Demand(demand) => {
                        // The wait for it may have been as long as the process has lived.
                        let now = Instant::now();
                        obeyed = demand;
                        self.control.close_stdin();
                        if demand == Demand::Kill {
                            self.send(Signal::Kill).await;
                            stopping = Some(Stopping::by_kill(now));
                        } else if stopping.is_none() {
                            stopping = Some(Stopping::by_closing_stdin(now, self.grace));
                        }
                    }
                },
                () = sleep_until_or_forever(next_look) => {
                    if exited && self.group.is_empty().await {
                        break true;
                    }
                    match stopping.as_mut().map(|stopping| stopping.advance(Instant::now())) {
                        None | Some(Due::Nothing) => {}
                        Some(Due::Signal(signal)) => self.send(signal).await,
                        Some(Due::GiveUp) => {
                            self.give_up();
                            break false;
                        }
                    }
                }
            }
        };
        if all_gone {
            self.guarded.ended(self.group.id()).await;
        } else {
            self.guarded.remove_container().await;
        }
        self.pump.ended.cancel();
        if timeout(FLUSH_WAIT, &mut self.pump.task).await.is_err() {
            tracing::warn!(process = %self.name, "a callback on standard error blocks");
        }
        self.control.report_end();
    }

    async fn leader_exited(&mut self, status: io::Result<std::process::ExitStatus>) {
        // First what it said, so that whoever learns of the exit can read its last words.
        self.pump.exited.cancel();
        let _ = timeout(FLUSH_WAIT, &mut self.pump.flushed).await;
        let status = match status {
            Ok(status) => truthful(status),
            Err(error) => ExitStatus::Lost(format!("its exit status cannot be read: {error}")),
        };
        tracing::debug!(process = %self.name, %status, "process ended");
        self.control.report_exit(status);
    }

    fn deliver(&self, request: SignalRequest) {
        let result = self
            .group
            .signal(request.signal)
            .map_err(|errno| match errno {
                Errno::ESRCH => WorkspaceError::NotFound {
                    what: format!("process `{}`: it has ended; start it again", self.name),
                },
                errno => WorkspaceError::Io(io::Error::other(format!(
                    "send {} to process `{}`: {errno}",
                    request.signal, self.name
                ))),
            });
        request.answer(result);
    }

    async fn send(&mut self, signal: Signal) {
        match self.group.signal(signal) {
            Ok(()) | Err(Errno::ESRCH) => {}
            Err(errno) => {
                tracing::warn!(process = %self.name, %signal, %errno, "cannot signal the group");
            }
        }
        self.group.signal_strays(signal).await;
    }

    fn give_up(&mut self) {
        tracing::warn!(process = %self.name, "something of it is still there after KILL");
        // Counts only if the process itself has not exited.
        let reason = "it is still there after KILL".to_owned();
        self.control.report_exit(ExitStatus::Lost(reason));
    }
}

async fn sleep_until_or_forever(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}

fn truthful(status: std::process::ExitStatus) -> ExitStatus {
    if let Some(code) = status.code() {
        return ExitStatus::Code(code);
    }
    let Some(number) = status.signal() else {
        return ExitStatus::Lost(format!("its exit status is unknown: {status}"));
    };
    // Real-time signals have no name.
    let name = match UnixSignal::try_from(number) {
        Ok(signal) => signal.as_str().trim_start_matches("SIG").to_owned(),
        Err(_) => number.to_string(),
    };
    ExitStatus::Signal(name)
}
