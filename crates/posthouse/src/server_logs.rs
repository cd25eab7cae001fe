//! What each server writes to its standard error, line by line, in a log of its own.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use workspace::StderrSink;

use crate::logs::writer;
use crate::redaction::redacted;

/// The folder of these logs, within that of all logs.
pub(crate) const FOLDER: &str = "servers";
/// The longest line, in bytes; a longer one is cut in pieces.
const MAX_LINE: usize = 16 * 1024;
/// A line that has not gone on for so long is over, such as the last one of a server that has ended.
const STALE: Duration = Duration::from_secs(1);

/// The log of the server of this name, within the folder of logs.
pub(crate) fn file(server: &str) -> String {
    let harmless = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' => c,
        _ => '_',
    };
    let name: String = server.chars().map(harmless).collect();
    format!("{FOLDER}/{name}.log")
}

/// Takes what the server of this name writes. Never blocks.
pub(crate) fn sink(server: &str) -> StderrSink {
    let file = file(server);
    let lines = Lines::new(move |line| {
        let time = Timestamp::now();
        writer::append(&file, format!("{time:.3} {}\n", redacted(line)));
    });
    Arc::new(move |chunk: &[u8]| lines.take(chunk, Instant::now()))
}

/// Makes lines of what comes in chunks.
struct Lines<F: Fn(&str)> {
    partial: Mutex<(Vec<u8>, Instant)>,
    line: F,
}

impl<F: Fn(&str)> Lines<F> {
    fn new(line: F) -> Self {
        Lines {
            partial: Mutex::new((Vec::new(), Instant::now())),
            line,
        }
    }

    fn take(&self, chunk: &[u8], now: Instant) {
        let mut partial = self.partial.lock().unwrap_or_else(PoisonError::into_inner);
        let (bytes, since) = &mut *partial;
        if now.saturating_duration_since(*since) > STALE {
            self.end(bytes);
        }
        *since = now;
        for piece in chunk.split_inclusive(|byte| *byte == b'\n') {
            for piece in piece.chunks(MAX_LINE) {
                bytes.extend_from_slice(piece);
                if bytes.ends_with(b"\n") || bytes.len() >= MAX_LINE {
                    self.end(bytes);
                }
            }
        }
    }

    fn end(&self, bytes: &mut Vec<u8>) {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        if !text.is_empty() {
            (self.line)(text);
        }
        bytes.clear();
    }
}

impl<F: Fn(&str)> Drop for Lines<F> {
    fn drop(&mut self) {
        let partial = self.partial.get_mut();
        let mut bytes = std::mem::take(&mut partial.unwrap_or_else(PoisonError::into_inner).0);
        self.end(&mut bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_become_lines() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let lines = Lines::new({
            let seen = seen.clone();
            move |line: &str| seen.lock().unwrap().push(line.to_owned())
        });
        let begin = Instant::now();
        lines.take(b"one\r\n\ntw", begin);
        lines.take(b"o\nthree", begin);
        lines.take(b"four \xff", begin + 2 * STALE);
        let long = vec![b'x'; MAX_LINE + 1];
        lines.take(b"\n", begin + 2 * STALE);
        lines.take(&long, begin + 2 * STALE);
        drop(lines);
        let seen = seen.lock().unwrap();
        assert_eq!(seen[..4], ["one", "two", "three", "four \u{fffd}"]);
        let lengths: Vec<_> = seen[4..].iter().map(String::len).collect();
        assert_eq!(lengths, [MAX_LINE, 1]);
    }

    #[test]
    fn a_name_cannot_leave_the_folder() {
        assert_eq!(file("logs-build1"), "servers/logs-build1.log");
        assert_eq!(file("../x"), "servers/___x.log");
    }
}
