//! Line framing: bytes in any chunks to lines, bounded and cancel-safe.
//!
//! The framer owns what has arrived, so a read that is cancelled loses nothing; nothing is scanned or
//! copied twice, whatever the chunks.

/// A line that a peer may send, or the whole of what we keep of one, in bytes.
pub const MAX_LINE: usize = 64 * 1024 * 1024;

/// Cuts a stream of bytes into lines.
#[derive(Debug)]
pub struct LineFramer {
    buffer: Vec<u8>,
    /// Where the first line that is not handed out yet begins.
    start: usize,
    /// How far the buffer has been searched for a line end.
    scanned: usize,
    max_line: usize,
    /// Bytes of an oversized line that were thrown away; its end is still to come.
    skipped: Option<usize>,
    at_beginning: bool,
}

/// What the framer found.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A line without its end, never blank.
    Line(&'a [u8]),
    /// A line longer than allowed, thrown away; the next line is whole again.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
}

impl LineFramer {
    /// A framer that throws away lines longer than `max_line` bytes.
    pub fn new(max_line: usize) -> Self {
        LineFramer {
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            max_line,
            skipped: None,
            at_beginning: true,
        }
    }

    /// Where the next bytes are to be appended. Nothing but appending is allowed.
    pub fn space(&mut self) -> &mut Vec<u8> {
        // Only what is not handed out is moved, and only once it is the smaller part.
        if self.start > 0 && self.start >= self.buffer.len() - self.start {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        // A burst must not keep its memory for ever.
        if self.buffer.is_empty() && self.buffer.capacity() > 1024 * 1024 {
            self.buffer = Vec::new();
        }
        &mut self.buffer
    }

    /// The next whole line, if one has arrived.
    pub fn next_frame(&mut self) -> Option<Frame<'_>> {
        loop {
            let Some(offset) = memchr::memchr(b'\n', &self.buffer[self.scanned..]) else {
                self.scanned = self.buffer.len();
                self.shed();
                return None;
            };
            let (begin, end) = (self.start, self.scanned + offset);
            self.start = end + 1;
            self.scanned = self.start;
            let bytes = self.skipped.take().unwrap_or(0) + (end - begin);
            if bytes > self.max_line {
                self.at_beginning = false;
                return Some(Frame::TooLong { bytes });
            }
            let range = self.trimmed(begin, end);
            if !range.is_empty() {
                return Some(Frame::Line(&self.buffer[range]));
            }
        }
    }

    /// What is left when the stream has ended: a last line without its end counts as a line.
    pub fn finish(&mut self) -> Option<Frame<'_>> {
        let (begin, end) = (self.start, self.buffer.len());
        self.start = end;
        self.scanned = end;
        let bytes = self.skipped.take().unwrap_or(0) + (end - begin);
        if bytes > self.max_line {
            return Some(Frame::TooLong { bytes });
        }
        let range = self.trimmed(begin, end);
        (!range.is_empty()).then(|| Frame::Line(&self.buffer[range]))
    }

    /// Drops the bytes of an unfinished line that is too long already.
    fn shed(&mut self) {
        let pending = self.buffer.len() - self.start;
        if pending > self.max_line || self.skipped.is_some() {
            self.skipped = Some(self.skipped.unwrap_or(0) + pending);
            self.buffer.truncate(self.start);
            self.scanned = self.start;
        }
    }

    /// The line without a byte order mark at the stream's beginning and without surrounding blanks.
    fn trimmed(&mut self, mut begin: usize, mut end: usize) -> std::ops::Range<usize> {
        if std::mem::take(&mut self.at_beginning)
            && self.buffer[begin..end].starts_with(b"\xef\xbb\xbf")
        {
            begin += 3;
        }
        while begin < end && self.buffer[begin].is_ascii_whitespace() {
            begin += 1;
        }
        while begin < end && self.buffer[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        begin..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(max_line: usize, chunks: &[&[u8]]) -> Vec<String> {
        let mut framer = LineFramer::new(max_line);
        let mut seen = Vec::new();
        let show = |frame: Frame<'_>| match frame {
            Frame::Line(line) => String::from_utf8_lossy(line).into_owned(),
            Frame::TooLong { bytes } => format!("<{bytes} bytes>"),
        };
        for chunk in chunks {
            framer.space().extend_from_slice(chunk);
            while let Some(frame) = framer.next_frame() {
                seen.push(show(frame));
            }
        }
        seen.extend(framer.finish().map(show));
        seen
    }

    #[test]
    fn any_chunking_gives_the_same_lines() {
        let stream = b"\xef\xbb\xbf{\"a\":1}\r\n\n  \n{\"b\":2}\n{\"last\":3}";
        let expected = ["{\"a\":1}", "{\"b\":2}", "{\"last\":3}"];
        for size in 1..=stream.len() {
            let chunks: Vec<_> = stream.chunks(size).collect();
            assert_eq!(frames(100, &chunks), expected, "chunks of {size}");
        }
    }

    #[test]
    fn an_oversized_line_costs_itself_alone() {
        let stream = b"first\n0123456789ABCDEF\nlast\n";
        for size in 1..=stream.len() {
            let chunks: Vec<_> = stream.chunks(size).collect();
            assert_eq!(
                frames(10, &chunks),
                ["first", "<16 bytes>", "last"],
                "chunks of {size}"
            );
        }
        assert_eq!(frames(10, &[b"0123456789ABCDEF"]), ["<16 bytes>"]);
    }

    #[test]
    fn an_endless_line_keeps_no_memory() {
        let mut framer = LineFramer::new(1000);
        for _ in 0..1000 {
            framer.space().extend_from_slice(&[b'x'; 999]);
            assert_eq!(framer.next_frame(), None);
            assert!(framer.space().len() <= 2000);
        }
    }
}
