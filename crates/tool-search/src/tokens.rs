//! Text cut into words: identifiers split, letters lower-cased, English endings taken off.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Bytes kept of one word; a longer run of letters is no word that anybody searches for.
const MAX_WORD: usize = 64;

/// Calls `each` with every word of `text`, lower-cased, in order.
///
/// Words are runs of letters and digits of any script. Case changes end a word (`getPixels`,
/// `HTTPServer`, but `PDFs` is one). Scripts written without spaces give overlapping pairs of
/// characters.
pub(crate) fn each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    let mut before = Class::Other;
    let mut pair_start = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        // A decomposed accent belongs to its letter: leaving it out keeps the word in one piece.
        if ('\u{300}'..='\u{36f}').contains(&c) {
            continue;
        }
        let class = Class::of(c);
        if class != Class::Unspaced && word_ends(before, class, &rest) && !word.is_empty() {
            each(&word);
            word.clear();
        }
        match class {
            Class::Unspaced => {
                if before != Class::Unspaced {
                    if !word.is_empty() {
                        each(&word);
                        word.clear();
                    }
                    pair_start = None;
                }
                if let Some(first) = pair_start {
                    word.clear();
                    word.extend([first, c]);
                    each(&word);
                    word.clear();
                } else if rest.clone().next().map(Class::of) != Some(Class::Unspaced) {
                    each(c.encode_utf8(&mut [0; 4]));
                }
                pair_start = Some(c);
            }
            Class::Other => {}
            _ if word.len() >= MAX_WORD => {}
            _ if c.is_ascii() => word.push(c.to_ascii_lowercase()),
            _ => word.extend(c.to_lowercase()),
        }
        before = class;
    }
    if !word.is_empty() {
        each(&word);
    }
}

/// Whether the word before a character of class `class` is over; `rest` follows that character.
fn word_ends(before: Class, class: Class, rest: &std::str::Chars<'_>) -> bool {
    match (before, class) {
        (_, Class::Other) | (Class::Unspaced, _) => true,
        (Class::Upper, Class::Upper) => {
            let mut rest = rest.clone();
            let next = rest.next();
            let plural = next == Some('s') && rest.next().map(Class::of) != Some(Class::Lower);
            next.map(Class::of) == Some(Class::Lower) && !plural
        }
        (_, Class::Upper) => true,
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Digit,
    /// A letter of a script that puts no spaces between words.
    Unspaced,
    Other,
}

impl Class {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            c if c.is_ascii() => Self::Other,
            '\u{3040}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}' => Self::Unspaced,
            c if c.is_uppercase() => Self::Upper,
            // Letters without case count as lower: no boundary inside them.
            c if c.is_alphabetic() => Self::Lower,
            c if c.is_numeric() => Self::Digit,
            _ => Self::Other,
        }
    }
}

/// All words of `text`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// `name` with its way of joining words taken out: `get-pixels`, `get_pixels` and `getPixels` fold
/// to the same.
pub(crate) fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len() + 4);
    each_word(name, |word| {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    });
    folded
}

/// Reduces English words to their stems.
pub(crate) struct Stems(Stemmer);

impl Stems {
    pub(crate) fn new() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }

    /// The stem of a lower-case word; words of other alphabets and those with digits stay.
    pub(crate) fn stem<'w>(&self, word: &'w str) -> Cow<'w, str> {
        if word.bytes().all(|b| b.is_ascii_lowercase()) {
            self.0.stem(word)
        } else {
            Cow::Borrowed(word)
        }
    }
}

/// The longest beginning of `text` of at most `bytes` bytes that ends between two characters.
pub(crate) fn clip(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_split_and_letters_kept() {
        for (text, expected) in [
            ("getPixels", "get pixels"),
            ("HTTPServer2Go", "http server2 go"),
            ("exportPDFs", "export pdfs"),
            ("listURLs now", "list urls now"),
            ("a_b.c/d:e-f", "a b c d e f"),
            ("h264Encode", "h264 encode"),
            ("größe ÄNDERN", "größe ändern"),
            ("cafe\u{301} bar", "cafe bar"),
            ("搜索工具", "搜索 索工 工具"),
            ("用API查", "用 api 查"),
            ("  --  ", ""),
        ] {
            assert_eq!(words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn endless_words_are_cut() {
        assert_eq!(words(&"x".repeat(100_000))[0].len(), MAX_WORD);
    }

    #[test]
    fn clip_never_cuts_a_character() {
        assert_eq!(clip("aé", 2), "a");
        assert_eq!(clip("aé", 9), "aé");
    }
}
