//! Lines out of bytes, in any chunks.

use mcp_proto::framing::{Frame, LineFramer};
use proptest::prelude::*;

const MAX: usize = 24;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What is seen of a stream.
#[derive(Debug, PartialEq)]
enum Seen {
    Line(Vec<u8>),
    TooLong(usize),
}

/// The rules once more, on the whole stream at once.
fn reference(stream: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    for (at, line) in stream.split(|byte| *byte == b'\n').enumerate() {
        if line.len() > MAX {
            seen.push(Seen::TooLong(line.len()));
            continue;
        }
        let line = match at {
            0 => line.strip_prefix(BOM).unwrap_or(line),
            _ => line,
        };
        let line = line.trim_ascii();
        if !line.is_empty() {
            seen.push(Seen::Line(line.to_vec()));
        }
    }
    seen
}

fn framed(stream: &[u8], sizes: &[usize]) -> Vec<Seen> {
    let own = |frame: Frame<'_>| match frame {
        Frame::Line(line) => Seen::Line(line.to_vec()),
        Frame::TooLong { bytes } => Seen::TooLong(bytes),
    };
    let mut framer = LineFramer::new(MAX);
    let mut seen = Vec::new();
    let mut rest = stream;
    for size in sizes.iter().cycle() {
        let (chunk, after) = rest.split_at((*size).min(rest.len()));
        framer.space().extend_from_slice(chunk);
        while let Some(frame) = framer.next_frame() {
            seen.push(own(frame));
        }
        // One unfinished line of at most the limit, and what is handed out but not yet moved away.
        assert!(framer.space().len() <= 2 * (MAX + 64) + chunk.len());
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    seen.extend(framer.finish().map(own));
    seen
}

/// Pieces of a stream: messages, line ends of both kinds, blanks, byte order marks, junk, long lines.
fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![
        Just(b"{\"a\":1}".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b" \t\r".to_vec()),
        Just(BOM.to_vec()),
        prop::collection::vec(any::<u8>(), 0..8),
        (1usize..40).prop_map(|length| vec![b'x'; length]),
    ];
    prop::collection::vec(piece, 0..24)
}

proptest! {
    #![proptest_config(crate::budget())]

    #[test]
    fn any_chunking_of_any_stream_gives_the_same_lines(
        pieces in pieces(),
        sizes in prop::collection::vec(1usize..64, 1..8),
    ) {
        let stream = pieces.concat();
        prop_assert_eq!(framed(&stream, &sizes), reference(&stream));
    }
}
