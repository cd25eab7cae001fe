//! Which entries of projects' files the user has allowed. Data and text; the caller has the file.

use std::path::{Path, PathBuf};

use mcp_definitions::{Digest, HashKey};
use serde_json::{Value, json};
use thiserror::Error;

use crate::Untrusted;

/// Which entries of projects' files the user has allowed.
///
/// An entry is known by a keyed hash of everything it says, so any change of it takes the trust
/// away. The key is the store's own and stands in its text, which belongs into a file that only
/// its owner can read: see [`crate::write_private`].
#[derive(Clone, PartialEq, Eq)]
pub struct TrustStore {
    key: HashKey,
    trusted: Vec<Trusted>,
}

/// One entry that is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// The project's file.
    pub path: PathBuf,
    /// The entry's name.
    pub name: String,
    /// The entry as it was.
    pub fingerprint: Digest,
}

/// Why a text is not a trust store. The remedy is the same for all: nothing is trusted, and a new
/// store takes the old one's place when something is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrustError {
    /// It is not JSON, or not of the form that [`TrustStore::to_text`] writes.
    #[error("read the list of trusted servers: {0}; remove the file and trust them again")]
    Unreadable(String),
    /// It was written by a later version.
    #[error(
        "read the list of trusted servers: it has format {0}, and this version knows {FORMAT}; use the newer version, or remove the file and trust them again"
    )]
    Newer(u64),
}

const FORMAT: u64 = 1;

impl TrustStore {
    /// A store that trusts nothing, with 32 random bytes for its key.
    pub fn new(key: HashKey) -> Self {
        Self {
            key,
            trusted: Vec::new(),
        }
    }

    /// Reads what [`TrustStore::to_text`] wrote.
    ///
    /// # Errors
    /// When the text is anything else. The caller goes on with a new store, in which nothing is
    /// trusted, and says so.
    pub fn parse(text: &str) -> Result<Self, TrustError> {
        let unreadable = |what: &str| TrustError::Unreadable(what.to_owned());
        let value: Value = serde_json::from_str(text).map_err(|_| unreadable("it is not JSON"))?;
        let format = value.get("format").and_then(Value::as_u64);
        match format.ok_or_else(|| unreadable("it has no format"))? {
            FORMAT => {}
            other => return Err(TrustError::Newer(other)),
        }
        let key = value.get("key").and_then(Value::as_str).unwrap_or_default();
        let key = HashKey::from_hex(key).map_err(|_| unreadable("it has no key"))?;
        let entries = value.get("trusted").and_then(Value::as_array);
        let entries = entries.ok_or_else(|| unreadable("it has no list"))?;
        // What cannot be read is not trusted; the others are.
        let trusted = entries.iter().filter_map(Trusted::parse).collect();
        Ok(Self { key, trusted })
    }

    /// The store as text. It holds the key.
    pub fn to_text(&self) -> String {
        let entry = |it: &Trusted| {
            json!({
                "file": it.path.to_string_lossy(),
                "server": it.name,
                "fingerprint": it.fingerprint.to_string(),
            })
        };
        let value = json!({
            "format": FORMAT,
            "key": self.key.to_hex(),
            "trusted": self.trusted.iter().map(entry).collect::<Vec<_>>(),
        });
        format!("{value:#}\n")
    }

    /// Trusts an entry as it is now, in place of what it was before.
    pub fn trust(&mut self, entry: &Untrusted) {
        self.trusted
            .retain(|it| (&it.path, &it.name) != (&entry.path, &entry.name));
        self.trusted.push(Trusted {
            path: entry.path.clone(),
            name: entry.name.clone(),
            fingerprint: entry.fingerprint,
        });
    }

    /// Takes trust away from all entries of a file, or from one of them; gives how many there were.
    pub fn revoke(&mut self, path: &Path, name: Option<&str>) -> usize {
        let before = self.trusted.len();
        self.trusted
            .retain(|it| it.path != path || name.is_some_and(|name| it.name != name));
        before - self.trusted.len()
    }

    /// What is trusted, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Trusted> {
        self.trusted.iter()
    }

    pub(crate) fn fingerprint(&self, canonical: &str) -> Digest {
        self.key.digest("trust", canonical.as_bytes())
    }

    pub(crate) fn is_trusted(&self, fingerprint: &Digest) -> bool {
        self.trusted.iter().any(|it| it.fingerprint == *fingerprint)
    }
}

impl Trusted {
    fn parse(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str();
        Some(Self {
            path: PathBuf::from(text("file")?),
            name: text("server")?.to_owned(),
            fingerprint: text("fingerprint")?.parse().ok()?,
        })
    }
}

/// Without the key.
impl std::fmt::Debug for TrustStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.trusted).finish()
    }
}
