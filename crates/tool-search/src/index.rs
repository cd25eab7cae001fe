//! The index: documents by server, and what ranking needs to know of each.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::document::Document;
use crate::page::{Page, Window};
use crate::postings::{FIELDS, Field, Postings, Writer, Written};
use crate::rank;
use crate::search::Hit;
use crate::tokens::fold;

pub(crate) type DocumentId = u32;

/// Bytes of a description that are kept for searching by pattern.
const MAX_DESCRIPTION: usize = 16 << 10;

/// Tools of many servers, findable by words.
///
/// Changing one server costs what that server's documents cost, plus one pass over numbers computed
/// ahead (a few milliseconds for ten thousand documents); the answers are those of an index built
/// anew.
#[derive(Debug, Default, Clone)]
pub struct Index {
    entries: Vec<Option<Entry>>,
    free: Vec<DocumentId>,
    servers: BTreeMap<Box<str>, Vec<DocumentId>>,
    /// By folded name, alone and behind the folded server id.
    names: HashMap<String, Vec<DocumentId>>,
    postings: Postings,
    /// Per document, the number of distinct terms in its name; apart from the entries, which are
    /// too big to be walked through in ranking.
    name_terms: Vec<u16>,
}

/// What is kept of one document.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: Box<str>,
    pub(crate) server: Box<str>,
    /// The words of the name, lower-cased, with a space between.
    pub(crate) folded: Box<str>,
    pub(crate) description: Box<str>,
    name_terms: u16,
    lengths: [u16; FIELDS],
    terms: Box<[u32]>,
}

impl Index {
    /// An index of `documents`. Of several with one name on one server, the first is kept.
    pub fn build(documents: impl IntoIterator<Item = Document>) -> Self {
        let mut index = Self::default();
        index.add(documents);
        index
    }

    /// Puts `documents` in the place of all that `server` had; their own `server` is ignored.
    pub fn replace_server(&mut self, server: &str, documents: impl IntoIterator<Item = Document>) {
        self.take_out(server);
        self.add(documents.into_iter().map(|document| Document {
            server: server.to_owned(),
            ..document
        }));
    }

    /// Takes out all documents of `server`.
    pub fn remove_server(&mut self, server: &str) {
        self.take_out(server);
        self.weigh();
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.entries.len() - self.free.len()
    }

    /// Whether nothing can be found.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Ids of the servers that have documents, sorted.
    pub fn servers(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(|server| &**server)
    }

