//! A search: what is asked, what comes back, what can be wrong with it.

use std::error::Error;
use std::fmt;

use crate::index::Index;
use crate::page::{Page, Window};
use crate::printable::printable;
use crate::{pattern, rank};

/// How the text of a search is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// As words, ranked by relevance.
    #[default]
    Words,
    /// As one regular expression over names and descriptions, upper and lower case alike.
    Pattern,
}

/// What is asked of an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Search<'q> {
    /// The words or the pattern; may be empty when `server` is given, which lists that server.
    pub text: &'q str,
    /// Only tools of this server.
    pub server: Option<&'q str>,
    /// How `text` is read.
    pub mode: Mode,
    /// Which part of the result is wanted.
    pub window: Window,
}

impl<'q> Search<'q> {
    /// A search for words.
    pub fn words(text: &'q str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// A search for a regular expression.
    pub fn pattern(text: &'q str) -> Self {
        Self {
            text,
            mode: Mode::Pattern,
            ..Self::default()
        }
    }

    /// Only tools of `server`.
    #[must_use]
    pub fn on(mut self, server: &'q str) -> Self {
        self.server = Some(server);
        self
    }

    /// Another part of the result than the first twelve.
    #[must_use]
    pub fn window(mut self, window: Window) -> Self {
        self.window = window;
        self
    }
}

/// One tool found. The names are exactly those of the [`Document`](crate::Document), whatever
/// characters they hold; what is shown to people goes through [`printable`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'i> {
    /// Id of the server.
    pub server: &'i str,
    /// Name of the tool.
    pub name: &'i str,
    /// How well it fits; comparable only within one result.
    pub score: f32,
}

/// Why a search gave no answer. Finding nothing is an answer: an empty page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SearchError {
    /// Neither words nor a server.
    EmptyQuery,
    /// A pattern longer than allowed, in bytes.
    PatternTooLong {
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
    /// Something that is no regular expression, or one that would grow too big.
    InvalidPattern(regex::Error),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyQuery => {
                f.write_str("search without words: give some, or name a server to list its tools")
            }
            Self::PatternTooLong { length, limit } => {
                write!(
                    f,
                    "use a pattern of {length} bytes: at most {limit} are allowed"
                )
            }
            Self::InvalidPattern(error) => {
                // The regex crate draws the pattern with a caret below it; the last line says why.
                let drawn = error.to_string();
                let reason = drawn.lines().last().unwrap_or_default();
                let reason = reason.trim().trim_start_matches("error: ");
                write!(f, "read the regular expression: {}", printable(reason))
            }
        }
    }
}

impl Error for SearchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::InvalidPattern(error) => Some(error),
            _ => None,
        }
    }
}

impl Index {
    /// The tools that fit `search`, best first, those that fit alike by name.
    ///
    /// A tool whose whole name is the query, or whose name of several words (`get_pixels`) stands in
    /// it, comes first. A query of one or two words finds only tools that have both; in longer ones
    /// each word counts by how rare it is. Of the text, 1 kB and 32 distinct
    /// words are read.
    ///
    /// # Errors
    /// [`SearchError`]; never for finding nothing.
    pub fn search(&self, search: &Search<'_>) -> Result<Page<Hit<'_>>, SearchError> {
        let found = match (search.text.trim(), search.server) {
            ("", None) => return Err(SearchError::EmptyQuery),
            ("", Some(server)) => self.documents_of(server).map(|id| (id, 0.0)).collect(),
            (text, server) => match search.mode {
                Mode::Words => rank::rank(self, text, server),
                Mode::Pattern => pattern::find(self, text, server)?,
            },
        };
        Ok(self.page(found, search.window))
    }
}
