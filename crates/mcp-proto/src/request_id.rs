//! Request ids and progress tokens: a string or an integer, kept in the JSON type they came in.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::Raw;

/// The id of a request: `0`, `""` and negative numbers are ids like any other, null is not.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RequestId {
    /// An integer.
    Number(i64),
    /// A string.
    String(Box<str>),
}

/// The token that ties progress notifications to a request; by type the same as a request id.
pub type ProgressToken = RequestId;

impl RequestId {
    /// Reads an id from its JSON text: a string, or an integer of 64 bits written as one.
    pub(crate) fn from_json(text: &str) -> Option<Self> {
        if text.starts_with('"') {
            return serde_json::from_str::<String>(text)
                .ok()
                .map(|id| RequestId::String(id.into()));
        }
        text.parse().ok().map(RequestId::Number)
    }

    /// Reads the id of a response. Some peers give our integers back as `1.0`, which can only mean the
    /// integer; an id that is theirs is never guessed at, since the answer must bear it unchanged. The
    /// digits are read as an integer, never as a float, so large ids stay exact.
    pub(crate) fn from_response_json(text: &str) -> Option<Self> {
        RequestId::from_json(text.strip_suffix(".0").unwrap_or(text))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestId::Number(number) => write!(f, "{number}"),
            RequestId::String(string) => write!(f, "{string:?}"),
        }
    }
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        RequestId::Number(number)
    }
}

impl From<&str> for RequestId {
    fn from(string: &str) -> Self {
        RequestId::String(string.into())
    }
}

impl Serialize for RequestId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            RequestId::Number(number) => serializer.serialize_i64(*number),
            RequestId::String(string) => serializer.serialize_str(string),
        }
    }
}

impl<'de> Deserialize<'de> for RequestId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(deserializer)?;
        RequestId::from_json(raw.get()).ok_or_else(|| {
            D::Error::custom(format_args!(
                "{} is neither a string nor an integer",
                raw.get()
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_json_type() {
        for (text, id) in [
            ("0", Some(RequestId::Number(0))),
            ("-7", Some(RequestId::Number(-7))),
            ("1.0", None),
            (
                "9007199254740993",
                Some(RequestId::Number(9_007_199_254_740_993)),
            ),
            (r#""""#, Some(RequestId::from(""))),
            (r#""1""#, Some(RequestId::from("1"))),
            ("1.5", None),
            ("1e3", None),
            ("null", None),
            ("[1]", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(RequestId::from_json(text), id, "{text}");
        }
    }

    #[test]
    fn only_a_response_may_write_an_integer_as_a_float() {
        for (text, id) in [
            ("1", Some(RequestId::Number(1))),
            ("1.0", Some(RequestId::Number(1))),
            (
                "9007199254740993.0",
                Some(RequestId::Number(9_007_199_254_740_993)),
            ),
            (r#""1.0""#, Some(RequestId::from("1.0"))),
            ("1.5", None),
            ("1e0", None),
        ] {
            assert_eq!(RequestId::from_response_json(text), id, "{text}");
        }
    }
}
