//! Ranking: BM25 over weighted fields, with terms for how much of the query and of the name fits.
//!
//! The numbers are tuned on one half of the labelled queries that `tests/quality.rs` reads and
//! sit on a plateau: moving one of them a little moves recall by less than its standard error.

use crate::index::{DocumentId, Index};
use crate::postings::{FIELDS, Posting};
use crate::query::{MAX_BYTES, Query};
use crate::tokens::{clip, fold};

/// What a word counts by the field it stands in, in the order of
/// [`Field`](crate::postings::Field).
const WEIGHTS: [f32; FIELDS] = [4.0, 2.0, 2.0, 1.0, 0.5];
/// How much a field longer than the average dilutes its words: 0 not at all, 1 in proportion.
const DILUTION: f32 = 0.2;
/// How soon more of the same word stops helping.
const SATURATION: f32 = 2.0;
/// What a word counts that only shares its beginning with the query's.
const PREFIX: f32 = 0.6;
/// Letters that must be shared for that.
const MIN_PREFIX: usize = 4;
/// Words looked at for one beginning.
const MAX_EXPANSIONS: usize = 32;
/// Gain at full coverage of the query.
const COVERAGE: f32 = 0.2;
/// Gain for a name that the query covers, per natural logarithm of the number of documents.
const NAME: f32 = 0.3;
/// Lifts exact names above anything that words can reach.
const EXACT: f32 = 1000.0;
/// Documents that a search makes room for at first.
const FIRST_CANDIDATES: usize = 1024;
/// Letters that a phrase inside a name must have.
const MIN_PHRASE: usize = 3;

/// What one occurrence of a word weighs in each field of a document.
pub(crate) fn field_weights(lengths: [u16; FIELDS], averages: [f32; FIELDS]) -> [f32; FIELDS] {
    std::array::from_fn(|field| {
        let relative = f32::from(lengths[field]) / averages[field].max(1.0);
        WEIGHTS[field] / (1.0 - DILUTION + DILUTION * relative)
    })
}

/// What a term is worth that a document has `counts` times in its fields.
pub(crate) fn worth(counts: [u8; FIELDS], weights: &[f32; FIELDS]) -> f32 {
    let weighted = counts.iter().zip(weights);
    let count: f32 = weighted
        .map(|(count, weight)| f32::from(*count) * weight)
        .sum();
    count * (SATURATION + 1.0) / (SATURATION + count)
}

/// The documents that fit `text`, with their scores, in no order.
pub(crate) fn rank(index: &Index, text: &str, server: Option<&str>) -> Vec<(DocumentId, f32)> {
    let text = clip(text, MAX_BYTES);
    let query = Query::parse(text);
    let mut candidates = Candidates::new(index);
    for term in &query.terms {
        candidates.look_for(term);
    }
    let all = query.terms.len();
    let name_gain = NAME * (index.len().max(1) as f32).ln();
    let exact = exact(index, text);
    let keep_server = |found: &mut Vec<(DocumentId, f32)>| {
        if let Some(server) = server {
            found.retain(|(id, _)| {
                index
                    .entry(*id)
                    .is_some_and(|entry| *entry.server == *server)
            });
        }
    };
    let mut found = Vec::with_capacity(candidates.list.len() + exact.len());
    found.extend(exact.iter().map(|id| (*id, EXACT)));
    for candidate in &candidates.list {
        let complete = candidate.terms as usize == all;
        if query.wants_every_term && !complete || exact.contains(&candidate.document) {
            continue;
        }
        let coverage = candidate.terms as f32 / all as f32;
        let name = candidate.name_coverage(index);
        let score = candidate.score * (1.0 + COVERAGE * coverage) + name_gain * name * name;
        found.push((candidate.document, score));
    }
    keep_server(&mut found);
    if found.is_empty() && query.wants_every_term {
        found = phrase(index, text);
        keep_server(&mut found);
    }
    found
}

/// Documents whose name is the whole text, or a word of it that is itself of several words.
fn exact(index: &Index, text: &str) -> Vec<DocumentId> {
    let whole = fold(text);
    if whole.is_empty() {
        return Vec::new();
    }
    let mut exact = index.folded(&whole).to_vec();
    for word in text.split_whitespace() {
        let folded = fold(word);
        // A name like `search` is also a plain word of many a sentence.
        if folded.contains(' ') {
            exact.extend(index.folded(&folded));
        }
    }
    exact.sort_unstable();
    exact.dedup();
    exact
}

