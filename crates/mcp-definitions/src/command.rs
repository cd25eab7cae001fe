//! A program to start, spoken to over its standard input and output.

use std::collections::BTreeMap;
use std::fmt;

use crate::redaction::{Count, Names};

/// A program to start, with its arguments and what it gets beside the allowed environment.
///
/// `Debug` shows neither the arguments nor the values of `env`: either may hold a secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// A bare name, looked up in the `PATH` of the place where it runs, or a path.
    pub command: String,
    /// The arguments after the program's name.
    pub args: Vec<String>,
    /// Variables set for the program, over whatever it inherits.
    pub env: BTreeMap<String, String>,
    /// Names of further variables that the program inherits, beyond the allowed ones.
    pub inherit_env: Vec<String>,
    /// The folder to start in; `None`: the folder of the session that asks.
    pub cwd: Option<String>,
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("command", &self.command)
            .field("args", &Count(self.args.len()))
            .field("env", &Names(&self.env))
            .field("inherit_env", &self.inherit_env)
            .field("cwd", &self.cwd)
            .finish()
    }
}
