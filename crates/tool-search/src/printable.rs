//! Text of others made safe to show: nothing in it moves a cursor, hides or reorders.

use std::borrow::Cow;

/// `text` without control characters and without the invisible format characters that reorder or
/// hide text (bidirectional overrides, tag characters, byte order marks).
///
/// Tabs and line breaks become spaces, so that the result is one line. Joiners stay: scripts and
/// emoji need them.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let shown = text.chars().filter_map(|c| match c {
        '\t' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        c if is_hidden(c) => None,
        c => Some(c),
    });
    Cow::Owned(shown.collect())
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_dropped_and_breaks_become_spaces() {
        for (text, shown) in [
            ("plain", "plain"),
            ("two\r\nlines\tand", "two  lines and"),
            ("\u{1b}[31mred\u{7}", "[31mred"),
            ("a\u{202e}b\u{2066}c\u{e0041}d\u{9b}e", "abcde"),
            ("नमस्ते 👩\u{200d}💻", "नमस्ते 👩\u{200d}💻"),
        ] {
            assert_eq!(printable(text), shown);
        }
    }
}
