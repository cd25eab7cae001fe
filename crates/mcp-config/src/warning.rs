//! Something in a file that was passed over.

use std::fmt;
use std::path::PathBuf;

/// Something in a file that was passed over or changed; nothing is held because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file it is about.
    pub path: PathBuf,
    /// The line it is about.
    pub line: usize,
    /// The name of the entry it is about, as the file has it, without what a terminal would obey;
    /// `None` for the file as a whole.
    pub name: Option<String>,
    /// What was passed over, and what to write instead where that is known.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            line,
            name,
            message,
        } = self;
        let path = path.display();
        match name {
            Some(name) => write!(f, "{path}:{line}: server {name:?}: {message}"),
            None => write!(f, "{path}:{line}: {message}"),
        }
    }
}
