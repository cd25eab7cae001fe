//! One entry over the layers: the project's fields over the user's, field by field.

use std::collections::HashSet;

use jsonc_parser::ast::{Object, ObjectProp, Value};

use crate::building::Named;
use crate::layer::{At, Layer};
use crate::problem::Problem;

/// One entry over the layers. A field is taken whole from the uppermost layer that gives it: `env`
/// replaces `env`, nothing below a field is mixed. A field that is absent, or `null`, leaves what
/// is below; an empty list or object replaces it.
pub(crate) struct MergedEntry<'a> {
    /// The name, as the file has it.
    pub(crate) name: &'a str,
    /// The entry's place in the uppermost layer that has it.
    pub(crate) at: At,
    /// The fields, lowest layer first, each in the order of its file.
    pub(crate) fields: Vec<(Layer, &'a ObjectProp<'a>)>,
    /// Fields of a lower layer that an upper one replaced.
    pub(crate) replaced: Vec<(Layer, &'a ObjectProp<'a>)>,
}

/// Keys that say the same thing in two ways: giving one replaces both.
const ALIASES: &[(&str, &str)] = &[("enabled", "disabled")];

impl<'a> MergedEntry<'a> {
    /// Lays entries of one name over each other.
    pub(crate) fn of(named: &Named<'a>) -> Result<Self, Problem> {
        let mut merged = Self {
            name: named.name,
            at: named.at(),
            fields: Vec::new(),
            replaced: Vec::new(),
        };
        for &(layer, entry) in &named.entries {
            let offset = entry.range.start;
            let at = At { layer, offset };
            let Value::Object(object) = &entry.value else {
                let remedy = "write { \"command\": \"…\", \"args\": [\"…\"] }";
                return Err(Problem::new(at, "it must be an object", remedy));
            };
            merged.cover(layer, object);
        }
        Ok(merged)
    }

    fn cover(&mut self, layer: Layer, object: &'a Object<'a>) {
        let keys: HashSet<&str> = object
            .properties
            .iter()
            .filter(|property| !matches!(property.value, Value::NullKeyword(_)))
            .map(|property| property.name.as_str())
            .collect();
        // A command that is a list brings its arguments with it.
        let arguments_too = !keys.contains("args")
            && matches!(object.get("command"), Some(it) if matches!(it.value, Value::Array(_)));
        let covered = |key: &str| {
            keys.contains(key)
                || (arguments_too && key == "args")
                || ALIASES.iter().any(|(one, other)| {
                    (key == *one && keys.contains(other)) || (key == *other && keys.contains(one))
                })
        };
        let below = std::mem::take(&mut self.fields);
        for field in below {
            if covered(field.1.name.as_str()) {
                self.replaced.push(field);
            } else {
                self.fields.push(field);
            }
        }
        let here = object.properties.iter().map(|property| (layer, property));
        self.fields.extend(here);
    }
}
