//! Lines and columns of a text.

use std::fmt;

/// A place in a file; both numbers count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text begin.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let after_newlines = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0)
            .chain(after_newlines.map(|(at, _)| at + 1))
            .collect();
        Self { text, starts }
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        let line = line_of(&self.starts, offset);
        let start = self
            .starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        Position {
            line,
            column: before.chars().count() + 1,
        }
    }

    pub(crate) fn starts(&self) -> &[usize] {
        &self.starts
    }
}

/// The line of an offset in a text whose lines begin at `starts`.
pub(crate) fn line_of(starts: &[usize], offset: usize) -> usize {
    starts.partition_point(|&start| start <= offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let lines = Lines::new("ab\nüx\n\nend");
        let at = |offset| lines.position(offset).to_string();
        assert_eq!(
            [at(0), at(2), at(3), at(5), at(7), at(11)],
            ["1:1", "1:3", "2:1", "2:2", "3:1", "4:4"]
        );
        assert_eq!(line_of(lines.starts(), 5), 2);
    }
}
