//! Something in a file that was passed over.

use std::fmt;

/// Something in a file that was passed over or changed; nothing is held because of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line it is about.
    pub line: usize,
    /// The name of the entry it is about, as the file has it; `None` for the file as a whole.
    pub name: Option<String>,
    /// What was passed over, and what to write instead where that is known.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            name,
            message,
        } = self;
        match name {
            Some(name) => write!(f, "line {line}: server {name:?}: {message}"),
            None => write!(f, "line {line}: {message}"),
        }
    }
}
