//! The id of a server: the short name that people type and that tool names are made from.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A checked server id: 1 to 32 of `A-Z a-z 0-9 _ -`, without `__`.
///
/// `__` is what stands between server and tool in a facade's tool names, so an id may not hold it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ServerId(String);

/// Why a name is not a server id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name:?} is not a server id: use 1 to 32 of the characters A-Z a-z 0-9 _ - and no \"__\"")]
pub struct ServerIdError {
    /// The name that was refused, cut to a length that fits a message.
    pub name: String,
}

impl ServerId {
    /// The longest id, in characters.
    pub const MAX_LEN: usize = 32;

    /// The id as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The id that stands for any name, and whether it differs from the name.
    ///
    /// Illegal characters become `-`, runs of `_` become one. A name that is too long, or that has
    /// no legal letter or digit at all, ends in a hash of the whole name: other names then keep
    /// other ids, and the same name always gets the same one.
    pub fn slug(name: &str) -> (Self, bool) {
        if let Ok(id) = name.parse() {
            return (id, false);
        }
        let mut slug = String::new();
        for character in name.chars() {
            let legal = if is_legal(character) { character } else { '-' };
            if matches!(legal, '-' | '_') && slug.ends_with(legal) {
                continue;
            }
            slug.push(legal);
        }
        let trimmed = slug.trim_matches('-');
        let id = if !trimmed.contains(|c: char| c.is_ascii_alphanumeric()) {
            format!("server-{:08x}", fnv1a(name))
        } else if trimmed.len() > Self::MAX_LEN {
            let kept = trimmed[..Self::MAX_LEN - 9].trim_end_matches(['-', '_']);
            format!("{kept}-{:08x}", fnv1a(name))
        } else {
            trimmed.to_owned()
        };
        (Self(id), true)
    }

    /// The form in which ids are compared for likeness: lower case, `-` as `_`.
    ///
    /// Several hosts fold names like this; ids that fold together would take each other's place.
    pub fn folded(&self) -> String {
        fold(&self.0)
    }
}

/// The folded form of an id or of the shown name of an instance.
pub(crate) fn fold(name: &str) -> String {
    name.to_ascii_lowercase().replace('-', "_")
}

fn is_legal(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Not for security: only to keep the slugs of different names apart, the same in every run.
fn fnv1a(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

impl FromStr for ServerId {
    type Err = ServerIdError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let legal = (1..=Self::MAX_LEN).contains(&name.len())
            && name.chars().all(is_legal)
            && !name.contains("__");
        if legal {
            Ok(Self(name.to_owned()))
        } else {
            Err(ServerIdError {
                name: name.chars().take(64).collect(),
            })
        }
    }
}

impl TryFrom<&str> for ServerId {
    type Error = ServerIdError;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl TryFrom<String> for ServerId {
    type Error = ServerIdError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl From<ServerId> for String {
    fn from(id: ServerId) -> Self {
        id.0
    }
}

impl AsRef<str> for ServerId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests;
