//! What is wrong with one entry, before its place is turned into a line.

use crate::layer::At;

/// What is wrong with one entry.
#[derive(Debug)]
pub(crate) struct Problem {
    /// Where.
    pub(crate) at: At,
    /// What is wrong, without any value that may be secret.
    pub(crate) reason: String,
    /// What to do about it.
    pub(crate) remedy: String,
}

impl Problem {
    pub(crate) fn new(at: At, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            at,
            reason: reason.into(),
            remedy: remedy.into(),
        }
    }
}
