//! The name of a place where servers can run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A checked executor name: 1 to 16 of `a-z 0-9 -`.
///
/// Only the name: what it stands for is known to the registry of executors.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ExecutorName(String);

/// Why a name is not an executor name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name:?} is not an executor name: use 1 to 16 of the characters a-z 0-9 -")]
pub struct ExecutorNameError {
    /// The name that was refused, cut to a length that fits a message.
    pub name: String,
}

impl ExecutorName {
    /// This machine; it always exists.
    pub const LOCAL: &'static str = "local";

    /// The executor that is this machine.
    pub fn local() -> Self {
        Self(Self::LOCAL.to_owned())
    }

    /// Whether this is the executor that is this machine.
    pub fn is_local(&self) -> bool {
        self.0 == Self::LOCAL
    }

    /// The name as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ExecutorName {
    type Err = ExecutorNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if (1..=16).contains(&name.len()) && name.chars().all(legal) {
            Ok(Self(name.to_owned()))
        } else {
            Err(ExecutorNameError {
                name: name.chars().take(64).collect(),
            })
        }
    }
}

impl TryFrom<&str> for ExecutorName {
    type Error = ExecutorNameError;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl TryFrom<String> for ExecutorName {
    type Error = ExecutorNameError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl From<ExecutorName> for String {
    fn from(name: ExecutorName) -> Self {
        name.0
    }
}

impl AsRef<str> for ExecutorName {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExecutorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executor_names_are_checked() {
        for name in ["local", "build1", "a", "a-b", "abcdefghijklmnop"] {
            assert_eq!(name.parse::<ExecutorName>().unwrap().as_str(), name);
        }
        for name in ["", "Build", "a_b", "a b", "abcdefghijklmnopq"] {
            assert!(name.parse::<ExecutorName>().is_err(), "{name}");
        }
        assert_eq!(
            "Build".parse::<ExecutorName>().unwrap_err().to_string(),
            "\"Build\" is not an executor name: use 1 to 16 of the characters a-z 0-9 -"
        );
    }
}
