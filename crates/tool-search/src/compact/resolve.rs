//! References inside one schema.

use serde_json::Value;

/// References followed one after the other before a chain counts as endless.
const MAX_CHAIN: usize = 16;

/// What a reference leads to.
pub(super) enum Target<'s> {
    /// A schema that is not a reference itself.
    Schema(&'s Value),
    /// Nothing in this document.
    Elsewhere,
}

/// Follows `$ref`s from `schema` on, inside `root`.
pub(super) fn resolve<'s>(root: &'s Value, schema: &'s Value) -> Target<'s> {
    let mut schema = schema;
    for _ in 0..MAX_CHAIN {
        let Some(reference) = schema.get("$ref") else {
            return Target::Schema(schema);
        };
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
        match pointer.and_then(|pointer| root.pointer(pointer)) {
            Some(target) => schema = target,
            None => return Target::Elsewhere,
        }
    }
    Target::Elsewhere
}
