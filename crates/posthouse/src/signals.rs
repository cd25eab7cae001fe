//! The signals that end or change a running command.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from its making on, so that no signal falls between two waits.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Ctrl-C or SIGTERM: stop.
    Stop,
    /// SIGHUP: read the configuration again.
    Reload,
}

impl Signals {
    /// Begins to listen.
    pub(crate) fn listen() -> std::io::Result<Self> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Stop,
            _ = self.terminate.recv() => Asked::Stop,
            _ = self.hang_up.recv() => Asked::Reload,
        }
    }

    /// Waits for a signal that asks to stop.
    pub(crate) async fn stop(&mut self) {
        while self.next().await != Asked::Stop {}
    }
}
