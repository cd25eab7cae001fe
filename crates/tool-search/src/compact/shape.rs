//! A schema written as a type, given up as soon as a type cannot say it.

use serde_json::{Map, Value};

use super::literal::{literal, property};
use super::resolve::{Target, resolve};

/// Schemas inside each other that are written out.
const MAX_DEPTH: usize = 8;
/// Alternatives of a union that are written out.
const MAX_ALTERNATIVES: usize = 24;

/// Keywords whose meaning no type here can say.
const UNSUPPORTED: [&str; 10] = [
    "if",
    "then",
    "else",
    "allOf",
    "not",
    "patternProperties",
    "propertyNames",
    "dependentSchemas",
    "unevaluatedProperties",
    "$dynamicRef",
];

/// Why a type was given up.
#[derive(Debug)]
pub(super) enum GaveUp {
    /// A keyword, or a reference to another document, that a type cannot say.
    Unsupported,
    /// More text than there is room for.
    TooLong,
}

/// Writes one type into a text of limited length.
pub(super) struct Writer<'s> {
    root: &'s Value,
    text: String,
    room: usize,
    /// The schemas being written, outermost first.
    open: Vec<&'s Value>,
}

impl<'s> Writer<'s> {
    pub(super) fn new(root: &'s Value, room: usize) -> Self {
        Self {
            root,
            text: String::new(),
            room,
            open: Vec::new(),
        }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn write(&mut self, schema: &'s Value) -> Result<(), GaveUp> {
        let Target::Schema(schema) = resolve(self.root, schema) else {
            return Err(GaveUp::Unsupported);
        };
        let Value::Object(fields) = schema else {
            return self.put(if *schema == Value::Bool(false) {
                "never"
            } else {
                "unknown"
            });
        };
        let map = fields
            .get("additionalProperties")
            .is_some_and(|v| *v != Value::Bool(false));
        if map
            || UNSUPPORTED
                .iter()
                .any(|keyword| fields.contains_key(*keyword))
        {
            return Err(GaveUp::Unsupported);
        }
        let inside_itself = self.open.iter().any(|open| std::ptr::eq(*open, schema));
        if inside_itself || self.open.len() == MAX_DEPTH {
            return self.put("unknown");
        }
        self.open.push(schema);
        let written = self.fields(fields);
        self.open.pop();
        written
    }

    fn fields(&mut self, fields: &'s Map<String, Value>) -> Result<(), GaveUp> {
        if let Some(value) = fields.get("const") {
            return self.put(&literal(value));
        }
        if let Some(Value::Array(values)) = fields.get("enum") {
            return self.union(values, |writer, value| writer.put(&literal(value)));
        }
        let alternatives = fields.get("anyOf").or_else(|| fields.get("oneOf"));
        if let Some(Value::Array(schemas)) = alternatives {
            // Properties beside the alternatives would be an intersection.
            if fields.contains_key("properties") {
                return Err(GaveUp::Unsupported);
            }
            return self.union(schemas, Self::write);
        }
        match fields.get("type") {
            Some(Value::Array(types)) => self.union(types, |writer, kind| {
                writer.kind(kind.as_str().unwrap_or_default(), fields)
            }),
            Some(Value::String(kind)) => self.kind(kind, fields),
            _ if fields.contains_key("properties") => self.object(fields),
            _ if fields.contains_key("items") => self.array(fields),
            _ => self.put("unknown"),
        }?;
        if fields.get("nullable") == Some(&Value::Bool(true)) {
            self.put(" | null")?;
        }
        Ok(())
    }

    fn kind(&mut self, kind: &str, fields: &'s Map<String, Value>) -> Result<(), GaveUp> {
        match kind {
            "object" => self.object(fields),
            "array" => self.array(fields),
            "integer" => self.put("number"),
            "string" | "number" | "boolean" | "null" => self.put(kind),
            // Any text may stand here, and none but the above means a type.
            _ => self.put("unknown"),
        }
    }

    fn object(&mut self, fields: &'s Map<String, Value>) -> Result<(), GaveUp> {
        let properties = fields.get("properties").and_then(Value::as_object);
        let Some(properties) = properties.filter(|properties| !properties.is_empty()) else {
            // As the whole of the arguments it means none, further in it means any.
            let closed = fields.contains_key("additionalProperties") || self.open.len() == 1;
            return self.put(if closed { "{}" } else { "object" });
        };
        self.put("{ ")?;
        for (name, schema) in properties {
            self.put(&property(name))?;
            self.put(if is_required(fields, name) {
                ": "
            } else {
                "?: "
            })?;
            self.write(schema)?;
            self.put("; ")?;
        }
        self.put("}")
    }

    fn array(&mut self, fields: &'s Map<String, Value>) -> Result<(), GaveUp> {
        let items = fields.get("items");
        let tuple = fields
            .get("prefixItems")
            .or(items)
            .and_then(Value::as_array);
        if let Some(tuple) = tuple {
            self.put("[")?;
            for (place, schema) in tuple.iter().enumerate() {
                self.put(if place == 0 { "" } else { ", " })?;
                self.write(schema)?;
            }
            return self.put("]");
        }
        let start = self.text.len();
        match items {
            Some(schema) => self.write(schema)?,
            None => self.put("unknown")?,
        }
        // `[]` binds closer than `|`. A literal may hold a bar too; then the brackets are only
        // unneeded.
        let item = &self.text[start..];
        if item.contains(" | ") && !item.starts_with('{') {
            self.text.insert(start, '(');
            self.put(")")?;
        }
        self.put("[]")
    }

    fn union<T>(
        &mut self,
        alternatives: &'s [T],
        mut write: impl FnMut(&mut Self, &'s T) -> Result<(), GaveUp>,
    ) -> Result<(), GaveUp> {
        if alternatives.is_empty() {
            return self.put("never");
        }
        for (place, alternative) in alternatives.iter().enumerate() {
            if place > 0 {
                self.put(" | ")?;
            }
            if place == MAX_ALTERNATIVES {
                return self.put("…");
            }
            write(self, alternative)?;
        }
        Ok(())
    }

    fn put(&mut self, text: &str) -> Result<(), GaveUp> {
        if self.text.len() + text.len() > self.room {
            return Err(GaveUp::TooLong);
        }
        self.text.push_str(text);
        Ok(())
    }
}

/// Whether the object schema `fields` demands `property`.
pub(super) fn is_required(fields: &Map<String, Value>, property: &str) -> bool {
    let required = fields.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|name| name == property))
}
