//! What to start: a program, its surroundings, and how long it may take to stop.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::Secret;

/// A callback that is given what a process writes to its standard error, chunk by chunk.
///
/// It runs on the task that drains the pipe: it must return quickly, and neither block nor panic.
/// A chunk is not a line, and may end in the middle of a character.
pub type StderrSink = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// What to start.
#[derive(Clone)]
pub struct ProcessSpec {
    /// What the process is for, shown in logs and used for labels. It need not be unique.
    pub name: String,
    /// The program: an absolute path, a path with a slash (relative to `cwd`), or a name that is
    /// searched for in the executor's `PATH`, or in that of `env` if it sets one.
    pub program: String,
    /// The arguments, without the program. They are visible to others in process lists: put no
    /// secret here.
    pub args: Vec<String>,
    /// Variables set on top of the executor's base environment. Nothing else is inherited.
    pub env: BTreeMap<String, Secret>,
    /// The working directory; without one, the executor's default. A relative path is taken from
    /// the executor's default.
    pub cwd: Option<PathBuf>,
    /// Start through the user's login shell, so that the variables (`PATH` above all) of its
    /// profile apply. What the profile prints goes to standard error. The profile wins over `env`
    /// where both set a variable.
    pub login_shell: bool,
    /// How long the process may take to stop.
    pub grace: StopGrace,
    /// Called with each chunk of standard error, besides the tail which is always kept.
    pub on_stderr: Option<StderrSink>,
}

impl ProcessSpec {
    /// A spec with this name and program; everything else empty, off or default.
    pub fn new(name: impl Into<String>, program: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            login_shell: false,
            grace: StopGrace::default(),
            on_stderr: None,
        }
    }
}

impl fmt::Debug for ProcessSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessSpec")
            .field("name", &self.name)
            .field("program", &self.program)
            .field("args", &self.args)
            .field("env", &self.env)
            .field("cwd", &self.cwd)
            .field("login_shell", &self.login_shell)
            .field("grace", &self.grace)
            .field("on_stderr", &self.on_stderr.is_some())
            .finish()
    }
}

/// How long each step of stopping a process may take.
///
/// Stopping closes standard input, then sends `TERM` to the process group, then `KILL`. Each step
/// lasts until the group is empty or its time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopGrace {
    /// From closing standard input to `TERM`. Two seconds by default.
    pub stdin_close: Duration,
    /// From `TERM` to `KILL`. Two seconds by default.
    pub term: Duration,
    /// The bound on the whole stop. Five seconds by default. The last fifth belongs to `KILL`: the
    /// other two steps are cut short if they would reach into it.
    pub total: Duration,
}

impl Default for StopGrace {
    fn default() -> Self {
        Self {
            stdin_close: Duration::from_secs(2),
            term: Duration::from_secs(2),
            total: Duration::from_secs(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_the_names_of_variables_but_not_their_values() {
        let mut spec = ProcessSpec::new("demo", "prog");
        spec.env.insert("TOKEN".into(), Secret::new("hunter2"));
        let shown = format!("{spec:?}");
        assert!(shown.contains("TOKEN"), "{shown}");
        assert!(!shown.contains("hunter2"), "{shown}");
    }
}