    /// The tools called `name`, sorted by server; several when servers share a name.
    ///
    /// When none is spelt so, those whose name differs only in case and in how its words are joined
    /// (`get-pixels`, `get_pixels`, `getPixels`).
    pub fn named(&self, name: &str, server: Option<&str>) -> Vec<Hit<'_>> {
        let folded = fold(name);
        let alike = self.names.get(&folded).map_or(&[][..], Vec::as_slice);
        let alike = alike.iter().filter_map(|id| self.entry(*id));
        let mut hits: Vec<Hit<'_>> = alike
            // The table also knows names behind their server's id.
            .filter(|entry| *entry.folded == *folded)
            .filter(|entry| server.is_none_or(|server| *entry.server == *server))
            .map(|entry| entry.hit(1.0))
            .collect();
        if hits.iter().any(|hit| hit.name == name) {
            hits.retain(|hit| hit.name == name);
        }
        hits.sort_by_key(|hit| (hit.server, hit.name));
        hits
    }

    pub(crate) fn entry(&self, id: DocumentId) -> Option<&Entry> {
        self.entries.get(id as usize)?.as_ref()
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (DocumentId, &Entry)> {
        let entries = (0..).zip(&self.entries);
        entries.filter_map(|(id, entry)| Some((id, entry.as_ref()?)))
    }

    /// Number of slots; every document id is smaller.
    pub(crate) fn slots(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn postings(&self) -> &Postings {
        &self.postings
    }

    /// Number of distinct terms in the name of a document.
    pub(crate) fn name_terms(&self, id: DocumentId) -> u16 {
        self.name_terms[id as usize]
    }

    pub(crate) fn documents_of(&self, server: &str) -> impl Iterator<Item = DocumentId> {
        self.servers.get(server).into_iter().flatten().copied()
    }

    /// Documents whose folded name, alone or behind the server's id, is `folded`.
    pub(crate) fn folded(&self, folded: &str) -> &[DocumentId] {
        self.names.get(folded).map_or(&[], Vec::as_slice)
    }

    /// `window` of `found`, sorted by score, then name, then server.
    pub(crate) fn page(&self, mut found: Vec<(DocumentId, f32)>, window: Window) -> Page<Hit<'_>> {
        let total = found.len();
        if window.end() < total {
            // By score alone first: names are far apart in memory, and few are needed.
            let mut scores: Vec<f32> = found.iter().map(|(_, score)| *score).collect();
            let (_, least, _) = scores.select_nth_unstable_by(window.end(), |a, b| b.total_cmp(a));
            let least = *least;
            found.retain(|(_, score)| *score >= least);
        }
        let key = |id: DocumentId| self.entry(id).map(|entry| (&*entry.name, &*entry.server));
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| key(a.0).cmp(&key(b.0))));
        let hits = found
            .iter()
            .filter_map(|(id, score)| Some(self.entry(*id)?.hit(*score)));
        Page::cut(hits, total, window)
    }

    fn add(&mut self, documents: impl IntoIterator<Item = Document>) {
        let mut writer = Writer::new(&mut self.postings);
        for document in documents {
            let keys = keys(&document.server, &fold(&document.name));
            let same = |id: &DocumentId| {
                let entry = self.entries.get(*id as usize).and_then(Option::as_ref);
                entry.is_some_and(|entry| {
                    *entry.name == *document.name && *entry.server == *document.server
                })
            };
            if self
                .names
                .get(&keys[1])
                .is_some_and(|alike| alike.iter().any(same))
            {
                continue;
            }
            let id = self.free.pop().unwrap_or_else(|| {
                self.entries.push(None);
                DocumentId::try_from(self.entries.len() - 1).unwrap_or(DocumentId::MAX)
            });
            let entry = Entry::write(id, document, &mut writer);
            for key in keys {
                self.names.entry(key).or_default().push(id);
            }
            self.servers
                .entry(entry.server.clone())
                .or_default()
                .push(id);
            self.entries[id as usize] = Some(entry);
        }
        self.weigh();
    }

    fn take_out(&mut self, server: &str) {
        let ids = self.servers.remove(server).unwrap_or_default();
        let mut terms = HashSet::new();
        for id in &ids {
            let Some(entry) = self.entries[*id as usize].take() else {
                continue;
            };
            for key in keys(&entry.server, &entry.folded) {
                if let Some(alike) = self.names.get_mut(&key) {
                    alike.retain(|other| other != id);
                    if alike.is_empty() {
                        self.names.remove(&key);
                    }
                }
            }
            terms.extend(entry.terms);
        }
        let terms: Vec<u32> = terms.into_iter().collect();
        let entries = &self.entries;
        self.postings
            .remove(&terms, |id| entries[id as usize].is_some());
        self.free.extend(ids);
    }

    /// Computes anew what the average lengths have a part in; they change with every document.
    fn weigh(&mut self) {
        let mut sums = [0_u64; FIELDS];
        let mut filled = [0_u64; FIELDS];
        for entry in self.entries.iter().flatten() {
            for (field, length) in entry.lengths.iter().enumerate() {
                sums[field] += u64::from(*length);
                filled[field] += u64::from(*length > 0);
            }
        }
        let averages: [f32; FIELDS] =
            std::array::from_fn(|field| sums[field] as f32 / filled[field].max(1) as f32);
        let weights: Vec<[f32; FIELDS]> = self
            .entries
            .iter()
            .map(|entry| entry.as_ref().map_or([0; FIELDS], |entry| entry.lengths))
            .map(|lengths| rank::field_weights(lengths, averages))
            .collect();
        self.postings
            .weigh(|id, counts| rank::worth(counts, &weights[id as usize]));
        let entries = self.entries.iter();
        self.name_terms = entries
            .map(|entry| entry.as_ref().map_or(0, |entry| entry.name_terms))
            .collect();
    }
}

impl Entry {
    fn write(id: DocumentId, document: Document, writer: &mut Writer<'_>) -> Self {
        let mut written = Written::default();
        writer.add(id, Field::Name, &document.name, &mut written);
        let name_terms = written.terms.len();
        writer.add(id, Field::Server, &document.server, &mut written);
        for keyword in &document.keywords {
            writer.add(id, Field::Keywords, keyword, &mut written);
        }
        writer.add(id, Field::Description, &document.description, &mut written);
        for (name, description) in &document.params {
            writer.add(id, Field::Params, name, &mut written);
            writer.add(id, Field::Params, description, &mut written);
        }
        let mut description = document.description;
        description.truncate(description.floor_char_boundary(MAX_DESCRIPTION));
        Self {
            folded: fold(&document.name).into(),
            name: document.name.into(),
            server: document.server.into(),
            description: description.into(),
            name_terms: u16::try_from(name_terms).unwrap_or(u16::MAX),
            lengths: written.lengths,
            terms: written.terms.into(),
        }
    }

    pub(crate) fn hit(&self, score: f32) -> Hit<'_> {
        Hit {
            server: &self.server,
            name: &self.name,
            score,
        }
    }
}

/// What a document is found by when its name is given: the folded name, and the same behind the
/// folded server id.
fn keys(server: &str, folded: &str) -> [String; 2] {
    let full = format!("{} {folded}", fold(server));
    [folded.to_owned(), full]
}

#[cfg(test)]
mod tests;
