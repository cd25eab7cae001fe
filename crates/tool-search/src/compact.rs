//! The arguments of a tool on one line, as a TypeScript-like type.

mod list;
mod literal;
mod resolve;
mod shape;

use std::fmt;

use serde_json::Value;

use shape::Writer;

/// Bytes of a shape.
const MAX_BYTES: usize = 2048;

/// What a schema asks for, in few words. Free of control characters but for the line breaks of a
/// list, and at most about 2 kB whatever the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A type on one line: `{ query: string; limit?: number; }`.
    Type(String),
    /// For schemas that no such type can say: one indented line per property,
    /// `name (type) *required* [default: …]`.
    List(String),
}

impl Shape {
    /// The text, without a line break at its end.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Type(text) | Self::List(text) => text,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The shape of a JSON schema.
///
/// Local `$ref`s are resolved; where a schema contains itself, or is nested deeper than eight
/// levels, the type is `unknown`. Conditions, `allOf`, `not`, patterns, maps, references to other
/// documents and whatever would be too long make it a list.
pub fn shape(schema: &Value) -> Shape {
    let mut writer = Writer::new(schema, MAX_BYTES);
    match writer.write(schema) {
        Ok(()) => Shape::Type(writer.into_text()),
        Err(_) => Shape::List(list::list(schema, MAX_BYTES)),
    }
}

/// The shape of a JSON schema given as text.
///
/// # Errors
/// When `schema` is no JSON, or nested deeper than the parser's limit of 128 levels.
pub fn shape_of_text(schema: &str) -> Result<Shape, serde_json::Error> {
    Ok(shape(&serde_json::from_str(schema)?))
}

#[cfg(test)]
mod tests;
