//! A tool in full: description, hints, the whole schema, and arguments for an example.

use mcp_manager::printable;
use mcp_proto::RawObject;
use serde_json::{Value, json};

use super::Found;

/// The longest description or schema that is shown, in characters.
const MAX_PART: usize = 16_000;

impl Found<'_> {
    /// Everything about the tool, in words and with its schema as the server wrote it. How it is called is
    /// added by who shows it, with [`Found::example`].
    pub fn describe(&self) -> String {
        let tool = &self.tool.tool;
        let mut text = printable(&self.reference(), MAX_PART);
        if let Some(title) = &tool.title {
            text.push_str(&format!(" ({})", printable(title, 200)));
        }
        text.push('\n');
        if let Some(description) = &tool.description {
            text.push_str(&lines(description));
            text.push('\n');
        }
        text.push_str(&format!("hints: {}\n", self.hints()));
        text.push_str(&format!(
            "arguments: {}\n",
            printable(tool.input_schema.get(), MAX_PART)
        ));
        if let Some(schema) = &tool.output_schema {
            text.push_str(&format!("result: {}\n", printable(schema.get(), MAX_PART)));
        }
        text.trim_end().to_owned()
    }

    fn hints(&self) -> String {
        let Some(hints) = &self.tool.tool.annotations else {
            return "none declared".to_owned();
        };
        let declared: Vec<_> = [
            (hints.read_only_hint, "read-only", "writes"),
            (hints.destructive_hint, "destructive", "not destructive"),
            (hints.idempotent_hint, "idempotent", "not idempotent"),
            (hints.open_world_hint, "open world", "closed world"),
        ]
        .into_iter()
        .filter_map(|(hint, yes, no)| Some(if hint? { yes } else { no }))
        .collect();
        if declared.is_empty() {
            "none declared".to_owned()
        } else {
            declared.join(", ")
        }
    }

    /// Arguments for a call that has every required one, as JSON.
    pub fn example(&self) -> Value {
        let schema = RawObject::parse(&self.tool.tool.input_schema).unwrap_or_default();
        let properties = schema.get_as::<RawObject>("properties").unwrap_or_default();
        let required = schema.get_as::<Vec<String>>("required").unwrap_or_default();
        let example = |name: String| {
            let value = properties
                .get_as::<RawObject>(&name)
                .map_or(json!("…"), |schema| placeholder(&schema));
            (name, value)
        };
        Value::Object(required.into_iter().map(example).collect())
    }
}

/// A value that the schema of one property allows, as far as a look at it tells.
fn placeholder(schema: &RawObject) -> Value {
    if let Some(value) = ["const", "default"]
        .into_iter()
        .find_map(|key| schema.get_as::<Value>(key))
    {
        return value;
    }
    for key in ["enum", "examples"] {
        if let Some(value) = schema
            .get_as::<Vec<Value>>(key)
            .and_then(|values| values.into_iter().next())
        {
            return value;
        }
    }
    match schema.get_as::<String>("type").as_deref() {
        Some("integer" | "number") => schema.get_as::<Value>("minimum").unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("…"),
    }
}

/// Text of others over several lines, each made fit to be shown.
fn lines(text: &str) -> String {
    let cut: String = text.chars().take(MAX_PART).collect();
    cut.trim()
        .lines()
        .map(|line| printable(line, MAX_PART))
        .collect::<Vec<_>>()
        .join("\n")
}
