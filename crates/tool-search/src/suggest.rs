//! Did you mean: names that look like a misspelt one.

use crate::index::Index;
use crate::search::Hit;
use crate::tokens::{clip, fold};

/// Suggestions given at most.
const MAX_SUGGESTIONS: usize = 5;
/// Bytes of a name that are compared; edit distance grows with the square.
const MAX_NAME: usize = 96;
/// Likeness below which a name is no suggestion.
const MIN_LIKENESS: f32 = 0.55;
/// Likeness below which two words count as different: `get` is no misspelt `set`.
const MIN_WORD_LIKENESS: f32 = 0.6;
/// Likeness at least of a word and its beginning (`repo`, `repository`).
const MIN_BEGINNING: f32 = 0.8;

impl Index {
    /// Up to five tools whose names look like `name`, most alike first.
    ///
    /// How the words of a name are joined makes no difference. The id of a known server in front
    /// of the name is taken off, whatever joins it (`mcp__git__`, `git/`, `git.`), and then that
    /// server's tools come before equally good ones of others.
    pub fn suggest(&self, name: &str) -> Vec<Hit<'_>> {
        let folded = fold(clip(name, MAX_NAME));
        let (server, rest) = self.server_prefix(&folded);
        let wanted = Name::of(rest);
        if wanted.joined.letters.is_empty() {
            return Vec::new();
        }
        // What looks like a server's id may as well belong to the name (`browser_click`).
        let whole = server.map(|_| Name::of(&folded));
        let mut hits: Vec<(bool, Hit<'_>)> = self
            .entries()
            .filter_map(|(_, entry)| {
                let other = Name::of(clip(&entry.folded, MAX_NAME));
                let whole = whole.as_ref().map_or(0.0, |whole| whole.likeness(&other));
                let likeness = wanted.likeness(&other).max(whole);
                let elsewhere = server.is_some_and(|server| *entry.server != *server);
                (likeness >= MIN_LIKENESS).then(|| (elsewhere, entry.hit(likeness)))
            })
            .collect();
        hits.sort_unstable_by(|(a_far, a), (b_far, b)| {
            let by_score = b.score.total_cmp(&a.score).then(a_far.cmp(b_far));
            by_score.then_with(|| (a.name, a.server).cmp(&(b.name, b.server)))
        });
        hits.truncate(MAX_SUGGESTIONS);
        hits.into_iter().map(|(_, hit)| hit).collect()
    }

    /// The longest server id that `folded` begins with, and what follows it.
    fn server_prefix<'n>(&self, folded: &'n str) -> (Option<&str>, &'n str) {
        let bare = folded.strip_prefix("mcp ").unwrap_or(folded);
        let rests = self.servers().filter_map(|server| {
            let rest = bare.strip_prefix(&fold(server))?.strip_prefix(' ')?;
            Some((server, rest))
        });
        match rests.min_by_key(|(_, rest)| rest.len()) {
            Some((server, rest)) => (Some(server), rest),
            None => (None, folded),
        }
    }
}

/// A name taken apart for comparing.
struct Name {
    words: Vec<Letters>,
    joined: Letters,
}

/// The letters of a word, and a set of them that rules out most words unlike it.
#[derive(Default)]
struct Letters {
    letters: Vec<char>,
    set: u64,
}

impl Letters {
    fn push(&mut self, letter: char) {
        self.letters.push(letter);
        self.set |= 1 << (letter as u32 % 64);
    }

    /// One less the share of letters to change; 0 when that is below `least`.
    fn likeness(&self, other: &Self, least: f32) -> f32 {
        let longer = self.letters.len().max(other.letters.len());
        if longer == 0 {
            return 0.0;
        }
        let share = |changes: usize| 1.0 - changes as f32 / longer as f32;
        // Each letter missing on one side must be changed, as must the difference in length.
        let missing = (self.set & !other.set).count_ones();
        let surplus = (other.set & !self.set).count_ones();
        let lengths = self.letters.len().abs_diff(other.letters.len());
        if share(lengths.max(missing.max(surplus) as usize)) < least {
            return 0.0;
        }
        let alike = share(distance(&self.letters, &other.letters));
        if alike < least { 0.0 } else { alike }
    }

    fn word_likeness(&self, other: &Self) -> f32 {
        let (short, long) = if self.letters.len() <= other.letters.len() {
            (&self.letters, &other.letters)
        } else {
            (&other.letters, &self.letters)
        };
        if short.len() >= 3 && long.starts_with(short) {
            return MIN_BEGINNING.max(short.len() as f32 / long.len() as f32);
        }
        self.likeness(other, MIN_WORD_LIKENESS)
    }
}

impl Name {
    fn of(folded: &str) -> Self {
        let mut name = Self {
            words: vec![Letters::default()],
            joined: Letters::default(),
        };
        for letter in folded.chars() {
            match name.words.last_mut() {
                Some(word) if letter != ' ' => {
                    word.push(letter);
                    name.joined.push(letter);
                }
                _ => name.words.push(Letters::default()),
            }
        }
        name
    }

    /// From 0 to 1: the better of comparing letters (typos) and words (order, endings, left out).
    fn likeness(&self, other: &Self) -> f32 {
        let letters = self.joined.likeness(&other.joined, MIN_LIKENESS);
        let best = |word: &Letters, among: &[Letters]| {
            let scores = among.iter().map(|other| word.word_likeness(other));
            scores.fold(0.0, f32::max)
        };
        let there: f32 = self.words.iter().map(|word| best(word, &other.words)).sum();
        let back: f32 = other.words.iter().map(|word| best(word, &self.words)).sum();
        let all = self.words.len() + other.words.len();
        // Words alone never make two names the same: their order may differ.
        letters.max(0.95 * (there + back) / all as f32)
    }
}

/// Letters to insert, delete, replace or swap with their neighbour to get from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row: Vec<usize> = Vec::with_capacity(last.len());
    for (i, from) in a.iter().enumerate() {
        row.clear();
        row.push(i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(from != to);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests;
