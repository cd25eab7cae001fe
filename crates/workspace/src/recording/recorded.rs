//! The far side of what a recording workspace handed out.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::DuplexStream;
use tokio::sync::watch;

use crate::process::{Demand, StderrTail};
use crate::process_spec::StderrSink;
use crate::{DialTarget, ExitStatus, ProcessSpec, Signal};

/// A started process as its test plays it.
///
/// Dropping a stream closes that stream and nothing else; the process runs until
/// [`exit`](RecordedControl::exit) or until it is stopped.
#[derive(Debug)]
pub struct RecordedProcess {
    /// The spec that it was started from.
    pub spec: ProcessSpec,
    /// Read from it what the process is sent.
    pub stdin: DuplexStream,
    /// Write to it what the process says.
    pub stdout: DuplexStream,
    /// Everything else.
    pub control: RecordedControl,
}

/// A dialled stream as its test plays it.
#[derive(Debug)]
pub struct RecordedDial {
    /// What was dialled.
    pub target: DialTarget,
    /// The far side of the stream.
    pub stream: DuplexStream,
}

/// How a test makes a process exit and watches what is done to it. Clones control the same
/// process; dropping them changes nothing.
#[derive(Clone)]
pub struct RecordedControl(Arc<Shared>);

struct Shared {
    exit: watch::Sender<Option<ExitStatus>>,
    demand: watch::Sender<Demand>,
    signals: Mutex<Vec<Signal>>,
    ignores_stop: AtomicBool,
    tail: StderrTail,
    on_stderr: Option<StderrSink>,
}

impl RecordedControl {
    pub(super) fn new(tail: StderrTail, on_stderr: Option<StderrSink>) -> Self {
        Self(Arc::new(Shared {
            exit: watch::Sender::new(None),
            demand: watch::Sender::new(Demand::Run),
            signals: Mutex::default(),
            ignores_stop: AtomicBool::new(false),
            tail,
            on_stderr,
        }))
    }

    /// Makes the process exit with this status; only the first exit counts. Its standard output
    /// ends once what was written to it has been read.
    pub fn exit(&self, status: ExitStatus) {
        self.0.exit.send_if_modified(|exit| {
            let first = exit.is_none();
            exit.get_or_insert(status);
            first
        });
    }

    /// Writes to standard error.
    pub fn write_stderr(&self, bytes: &[u8]) {
        self.0.tail.push(bytes);
        if let Some(sink) = &self.0.on_stderr {
            sink(bytes);
        }
    }

    /// Makes the process survive everything but `KILL`. Without this, it exits with code 0 as soon
    /// as it is to stop.
    pub fn ignore_stop(&self) {
        self.0.ignores_stop.store(true, Ordering::Release);
    }

    /// What has been demanded so far, by the holders of the process or by a shutdown.
    #[must_use]
    pub fn demand(&self) -> Demand {
        *self.0.demand.borrow()
    }

    /// Waits until the process is to stop. Cancel safe.
    pub async fn stop_demanded(&self) -> Demand {
        let mut demand = self.0.demand.subscribe();
        // Cannot fail: the sender is in `self`.
        let _ = demand.wait_for(|demand| *demand > Demand::Run).await;
        self.demand()
    }

    /// The signals that were sent by [`signal`](crate::ProcessHandle::signal), in order.
    #[must_use]
    pub fn signals(&self) -> Vec<Signal> {
        let signals = self.0.signals.lock();
        signals.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn exit_asked(&self) -> watch::Receiver<Option<ExitStatus>> {
        self.0.exit.subscribe()
    }

    pub(super) fn ignores_stop(&self) -> bool {
        self.0.ignores_stop.load(Ordering::Acquire)
    }

    pub(super) fn record_demand(&self, demand: Demand) {
        self.0.demand.send_replace(demand);
    }

    pub(super) fn record_signal(&self, signal: Signal) {
        let signals = self.0.signals.lock();
        signals.unwrap_or_else(PoisonError::into_inner).push(signal);
    }
}

impl fmt::Debug for RecordedControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedControl")
            .field("demand", &self.demand())
            .field("exit", &*self.0.exit.borrow())
            .finish_non_exhaustive()
    }
}