/// Documents that have the text inside their name, however its words are joined: the last resort of
/// a short query that no document has every word of.
fn phrase(index: &Index, text: &str) -> Vec<(DocumentId, f32)> {
    let phrase = fold(text).replace(' ', "");
    if phrase.chars().count() < MIN_PHRASE {
        return Vec::new();
    }
    let entries = index.entries();
    let with_phrase = entries.filter(|(_, entry)| contains_joined(&entry.folded, &phrase));
    with_phrase.map(|(id, _)| (id, 1.0)).collect()
}

/// Whether `folded` has `phrase` in it when its spaces are left out.
fn contains_joined(folded: &str, phrase: &str) -> bool {
    let folded = folded.as_bytes();
    (0..folded.len()).any(|start| {
        let mut letters = folded[start..].iter().filter(|letter| **letter != b' ');
        phrase.bytes().all(|letter| letters.next() == Some(&letter))
    })
}

/// The documents met so far.
struct Candidates<'i> {
    index: &'i Index,
    /// Per document id, one more than its place in `list`; 0 for those not met.
    places: Vec<u32>,
    list: Vec<Candidate>,
    term: u16,
}

/// One document that has a word of the query.
struct Candidate {
    document: DocumentId,
    /// Sum over the terms.
    score: f32,
    /// Terms of the name that the query has, those only begun alike in part.
    name: f32,
    /// Terms of the query that the document has.
    terms: u16,
    /// The term counted last, and the best that it gave: several words can stand for one term,
    /// of which only the best counts.
    term: u16,
    best: f32,
    best_name: f32,
}

impl<'i> Candidates<'i> {
    fn new(index: &'i Index) -> Self {
        Self {
            index,
            places: vec![0; index.slots()],
            list: Vec::with_capacity(FIRST_CANDIDATES),
            term: 0,
        }
    }

    fn look_for(&mut self, term: &str) {
        self.term += 1;
        let postings = self.index.postings();
        // A word that only begins like the query's is never more telling than that itself.
        let mut most = f32::MAX;
        if let Some(list) = postings.of(term) {
            most = self.rarity(list);
            self.count(list, 1.0, most);
        }
        if term.chars().count() < MIN_PREFIX {
            return;
        }
        let share = |short: &str, long: &str| PREFIX * short.len() as f32 / long.len() as f32;
        for (longer, list) in postings.beginning_with(term).take(MAX_EXPANSIONS) {
            self.count(list, share(term, longer), most);
        }
        for (end, _) in term.char_indices().skip(MIN_PREFIX) {
            let shorter = &term[..end];
            if let Some(list) = postings.of(shorter) {
                self.count(list, share(shorter, term), most);
            }
        }
    }

    /// How telling a term is that `list` has the documents of.
    fn rarity(&self, list: &[Posting]) -> f32 {
        let (all, with) = (self.index.len() as f32, list.len() as f32);
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    fn count(&mut self, list: &[Posting], share: f32, most: f32) {
        let gain = share * self.rarity(list).min(most);
        let term = self.term;
        for posting in list {
            let name = if posting.in_name() { share } else { 0.0 };
            self.candidate(posting.document)
                .count(term, gain * posting.worth, name);
        }
    }

    fn candidate(&mut self, document: DocumentId) -> &mut Candidate {
        let place = &mut self.places[document as usize];
        if *place == 0 {
            self.list.push(Candidate {
                document,
                score: 0.0,
                name: 0.0,
                terms: 0,
                term: 0,
                best: 0.0,
                best_name: 0.0,
            });
            *place = self.list.len() as u32;
        }
        &mut self.list[*place as usize - 1]
    }
}

impl Candidate {
    fn count(&mut self, term: u16, score: f32, name: f32) {
        if self.term != term {
            self.term = term;
            self.terms += 1;
            (self.best, self.best_name) = (0.0, 0.0);
        }
        if score > self.best {
            self.score += score - self.best;
            self.best = score;
        }
        if name > self.best_name {
            self.name += name - self.best_name;
            self.best_name = name;
        }
    }

    /// The share of the name's words that the query has.
    fn name_coverage(&self, index: &Index) -> f32 {
        let words = index.name_terms(self.document);
        if words == 0 {
            return 0.0;
        }
        (self.name / f32::from(words)).min(1.0)
    }
}

#[cfg(test)]
mod tests;
