//! How a process ended, in words that fit every executor.

use std::fmt;

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExitStatus {
    /// It exited by itself with this code.
    Code(i32),
    /// A signal killed it: the signal's name without `SIG` (`KILL`, `TERM`), or its number.
    Signal(String),
    /// Nobody knows: the link to its executor died, or it survived every attempt to stop it. The
    /// text is the reason.
    Lost(String),
}

impl ExitStatus {
    /// Whether it exited by itself with code 0.
    #[must_use]
    pub fn success(&self) -> bool {
        matches!(self, Self::Code(0))
    }
}

impl fmt::Display for ExitStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(name) => write!(f, "killed by signal {name}"),
            Self::Lost(reason) => write!(f, "lost: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_as_the_end_of_a_sentence() {
        let shown = [
            ExitStatus::Code(1),
            ExitStatus::Signal("KILL".into()),
            ExitStatus::Lost("the link died".into()),
        ]
        .map(|status| status.to_string());
        assert_eq!(
            shown,
            [
                "exited with code 1",
                "killed by signal KILL",
                "lost: the link died"
            ]
        );
    }
}
