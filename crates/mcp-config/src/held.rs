//! An entry that is not loaded, and why.

use std::fmt;
use std::path::PathBuf;

use mcp_definitions::ServerId;

/// An entry that is not loaded, and why. The others are not affected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The entry's name as the file has it, without what a terminal would obey.
    pub name: String,
    /// The id it would have; `None` when a loaded server, or a held entry before
    /// it, has that id or one like it.
    pub id: Option<ServerId>,
    /// The file of what is wrong.
    pub path: PathBuf,
    /// The line of what is wrong.
    pub line: usize,
    /// What is wrong: a fragment such as `"args" must be a list, not text`.
    pub reason: String,
    /// What to do about it: a fragment such as `write one word per item`.
    pub remedy: String,
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            path,
            line,
            reason,
            remedy,
            ..
        } = self;
        let path = path.display();
        write!(
            f,
            "{path}:{line}: server {name:?} is held: {reason}; {remedy}"
        )
    }
}
