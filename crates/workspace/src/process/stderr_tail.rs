//! The last bytes that a process wrote to standard error.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How many bytes of standard error are kept.
pub const STDERR_TAIL_BYTES: usize = 4096;

/// A ring of the last [`STDERR_TAIL_BYTES`] bytes; clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct StderrTail(Arc<Mutex<Ring>>);

#[derive(Debug, Default)]
struct Ring {
    bytes: VecDeque<u8>,
    cut: bool,
}

impl StderrTail {
    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut ring = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = &bytes[bytes.len().saturating_sub(STDERR_TAIL_BYTES)..];
        ring.bytes.extend(kept);
        let excess = ring.bytes.len().saturating_sub(STDERR_TAIL_BYTES);
        ring.bytes.drain(..excess);
        ring.cut |= excess > 0 || kept.len() < bytes.len();
    }

    pub(crate) fn text(&self) -> String {
        let (bytes, cut) = {
            let ring = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            (ring.bytes.iter().copied().collect::<Vec<_>>(), ring.cut)
        };
        let is_continuation = |byte: &u8| byte & 0b1100_0000 == 0b1000_0000;
        let torn = match cut {
            // At most three bytes can be the rest of a character whose start was cut off.
            true => bytes
                .iter()
                .take(3)
                .take_while(|b| is_continuation(b))
                .count(),
            false => 0,
        };
        let text = String::from_utf8_lossy(&bytes[torn..]);
        // A replacement character is longer than the byte it replaces.
        let excess = text.len().saturating_sub(STDERR_TAIL_BYTES);
        text[text.ceil_char_boundary(excess)..].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail_of(chunks: &[&[u8]]) -> String {
        let tail = StderrTail::default();
        chunks.iter().for_each(|chunk| tail.push(chunk));
        tail.text()
    }

    #[test]
    fn stderr_tail_is_bounded_to_4096() {
        let mut long = vec![b'a'; 5000];
        long.extend(vec![b'b'; 4000]);
        let expected = "a".repeat(96) + &"b".repeat(4000);
        assert_eq!(tail_of(&[&long]), expected);
        let pieces: Vec<&[u8]> = long.chunks(7).collect();
        assert_eq!(tail_of(&pieces), expected);
        assert!(tail_of(&[&[0xff; 9000]]).len() <= STDERR_TAIL_BYTES);
    }

    #[test]
    fn a_character_torn_by_the_cut_is_left_out() {
        let text = "€".repeat(2000);
        let tail = tail_of(&[text.as_bytes()]);
        assert_eq!(tail, "€".repeat(1365));
    }

    #[test]
    fn what_was_not_cut_is_shown_as_it_came() {
        assert_eq!(tail_of(&[b"ok ", "é".as_bytes()]), "ok é");
        assert_eq!(tail_of(&[&[0x80, b'x']]), "\u{fffd}x");
    }
}
