//! The projection itself: a value's text, its shape and a revision give its fate.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::text_block;
use crate::open_struct::Key;
use crate::shape::{ObjectShape, Otherwise, Shape, UnionShape};
use crate::{Revision, meta};

/// What becomes of a value.
#[derive(Debug, PartialEq)]
pub(super) enum Fate {
    /// It keeps its bytes.
    Stays,
    /// It becomes this JSON text.
    Becomes(String),
    /// It is left out.
    Goes,
}

/// Edits JSON text. Text that does not have the shape stays as it is. It goes no deeper than the shape
/// does, whatever the text.
pub(super) fn edit(shape: &Shape, text: &str, to: Revision) -> Fate {
    if !shape.matters(to) {
        return Fate::Stays;
    }
    match shape {
        Shape::Plain => Fate::Stays,
        Shape::Object(object) => match Entries::parse(text) {
            Some(entries) => edit_object(object, entries, to),
            None => Fate::Stays,
        },
        Shape::Union(union) => match Entries::parse(text) {
            Some(entries) => edit_union(union, entries, to),
            None => Fate::Stays,
        },
        Shape::List(item) => edit_list(item, text, to),
        Shape::Map(item) => match Entries::parse(text) {
            Some(entries) => edit_entries(entries, |_, value| edit(item, value, to)),
            None => Fate::Stays,
        },
        Shape::OneOrMany { item, many_since } => match text.starts_with('[') {
            false => edit(item, text, to),
            true if to >= *many_since => edit_list(item, text, to),
            true => match serde_json::from_str::<Vec<&RawValue>>(text) {
                Ok(blocks) => Fate::Becomes(text_block::one_of(&blocks, item, to)),
                Err(_) => Fate::Stays,
            },
        },
        Shape::Narrow { until, fits, .. } if to <= *until && !fits(text) => Fate::Goes,
        Shape::Narrow { then, .. } => edit(then, text, to),
    }
}

fn edit_object(object: &ObjectShape, entries: Entries<'_>, to: Revision) -> Fate {
    edit_entries(entries, |name, value| match object.field(name) {
        None => Fate::Stays,
        Some(field) if !field.is_in(to) => Fate::Goes,
        Some(field) => edit(&field.shape, value, to),
    })
}

fn edit_union(union: &UnionShape, entries: Entries<'_>, to: Revision) -> Fate {
    let tag = entries.string(union.tag);
    let mut kinds = union.kinds.iter().filter(|kind| kind.is_in(to));
    match kinds.find(|kind| tag.as_deref() == Some(kind.value)) {
        Some(kind) => match &kind.shape {
            Shape::Object(object) => edit_object(object, entries, to),
            _ => Fate::Stays,
        },
        None if union.otherwise == Otherwise::Text => {
            Fate::Becomes(text_block::instead_of(&entries, to))
        }
        None => Fate::Stays,
    }
}

fn edit_entries(entries: Entries<'_>, fate: impl Fn(&str, &str) -> Fate) -> Fate {
    let mut kept = Vec::with_capacity(entries.0.len());
    let mut changed = false;
    for (name, value) in entries.0 {
        let value = match fate(&name, value.get()) {
            Fate::Stays => Cow::Borrowed(value),
            Fate::Becomes(text) => match RawValue::from_string(text) {
                Ok(text) => {
                    changed = true;
                    Cow::Owned(text)
                }
                Err(_) => Cow::Borrowed(value),
            },
            Fate::Goes => {
                changed = true;
                continue;
            }
        };
        // What is left of a `_meta` that lost its last key says nothing.
        if name == meta::META && matches!(&value, Cow::Owned(text) if text.get() == "{}") {
            continue;
        }
        kept.push((name, value));
    }
    match changed {
        true => json(&Kept(&kept)),
        false => Fate::Stays,
    }
}

fn edit_list(item: &Shape, text: &str, to: Revision) -> Fate {
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) else {
        return Fate::Stays;
    };
    let mut changed = false;
    let mut kept = String::with_capacity(text.len());
    for value in items {
        let separator = if kept.is_empty() { '[' } else { ',' };
        match edit(item, value.get(), to) {
            Fate::Goes => changed = true,
            Fate::Stays => {
                kept.push(separator);
                kept.push_str(value.get());
            }
            Fate::Becomes(text) => {
                changed = true;
                kept.push(separator);
                kept.push_str(&text);
            }
        }
    }
    if !changed {
        return Fate::Stays;
    }
    if kept.is_empty() {
        kept.push('[');
    }
    kept.push(']');
    Fate::Becomes(kept)
}

/// Strings and JSON text can always be written.
fn json<T: Serialize>(value: &T) -> Fate {
    serde_json::to_string(value).map_or(Fate::Stays, Fate::Becomes)
}

/// The top level of an object, borrowed from its text: keys in their order, values as their text.
pub(super) struct Entries<'a>(pub(super) Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Entries<'a> {
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        match text.starts_with('{') {
            true => serde_json::from_str(text).ok(),
            false => None,
        }
    }

    /// The value under `name`, the last one where there are several.
    pub(super) fn get(&self, name: &str) -> Option<&'a RawValue> {
        let mut entries = self.0.iter().rev();
        entries
            .find(|(key, _)| key == name)
            .map(|(_, value)| *value)
    }

    /// The object as JSON text.
    pub(super) fn json(&self) -> String {
        let kept: Vec<_> = self
            .0
            .iter()
            .cloned()
            .map(|(name, value)| (name, Cow::Borrowed(value)))
            .collect();
        serde_json::to_string(&Kept(&kept)).unwrap_or_default()
    }

    /// The string under `name`.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?.get()).ok()
    }
}

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    entries.push((key.0, map.next_value()?));
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(EntriesVisitor)
    }
}

/// Entries to write, as they were or edited.
struct Kept<'a>(&'a [(Cow<'a, str>, Cow<'a, RawValue>)]);

impl Serialize for Kept<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value.as_ref())?;
        }
        map.end()
    }
}
