//! The mark by which everything that an executor started is found again, wherever it has gone.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

/// The variable of every local process that carries its [`ServerNonce`] (D16).
pub(crate) const VARIABLE: &str = "POSTHOUSE_REAP";

/// Names one executor of one process: 128 random bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExecutorNonce(String);

/// Names one started server of an executor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerNonce {
    executor: ExecutorNonce,
    number: u64,
}

impl ExecutorNonce {
    pub(crate) fn random() -> Self {
        // Keyed from the system's own source: who cannot read our memory cannot tell the output.
        let keyed = RandomState::new();
        Self(format!(
            "{:016x}{:016x}",
            keyed.hash_one(0),
            keyed.hash_one(1)
        ))
    }

    pub(crate) fn server(&self, number: u64) -> ServerNonce {
        ServerNonce {
            executor: self.clone(),
            number,
        }
    }

    /// Which server of this executor an environment belongs to, as `/proc/PID/environ` shows it.
    pub(crate) fn server_in(&self, environment: &[u8]) -> Option<u64> {
        let start = format!("{VARIABLE}={self}-");
        let mut variables = environment.split(|byte| *byte == 0);
        let number = variables.find_map(|variable| variable.strip_prefix(start.as_bytes()))?;
        std::str::from_utf8(number).ok()?.parse().ok()
    }
}

impl fmt::Display for ExecutorNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ServerNonce {
    /// Which server of its executor this is.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

impl fmt::Display for ServerNonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.executor, self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_found_whole_or_not_at_all() {
        let executor = ExecutorNonce::random();
        let environment = |value: &dyn fmt::Display| format!("A=b\0{VARIABLE}={value}\0C=\0");
        let found = |value: &dyn fmt::Display| executor.server_in(environment(value).as_bytes());
        assert_eq!(found(&executor.server(1)), Some(1));
        assert_eq!(found(&executor.server(12)), Some(12));
        let other = ExecutorNonce::random();
        assert_ne!(other, executor);
        assert_eq!(found(&other.server(1)), None);
        assert_eq!(found(&executor), None);
        assert_eq!(executor.server_in(b""), None);
    }
}
