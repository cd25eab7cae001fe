//! What of a value depends on the revision: one row for each field, declared with the wire types.
//!
//! The rows are what [`crate::project`] works by and what the schema test compares with the official
//! schemas, so a field is written down once.

use std::collections::BTreeMap;

use crate::{Raw, RawObject, RequestId, Revision};

/// A type of the protocol. Its shape is made of the declarations of its fields.
pub trait Wire {
    /// What of it depends on the revision.
    const SHAPE: Shape;
}

/// What a value looks like, as far as the revision matters.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// The same in every revision, or not ours to look into.
    Plain,
    /// An object with fields of its own.
    Object(&'static ObjectShape),
    /// An object whose kind stands under a tag.
    Union(&'static UnionShape),
    /// A list of values of one shape.
    List(&'static Shape),
    /// An object with the sender's own keys and values of one shape.
    Map(&'static Shape),
    /// One value, or a list of them since a revision.
    OneOrMany {
        /// The shape of each.
        item: &'static Shape,
        /// The first revision that has lists.
        many_since: Revision,
    },
    /// A value that had fewer forms up to a revision. Those take it in an old form or not at all.
    Narrow {
        /// The last revision with fewer forms.
        until: Revision,
        /// Whether this JSON text has an old form.
        fits: fn(&str) -> bool,
        /// The shape.
        then: &'static Shape,
    },
}

/// The fields of an object.
#[derive(Debug)]
pub struct ObjectShape {
    /// Where the official schemas describe it: definitions separated by `|`, each a path of names.
    pub official: &'static str,
    /// A row for each field.
    pub fields: &'static [Field],
}

/// One row: a field of a type, and the revisions that have it.
#[derive(Debug)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// The first revision that has it.
    pub since: Revision,
    /// The last revision that has it.
    pub until: Revision,
    /// What its value looks like.
    pub shape: Shape,
}

/// The kinds of an object that says its kind under a tag.
#[derive(Debug)]
pub struct UnionShape {
    /// Where the official schemas describe it, as in [`ObjectShape::official`].
    pub official: &'static str,
    /// The field that names the kind.
    pub tag: &'static str,
    /// A row for each kind.
    pub kinds: &'static [Kind],
    /// What becomes of a kind that the peer's revision does not have.
    pub otherwise: Otherwise,
}

/// One row: a kind of a union, and the revisions that have it.
#[derive(Debug)]
pub struct Kind {
    /// The value of the tag.
    pub value: &'static str,
    /// The first revision that has it.
    pub since: Revision,
    /// The last revision that has it.
    pub until: Revision,
    /// What the object looks like beside its tag.
    pub shape: Shape,
}

/// What becomes of a kind that the peer's revision does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// It stays as it came.
    Keep,
    /// It becomes a block of text.
    Text,
}

impl Field {
    /// Whether `revision` has the field.
    pub fn is_in(&self, revision: Revision) -> bool {
        (self.since..=self.until).contains(&revision)
    }
}

impl Kind {
    /// Whether `revision` has the kind.
    pub fn is_in(&self, revision: Revision) -> bool {
        (self.since..=self.until).contains(&revision)
    }
}

impl Shape {
    /// Whether a value of this shape may have to be edited for a peer of `revision`.
    pub(crate) fn matters(&self, revision: Revision) -> bool {
        match self {
            Shape::Plain => false,
            Shape::Object(object) => object.matters(revision),
            Shape::Union(union) => {
                union.otherwise == Otherwise::Text
                    || union.kinds.iter().any(|kind| kind.shape.matters(revision))
            }
            Shape::List(item) | Shape::Map(item) => item.matters(revision),
            Shape::OneOrMany { item, many_since } => {
                revision < *many_since || item.matters(revision)
            }
            Shape::Narrow { until, then, .. } => revision <= *until || then.matters(revision),
        }
    }
}

impl ObjectShape {
    /// The row of the field `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub(crate) fn matters(&self, revision: Revision) -> bool {
        self.fields
            .iter()
            .any(|field| !field.is_in(revision) || field.shape.matters(revision))
    }
}

macro_rules! plain {
    ($($ty:ty),*) => { $( impl Wire for $ty { const SHAPE: Shape = Shape::Plain; } )* };
}
plain!(String, bool, f64, u64, i64, Raw, RawObject, RequestId);

impl<T: Wire> Wire for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);
}

impl<T: Wire> Wire for BTreeMap<String, T> {
    const SHAPE: Shape = Shape::Map(&T::SHAPE);
}
