//! The JSON Schema of a configuration file, from the table that also reads it.

use serde_json::{Map, Value, json};

use crate::defaults;
use crate::field::{FIELDS, Of};
use crate::shape::Shape;

/// The JSON Schema (2020-12) of a configuration file, for editors. A file may name it in
/// `$schema`.
///
/// It is stricter than what loads: a key that is only warned of is an error here. What it cannot
/// say, such as whether a variable is set, a check of the file says.
pub fn schema() -> String {
    let mut entry: Map<String, Value> = Map::new();
    for field in FIELDS {
        let of = match field.of {
            Of::Any => "",
            Of::Command => " Only with `command`.",
            Of::Url => " Only with `url`.",
        };
        entry.insert(
            field.key.to_owned(),
            described(field.shape, &format!("{}{of}", field.about)),
        );
    }
    let of_defaults = FIELDS.iter().filter(|it| defaults::KEYS.contains(&it.key));
    let of_defaults: Map<String, Value> = of_defaults
        .map(|field| (field.key.to_owned(), described(field.shape, field.about)))
        .collect();
    let later = |what: &str| {
        json!({
            "type": "object",
            "description": format!("{what} Not available in this version."),
        })
    };
    let value = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "posthouse configuration",
        "description": "Which MCP servers there are, and how they run. Comments and trailing commas are allowed.",
        "type": "object",
        "properties": {
            "$schema": { "type": "string" },
            "mcpServers": {
                "description": "The servers by name. A name is 1 to 32 of the characters A-Z a-z 0-9 _ - without \"__\"; others are changed.",
                "type": "object",
                "additionalProperties": { "$ref": "#/$defs/server" },
            },
            "defaults": {
                "description": "What entries of this file get when they do not say otherwise.",
                "type": "object",
                "properties": of_defaults,
                "additionalProperties": false,
            },
            "executors": later("Where servers can run, by name."),
            "views": later("Which servers a host sees, by name."),
        },
        "required": ["mcpServers"],
        "$defs": {
            "server": {
                "description": "One server: `command` to start it, or `url` to reach one that runs. Texts may hold ${NAME}, ${NAME:-default}, ${file:PATH} and ${cmd:COMMAND}; $${ stands for the characters themselves.",
                "type": "object",
                "properties": entry,
                "patternProperties": { "^(_|\\$|//|#)": {} },
                "additionalProperties": false,
                "not": { "required": ["command", "url"] },
            }
        },
    });
    format!("{value:#}\n")
}

fn described(shape: Shape, about: &str) -> Value {
    let mut described = Map::new();
    described.insert("description".to_owned(), about.into());
    if let Value::Object(schema) = shape.schema() {
        described.extend(schema);
    }
    Value::Object(described)
}

#[cfg(test)]
mod tests;
