//! Keys that are foreign to a revision: not in its schema, but in that of another.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::official::{Official, allowed, properties};

/// JSON Schemas of users. What stands in them is theirs, whatever our revisions name (D3).
const OPAQUE: [&str; 2] = ["inputSchema", "outputSchema"];

/// The paths of the keys in `value` that `to` does not have at their place and another revision does.
pub(crate) fn keys(
    to: &Official,
    all: &[Official],
    definition: &str,
    value: &Value,
) -> Vec<String> {
    let walk = Walk { to, all };
    let here = walk.everywhere(|official| official.at(definition));
    let mut found = Vec::new();
    walk.check(value, &here, definition, &mut found);
    found
}

struct Walk<'a> {
    to: &'a Official,
    all: &'a [Official],
}

/// The schemas at one place, for each revision.
type Place<'a> = Vec<Vec<&'a Value>>;

impl<'a> Walk<'a> {
    fn everywhere(&self, at: impl Fn(&'a Official) -> Vec<&'a Value>) -> Place<'a> {
        self.all.iter().map(at).collect()
    }

    fn check(&self, value: &Value, place: &Place<'a>, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Array(items) => {
                let inside = self.step(place, |official, here| official.items(here));
                for item in items {
                    self.check(item, &inside, path, found);
                }
            }
            Value::Object(object) => {
                let place: Place<'a> = place
                    .iter()
                    .map(|schemas| fitting(schemas, value))
                    .collect();
                let names: Vec<BTreeSet<String>> =
                    place.iter().map(|schemas| properties(schemas)).collect();
                let own = self
                    .all
                    .iter()
                    .position(|official| official.revision == self.to.revision)
                    .unwrap();
                for (name, value) in object {
                    let path = format!("{path}/{name}");
                    let known = names[own].contains(name) || is_base(&path);
                    if !known && names.iter().any(|names| names.contains(name)) {
                        found.push(path.clone());
                    }
                    if !OPAQUE.contains(&name.as_str()) {
                        let inside =
                            self.step(&place, |official, here| official.property(here, name));
                        self.check(value, &inside, &path, found);
                    }
                }
            }
            _ => {}
        }
    }

    fn step(
        &self,
        place: &Place<'a>,
        step: impl Fn(&'a Official, &[&'a Value]) -> Vec<&'a Value>,
    ) -> Place<'a> {
        let each = self.all.iter().zip(place);
        each.map(|(official, here)| step(official, here)).collect()
    }
}

/// What the base of every request and notification has in every revision, although the schemas before
/// 2025-11-25 do not repeat it in each.
fn is_base(path: &str) -> bool {
    let mut names = path.split('/').skip(1);
    matches!(
        (names.next(), names.next(), names.next(), names.next()),
        (Some("jsonrpc" | "id"), None, ..)
            | (
                Some("params"),
                Some("_meta"),
                None | Some("progressToken"),
                None
            )
    )
}

/// The alternatives that the object may be by its tags, such as `type` and `method`.
fn fitting<'a>(schemas: &[&'a Value], object: &Value) -> Vec<&'a Value> {
    let fits = |schema: &&&'a Value| {
        let named = schema.get("properties").and_then(Value::as_object);
        named.into_iter().flatten().all(|(name, property)| {
            let value = object.get(name).and_then(Value::as_str);
            match (allowed(property), value) {
                (Some(allowed), Some(value)) => allowed.contains(&value),
                _ => true,
            }
        })
    };
    schemas.iter().filter(fits).copied().collect()
}
