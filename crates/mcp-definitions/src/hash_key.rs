//! The secret that makes hashes of definitions useless to whoever does not have it.

use std::fmt;

use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::Digest;
use crate::digest::bytes_of;

/// A random secret of one installation, 32 bytes, passed in by whoever keeps it.
///
/// A plain hash of a definition would give away a short token in it to anybody who tries all
/// tokens; a hash under a key gives nothing away. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct HashKey([u8; 32]);

/// Why a text is not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a key is written as 64 of the digits 0-9 a-f")]
pub struct HashKeyError;

/// What SHA-256 works on at a time.
const BLOCK: usize = 64;

impl HashKey {
    /// The key of these bytes, which must come from a source of good randomness.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads what [`HashKey::to_hex`] writes.
    ///
    /// # Errors
    /// When it is anything but 64 lower-case hexadecimal digits. The text is not repeated.
    pub fn from_hex(text: &str) -> Result<Self, HashKeyError> {
        bytes_of(text).map(Self).ok_or(HashKeyError)
    }

    /// The key as text, for a file that only its owner can read.
    pub fn to_hex(&self) -> String {
        Digest::new(self.0).to_string()
    }

    /// HMAC-SHA256 of a message. `purpose` keeps the hashes of different uses apart; it holds no
    /// NUL.
    pub fn digest(&self, purpose: &str, message: &[u8]) -> Digest {
        self.hmac(&[purpose.as_bytes(), b"\0", message])
    }

    /// RFC 2104. A key of 32 bytes is shorter than a block, so it is never hashed first.
    fn hmac(&self, parts: &[&[u8]]) -> Digest {
        let padded = |pad: u8| {
            let mut block = [pad; BLOCK];
            for (byte, key) in block.iter_mut().zip(self.0) {
                *byte ^= key;
            }
            Sha256::new().chain_update(block)
        };
        let mut inner = padded(0x36);
        for part in parts {
            inner.update(part);
        }
        let outer = padded(0x5c).chain_update(inner.finalize());
        Digest::new(outer.finalize().into())
    }
}

impl fmt::Debug for HashKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashKey(not shown)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(begin: &[u8]) -> HashKey {
        let mut bytes = [0; 32];
        bytes[..begin.len()].copy_from_slice(begin);
        HashKey::new(bytes)
    }

    #[test]
    fn it_is_the_hmac_of_the_rfc() {
        // RFC 4231; shorter keys are padded with zeros there too.
        let check = |key: HashKey, message: &[u8], expect: &str| {
            assert_eq!(key.hmac(&[message]).to_string(), expect);
        };
        check(
            key(&[0x0b; 20]),
            b"Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        );
        check(
            key(b"Jefe"),
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        );
    }

    #[test]
    fn purposes_are_kept_apart_and_the_key_decides() {
        let one = key(b"one");
        assert_ne!(one.digest("a", b"b"), one.digest("b", b"b"));
        assert_ne!(one.digest("a", b"b"), key(b"two").digest("a", b"b"));
        assert_eq!(one.digest("a", b"b"), one.clone().digest("a", b"b"));
    }

    #[test]
    fn keys_survive_their_text_and_are_not_shown() {
        let one = key(b"one");
        assert_eq!(HashKey::from_hex(&one.to_hex()), Ok(one.clone()));
        assert_eq!(format!("{one:?}"), "HashKey(not shown)");
        for text in ["", "6f6e65", &"6F".repeat(32), &"é".repeat(32)] {
            assert_eq!(HashKey::from_hex(text), Err(HashKeyError), "{text}");
        }
    }
}
