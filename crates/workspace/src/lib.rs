//! Where a server runs: starting processes and dialling streams behind one trait, [`Workspace`].
//!
//! An executor is a place (this machine, a host behind ssh, a container) and a [`Workspace`] is
//! what can be done there. This crate knows nothing of MCP: it hands out pipes, exit statuses and
//! streams, and sees to it that whatever it started is gone in the end. It reads neither the
//! environment nor the home directory; the caller passes values in (see [`inherited_environment`]).
//!
//! - [`Local`] runs things on this machine.
//! - [`Registry`] finds the workspace that belongs to an [`ExecutorId`].
//! - [`recording::RecordingWorkspace`] is a fake that records what was asked of it, for tests.
//! - [`ProcessControl`] is what an executor of your own needs to hand out a [`Process`].

mod closing;
mod container;
mod coverage;
mod dial;
mod environment;
mod error;
mod executor_id;
mod exit_status;
mod local;
mod nonce;
mod process;
mod process_spec;
mod process_table;
mod reaper;
pub mod recording;
mod registry;
mod secret;
mod signal;
mod workspace;

pub use dial::{BoxStream, DIAL_TIMEOUT, DialTarget, Stream};
pub use environment::inherited_environment;
pub use error::WorkspaceError;
pub use executor_id::{ExecutorId, InvalidExecutorId};
pub use exit_status::ExitStatus;
pub use local::{Local, LocalOptions};
pub use process::{
    BoxRead, Demand, Process, ProcessControl, ProcessHandle, ProcessSource, Request,
    STDERR_TAIL_BYTES, SignalRequest, Stdin,
};
pub use process_spec::{ProcessSpec, StderrSink, StopGrace};
pub use registry::Registry;
pub use secret::Secret;
pub use signal::Signal;
pub use workspace::Workspace;
