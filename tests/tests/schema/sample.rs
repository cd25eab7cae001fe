//! Values of a definition, made from its schema: with and without what is optional, of every alternative.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::official::Official;

/// A field that no revision knows.
pub(crate) const UNKNOWN: &str = "xUnknown";

/// How many alternatives are tried; no union has more.
const CHOICES: usize = 14;

pub(crate) fn of(official: &Official, definition: &str) -> Vec<Value> {
    let mut seen = HashSet::new();
    let mut samples = Vec::new();
    for full in [false, true] {
        for choice in 0..CHOICES {
            let maker = Maker {
                official,
                full,
                choice,
            };
            let sample = maker.definition(definition, 0);
            if seen.insert(sample.to_string()) {
                samples.push(sample);
            }
        }
    }
    samples
}

struct Maker<'a> {
    official: &'a Official,
    full: bool,
    choice: usize,
}

impl Maker<'_> {
    fn definition(&self, name: &str, depth: usize) -> Value {
        let mut value = self.value(&self.official.definitions()[name], depth);
        // A string to the schema, but it says which of the results this is.
        if let Some(kind) = value.get_mut("resultType") {
            *kind = match name {
                "InputRequiredResult" => json!("input_required"),
                _ => json!("complete"),
            };
        }
        value
    }

    fn value(&self, schema: &Value, depth: usize) -> Value {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.definition(reference.rsplit('/').next().unwrap(), depth);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for several in ["anyOf", "enum"] {
            if let Some(several) = schema.get(several).and_then(Value::as_array) {
                // Deep down the simplest, so that JSON inside JSON ends.
                let chosen = match depth > 10 {
                    true => several.len() - 1,
                    false => self.choice % several.len(),
                };
                return match schema.get("enum") {
                    Some(_) => several[chosen].clone(),
                    None => self.value(&several[chosen], depth + 1),
                };
            }
        }
        if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
            let mut whole = Map::new();
            for part in parts {
                whole.extend(self.value(part, depth + 1).as_object().unwrap().clone());
            }
            return Value::Object(whole);
        }
        let kind = match schema.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(Value::Array(kinds)) => kinds[self.choice % kinds.len()].as_str().unwrap(),
            _ if schema.get("properties").is_some() => "object",
            _ => return self.anything(),
        };
        match kind {
            "string" => json!(text(schema)),
            "integer" => json!(3),
            "number" => json!(0.5),
            "boolean" => json!(self.choice.is_multiple_of(2)),
            "null" => Value::Null,
            "array" => match schema.get("items") {
                Some(items) if self.full => json!([self.value(items, depth + 1)]),
                Some(items) if schema.get("minItems").is_some() => {
                    json!([self.value(items, depth + 1)])
                }
                _ => json!([]),
            },
            "object" => self.object(schema, depth),
            other => panic!("a schema of type {other}"),
        }
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let mut object = Map::new();
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            if self.full || required.contains(&name.as_str()) {
                object.insert(name.clone(), self.value(property, depth + 1));
            }
        }
        if self.full && properties.is_some() {
            object.insert(UNKNOWN.to_owned(), json!([1, "u"]));
        } else if self.full
            && let Some(values) = schema.get("additionalProperties")
        {
            object.insert("key".to_owned(), self.value(values, depth + 1));
        }
        Value::Object(object)
    }

    fn anything(&self) -> Value {
        match self.choice % 3 {
            0 => json!({"a": [1]}),
            1 => Value::Null,
            _ => json!("text"),
        }
    }
}

fn text(schema: &Value) -> &'static str {
    match schema.get("format").and_then(Value::as_str) {
        Some("uri") => "https://example.com/a",
        Some("uri-template") => "file:///{path}",
        Some("byte") => "QUJD",
        _ => "text",
    }
}
