//! The official schemas, as the folder in `MCP_SCHEMA_DIR` has them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jsonschema::Validator;
use mcp_proto::Revision;
use serde_json::{Map, Value, json};

/// The schema of one revision.
pub(crate) struct Official {
    pub(crate) revision: Revision,
    root: Value,
    /// `definitions` or `$defs`.
    key: &'static str,
    validators: RefCell<HashMap<String, Rc<Validator>>>,
}

/// The folder, or `None` when nobody named one: an error in continuous integration (D34).
pub(crate) fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("MCP_SCHEMA_DIR").filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "MCP_SCHEMA_DIR is not set, so messages cannot be checked against the official schemas; in CI that fails"
    );
    eprintln!("NOT CHECKED: messages against the official schemas (MCP_SCHEMA_DIR is not set)");
    None
}

/// All five, oldest first.
pub(crate) fn all(folder: &Path) -> Vec<Official> {
    Revision::ALL
        .into_iter()
        .map(|revision| {
            let path = folder.join(revision.as_str()).join("schema.json");
            let text =
                std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let root: Value = serde_json::from_slice(&text).unwrap();
            let key = if root.get("$defs").is_some() {
                "$defs"
            } else {
                "definitions"
            };
            Official {
                revision,
                root,
                key,
                validators: RefCell::default(),
            }
        })
        .collect()
}

impl Official {
    pub(crate) fn definitions(&self) -> &Map<String, Value> {
        self.root[self.key].as_object().unwrap()
    }

    pub(crate) fn has(&self, definition: &str) -> bool {
        self.definitions().contains_key(definition)
    }

    /// Why `value` is no valid `definition`; empty where it is one.
    pub(crate) fn errors(&self, definition: &str, value: &Value) -> Vec<String> {
        let validator = self
            .validators
            .borrow_mut()
            .entry(definition.to_owned())
            .or_insert_with(|| {
                let schema = json!({
                    "$schema": self.root["$schema"],
                    "$ref": format!("#/{}/{definition}", self.key),
                    self.key: self.root[self.key],
                });
                Rc::new(jsonschema::validator_for(&schema).unwrap())
            })
            .clone();
        validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }

    /// The schemas that a schema stands for: references followed, alternatives and conjunctions laid side
    /// by side.
    pub(crate) fn alternatives<'a>(&'a self, schema: &'a Value) -> Vec<&'a Value> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.alternatives(&self.root[self.key][reference.rsplit('/').next().unwrap()]);
        }
        for several in ["anyOf", "allOf", "oneOf"] {
            if let Some(several) = schema.get(several).and_then(Value::as_array) {
                return several
                    .iter()
                    .flat_map(|schema| self.alternatives(schema))
                    .collect();
            }
        }
        vec![schema]
    }

    /// The schemas under a path such as `Tool/annotations`; empty where this revision has no such thing.
    pub(crate) fn at(&self, path: &str) -> Vec<&Value> {
        let mut names = path.split('/');
        let mut here = match self.definitions().get(names.next().unwrap()) {
            Some(definition) => self.alternatives(definition),
            None => return Vec::new(),
        };
        for name in names {
            here = self.property(&here, name);
        }
        here
    }

    /// What the value under `name` may be, by any of the schemas.
    pub(crate) fn property<'a>(&'a self, schemas: &[&'a Value], name: &str) -> Vec<&'a Value> {
        schemas
            .iter()
            .filter_map(|schema| {
                let named = schema.get("properties").and_then(|named| named.get(name));
                named.or_else(|| schema.get("additionalProperties"))
            })
            .flat_map(|schema| self.alternatives(schema))
            .collect()
    }

    /// What an element may be, by any of the schemas.
    pub(crate) fn items<'a>(&'a self, schemas: &[&'a Value]) -> Vec<&'a Value> {
        schemas
            .iter()
            .filter_map(|schema| schema.get("items"))
            .flat_map(|schema| self.alternatives(schema))
            .collect()
    }
}

/// The names of the properties that any of the schemas has.
pub(crate) fn properties(schemas: &[&Value]) -> BTreeSet<String> {
    schemas
        .iter()
        .filter_map(|schema| schema.get("properties").and_then(Value::as_object))
        .flat_map(|properties| properties.keys().cloned())
        .collect()
}

/// The values that a schema allows, where it names them.
pub(crate) fn allowed(schema: &Value) -> Option<Vec<&str>> {
    if let Some(value) = schema.get("const").and_then(Value::as_str) {
        return Some(vec![value]);
    }
    let values = schema.get("enum")?.as_array()?;
    Some(values.iter().filter_map(Value::as_str).collect())
}
