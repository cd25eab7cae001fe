//! The name of an executor, checked once.

use std::fmt;
use std::str::FromStr;

const MAX_LENGTH: usize = 16;
const LOCAL: &str = "local";

/// The name of an executor: one to sixteen characters out of `a-z`, `0-9` and `-`.
///
/// A value of this type has been checked, so no other code has to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutorId(String);

impl ExecutorId {
    /// The executor that is this machine.
    #[must_use]
    pub fn local() -> Self {
        Self(LOCAL.to_owned())
    }

    /// Whether this is the executor that is this machine.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.0 == LOCAL
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ExecutorId {
    type Err = InvalidExecutorId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if text.is_empty() || text.len() > MAX_LENGTH || !text.chars().all(allowed) {
            return Err(InvalidExecutorId {
                text: text.to_owned(),
            });
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<&str> for ExecutorId {
    type Error = InvalidExecutorId;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl TryFrom<String> for ExecutorId {
    type Error = InvalidExecutorId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl AsRef<str> for ExecutorId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ExecutorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ExecutorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExecutorId({})", self.0)
    }
}

/// A text that cannot name an executor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "use {text:?} as the name of an executor: give one to sixteen characters out of a-z, 0-9 and -"
)]
pub struct InvalidExecutorId {
    /// The text that was given.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_the_rule_allows_and_nothing_else() {
        for good in ["local", "a", "gpu-2", "0123456789abcdef", "-"] {
            assert_eq!(good.parse::<ExecutorId>().unwrap().as_str(), good);
        }
        for bad in ["", "Local", "a_b", "a b", "é", "0123456789abcdefg", "a/b"] {
            assert!(ExecutorId::try_from(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_error_names_the_text_and_the_rule() {
        let error = "No".parse::<ExecutorId>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "use \"No\" as the name of an executor: give one to sixteen characters out of a-z, 0-9 \
             and -"
        );
    }
}
