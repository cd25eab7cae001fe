//! How a run of the server ended.

/// How a run of the server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The peer closed its side; a process ends with code 0.
    Closed,
    /// The script says that the process ends here, with this code.
    Code(u8),
}

impl Exit {
    /// The exit code a process should end with.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Exit::Closed => 0,
            Exit::Code(code) => code,
        }
    }
}
