//! The exit status: what a script can tell from it.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done.
    Done = 0,
    /// The tool reported an error, or the doctor has found something.
    ToolError = 1,
    /// The command line or the configuration is wrong.
    Usage = 2,
    /// A server that is needed is not available.
    Unavailable = 3,
    /// A signal came first.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
