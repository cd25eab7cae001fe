//! The words of a query, capped before anything is ranked.

use crate::tokens::{Stems, clip, words};

/// Bytes of a query that are read.
pub(crate) const MAX_BYTES: usize = 1024;
/// Distinct terms of a query that are ranked.
pub(crate) const MAX_TERMS: usize = 32;

/// Words that say nothing about what a tool does. Verbs that tools are named after (`get`, `find`,
/// `list`) are not among them.
const STOP_WORDS: &str = " a about all also am an and any are as at be been but by can could d did do \
    does for from had has have how i id if im in into is it its ive just ll m me my need no not of on \
    or our please re s should so some such t than that the their them then there these they this to \
    too us ve very want was we were what when where which who why will with would you your ";

/// What to look for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Query {
    /// The distinct stems.
    pub(crate) terms: Vec<String>,
    /// Whether the query is so short that a document must have every term. What counts is how much
    /// was typed: a sentence with two telling words is still a sentence.
    pub(crate) wants_every_term: bool,
}

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        let words = words(clip(text, MAX_BYTES));
        let mut telling: Vec<&String> = words.iter().filter(|word| !is_stop_word(word)).collect();
        if telling.is_empty() {
            telling = words.iter().collect();
        }
        let stems = Stems::new();
        let mut terms: Vec<String> = Vec::new();
        for word in telling {
            let stem = stems.stem(word);
            if !terms.iter().any(|term| *term == stem) {
                terms.push(stem.into_owned());
            }
            if terms.len() == MAX_TERMS {
                break;
            }
        }
        Self {
            terms,
            wants_every_term: words.len() <= 2,
        }
    }
}

fn is_stop_word(word: &str) -> bool {
    // The list is short and searched a few times per query; the spaces make a match a whole word.
    STOP_WORDS.match_indices(word).any(|(at, _)| {
        STOP_WORDS[..at].ends_with(' ') && STOP_WORDS[at + word.len()..].starts_with(' ')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_telling_and_distinct() {
        for (text, terms) in [
            ("please find the files of my files", "find file"),
            ("what is it", "what is it"),
            ("ÜBER München", "über münchen"),
            ("!?", ""),
        ] {
            assert_eq!(Query::parse(text).terms.join(" "), terms, "{text}");
        }
    }

    #[test]
    fn huge_queries_are_capped() {
        let text: String = (0..100_000).map(|n| format!("w{n} ")).collect();
        assert_eq!(Query::parse(&text).terms.len(), MAX_TERMS);
        let late = format!("{}late", " ".repeat(MAX_BYTES));
        assert_eq!(Query::parse(&late).terms, Vec::<String>::new());
    }
}
