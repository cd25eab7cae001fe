//! What is wrong with one entry, before its place is turned into a line.

/// What is wrong with one entry.
#[derive(Debug)]
pub(crate) struct Problem {
    /// Where in the text.
    pub(crate) offset: usize,
    /// What is wrong, without any value that may be secret.
    pub(crate) reason: String,
    /// What to do about it.
    pub(crate) remedy: String,
}

impl Problem {
    pub(crate) fn new(offset: usize, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            offset,
            reason: reason.into(),
            remedy: remedy.into(),
        }
    }
}
