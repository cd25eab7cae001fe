//! A schema as an indented list, for what a type cannot say.

use serde_json::{Map, Value};

use super::literal::{literal, property};
use super::resolve::{Target, resolve};
use super::shape::{GaveUp, Writer, is_required};

/// Lists inside each other.
const MAX_DEPTH: usize = 3;
/// Parts of an `allOf` that are looked into.
const MAX_PARTS: usize = 16;
/// Bytes of one property's type; a longer one is named by its kind alone.
const MAX_TYPE: usize = 160;
/// What a list that was cut ends with.
const CUT: &str = "…";

/// One line per property of `schema`, at most `room` bytes.
pub(super) fn list(schema: &Value, room: usize) -> String {
    let mut lines = Lines {
        root: schema,
        text: String::new(),
        room: room.saturating_sub(CUT.len()),
    };
    let complete = lines.schema(schema, 0);
    let mut text = lines.text;
    if complete.is_err() {
        text.push_str(CUT);
    }
    let end = text.trim_end().len();
    text.truncate(end);
    text
}

struct Lines<'s> {
    root: &'s Value,
    text: String,
    room: usize,
}

impl<'s> Lines<'s> {
    /// Adds what `schema` and the parts that it is combined of have for properties.
    fn schema(&mut self, schema: &'s Value, depth: usize) -> Result<(), GaveUp> {
        let Target::Schema(Value::Object(fields)) = resolve(self.root, schema) else {
            return Ok(());
        };
        if depth == MAX_DEPTH {
            return Ok(());
        }
        self.properties(fields, depth)?;
        let parts = fields.get("allOf").and_then(Value::as_array);
        for part in parts.into_iter().flatten().take(MAX_PARTS) {
            // A part may name the whole again; only what stands in it directly is listed.
            if let Target::Schema(Value::Object(fields)) = resolve(self.root, part) {
                self.properties(fields, depth)?;
            }
        }
        Ok(())
    }

    fn properties(&mut self, fields: &'s Map<String, Value>, depth: usize) -> Result<(), GaveUp> {
        let Some(Value::Object(properties)) = fields.get("properties") else {
            return Ok(());
        };
        for (name, schema) in properties {
            let mut line = "  ".repeat(depth);
            line.push_str(&property(name));
            let (kind, whole) = self.kind(schema);
            line.push_str(&format!(" ({kind})"));
            if is_required(fields, name) {
                line.push_str(" *required*");
            }
            if let Some(default) = schema.get("default") {
                line.push_str(&format!(" [default: {}]", literal(default)));
            }
            line.push('\n');
            if self.text.len() + line.len() > self.room {
                return Err(GaveUp::TooLong);
            }
            self.text.push_str(&line);
            if !whole {
                self.schema(schema, depth + 1)?;
            }
        }
        Ok(())
    }

    /// The type of a property, and whether it says all.
    fn kind(&self, schema: &'s Value) -> (String, bool) {
        let mut writer = Writer::new(self.root, MAX_TYPE);
        if writer.write(schema).is_ok() {
            return (writer.into_text(), true);
        }
        let named = match resolve(self.root, schema) {
            Target::Schema(schema) => schema.get("type").and_then(Value::as_str),
            Target::Elsewhere => None,
        };
        let kind = match named {
            Some("integer") => "number",
            Some(kind @ ("string" | "number" | "boolean" | "array" | "object" | "null")) => kind,
            _ => "unknown",
        };
        (kind.to_owned(), false)
    }
}
