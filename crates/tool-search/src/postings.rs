//! The inverted half of the index: which documents have a term, and how often in which field.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use crate::index::DocumentId;
use crate::tokens::{Stems, clip, each_word};

/// Number of [`Field`]s.
pub(crate) const FIELDS: usize = 5;
/// Bytes of one field that are indexed; one server's endless text must not cost the others.
const MAX_FIELD: usize = 16 << 10;

/// The parts of a document; the number is its place in arrays.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Field {
    Name,
    Server,
    Keywords,
    Description,
    Params,
}

pub(crate) type TermId = u32;

/// One document that has a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    pub(crate) document: DocumentId,
    /// What the term is worth in the document, but for how rare it is; computed ahead by
    /// [`Postings::weigh`], so that a query does little for each of thousands of postings.
    pub(crate) worth: f32,
    counts: [u8; FIELDS],
}

impl Posting {
    /// Whether the term stands in the document's name.
    pub(crate) fn in_name(&self) -> bool {
        self.counts[Field::Name as usize] > 0
    }
}

/// All terms with their postings.
#[derive(Debug, Default, Clone)]
pub(crate) struct Postings {
    /// Sorted, so that the terms with a common beginning stand together.
    dictionary: BTreeMap<Box<str>, TermId>,
    lists: Vec<Vec<Posting>>,
    free: Vec<TermId>,
}

impl Postings {
    /// The documents that have exactly this term.
    pub(crate) fn of(&self, term: &str) -> Option<&[Posting]> {
        self.dictionary.get(term).map(|id| self.list(*id))
    }

    /// Terms longer than `prefix` that begin with it, in alphabetical order.
    pub(crate) fn beginning_with<'p>(
        &'p self,
        prefix: &'p str,
    ) -> impl Iterator<Item = (&'p str, &'p [Posting])> {
        self.dictionary
            .range::<str, _>((Bound::Excluded(prefix), Bound::Unbounded))
            .map(|(term, id)| (&**term, self.list(*id)))
            .take_while(move |(term, _)| term.starts_with(prefix))
    }

    fn list(&self, id: TermId) -> &[Posting] {
        self.lists.get(id as usize).map_or(&[], Vec::as_slice)
    }

    /// Drops the postings of `terms` whose document is not `kept`, and terms left without any.
    pub(crate) fn remove(&mut self, terms: &[TermId], kept: impl Fn(DocumentId) -> bool) {
        let mut emptied = false;
        for id in terms {
            if let Some(list) = self.lists.get_mut(*id as usize) {
                list.retain(|posting| kept(posting.document));
                if list.is_empty() {
                    *list = Vec::new();
                    emptied = true;
                }
            }
        }
        if emptied {
            let Self {
                dictionary,
                lists,
                free,
            } = self;
            dictionary.retain(|_, id| {
                let used = !lists[*id as usize].is_empty();
                if !used {
                    free.push(*id);
                }
                used
            });
        }
    }

    /// Computes every posting's worth with `worth`.
    pub(crate) fn weigh(&mut self, worth: impl Fn(DocumentId, [u8; FIELDS]) -> f32) {
        for posting in self.lists.iter_mut().flatten() {
            posting.worth = worth(posting.document, posting.counts);
        }
    }

    fn intern(&mut self, term: &str) -> TermId {
        if let Some(id) = self.dictionary.get(term) {
            return *id;
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.lists.push(Vec::new());
            TermId::try_from(self.lists.len() - 1).unwrap_or(TermId::MAX)
        });
        self.dictionary.insert(term.into(), id);
        id
    }
}

/// Adds documents, one after the other.
pub(crate) struct Writer<'p> {
    postings: &'p mut Postings,
    stems: Stems,
    /// Words met before; stemming is most of the work of a build.
    known: HashMap<Box<str>, TermId>,
}

/// What a document left in the postings.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Words per field.
    pub(crate) lengths: [u16; FIELDS],
    /// The distinct terms, those of the first field written first.
    pub(crate) terms: Vec<TermId>,
}

impl<'p> Writer<'p> {
    pub(crate) fn new(postings: &'p mut Postings) -> Self {
        Self {
            postings,
            stems: Stems::new(),
            known: HashMap::new(),
        }
    }

    /// Adds the words of `text` to `field` of `document`. All fields of one document must be
    /// written before the next document's.
    pub(crate) fn add(
        &mut self,
        document: DocumentId,
        field: Field,
        text: &str,
        written: &mut Written,
    ) {
        each_word(clip(text, MAX_FIELD), |word| {
            let id = match self.known.get(word) {
                Some(id) => *id,
                None => {
                    let id = self.postings.intern(&self.stems.stem(word));
                    self.known.insert(word.into(), id);
                    id
                }
            };
            let Some(list) = self.postings.lists.get_mut(id as usize) else {
                return;
            };
            let field = field as usize;
            // Only the document being written can be the last one of a list it stands in.
            match list.last_mut() {
                Some(last) if last.document == document => {
                    last.counts[field] = last.counts[field].saturating_add(1);
                }
                _ => {
                    let mut counts = [0; FIELDS];
                    counts[field] = 1;
                    list.push(Posting {
                        document,
                        worth: 0.0,
                        counts,
                    });
                    written.terms.push(id);
                }
            }
            written.lengths[field] = written.lengths[field].saturating_add(1);
        });
    }
}
