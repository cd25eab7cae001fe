//! A short way to declare a tool.

use mcp_proto::Raw;
use mcp_proto::tool::{Tool, ToolAnnotations};
use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value, json};

/// A tool to be listed: its name, what it does in words for the model, its arguments and its hints.
///
/// ```
/// use mcp_server::{ArgumentType, ToolSpec};
///
/// let tool = ToolSpec::new("greet", "Greets a person by name.")
///     .required("name", ArgumentType::String, "Who to greet.")
///     .read_only();
/// assert_eq!(
///     tool.to_raw().get(),
///     r#"{"name":"greet","description":"Greets a person by name.","inputSchema":{"type":"object","properties":{"name":{"type":"string","description":"Who to greet."}},"required":["name"]},"annotations":{"readOnlyHint":true}}"#,
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    tool: Tool,
    properties: Map<String, Value>,
    required: Vec<String>,
}

/// The JSON type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Yes or no.
    Boolean,
}

impl ArgumentType {
    fn as_str(self) -> &'static str {
        match self {
            ArgumentType::String => "string",
            ArgumentType::Integer => "integer",
            ArgumentType::Number => "number",
            ArgumentType::Boolean => "boolean",
        }
    }
}

impl ToolSpec {
    /// A tool without arguments and hints.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        ToolSpec {
            tool: Tool {
                name: name.into(),
                description: Some(description.into()),
                ..Tool::default()
            },
            properties: Map::new(),
            required: Vec::new(),
        }
    }

    /// Adds an argument that must be given.
    pub fn required(mut self, name: &str, kind: ArgumentType, description: &str) -> Self {
        self.required.push(name.to_owned());
        self.optional(name, kind, description)
    }

    /// Adds an argument that may be given.
    pub fn optional(mut self, name: &str, kind: ArgumentType, description: &str) -> Self {
        let schema = json!({ "type": kind.as_str(), "description": description });
        self.properties.insert(name.to_owned(), schema);
        self
    }

    /// Says that the tool changes nothing (`readOnlyHint`).
    pub fn read_only(self) -> Self {
        self.hint(|hints| hints.read_only_hint = Some(true))
    }

    /// Says that the tool changes things, and whether it may destroy some (`destructiveHint`).
    pub fn writes(self, destructive: bool) -> Self {
        self.hint(|hints| {
            hints.read_only_hint = Some(false);
            hints.destructive_hint = Some(destructive);
        })
    }

    /// Says that calling the tool twice does what calling it once does (`idempotentHint`).
    pub fn idempotent(self) -> Self {
        self.hint(|hints| hints.idempotent_hint = Some(true))
    }

    /// Says that the tool stays within its own data (`openWorldHint: false`).
    pub fn closed_world(self) -> Self {
        self.hint(|hints| hints.open_world_hint = Some(false))
    }

    fn hint(mut self, set: impl FnOnce(&mut ToolAnnotations)) -> Self {
        set(self.tool.annotations.get_or_insert_default());
        self
    }

    /// The tool as it is listed.
    pub fn to_tool(&self) -> Tool {
        let mut schema = json!({ "type": "object", "properties": self.properties });
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        Tool {
            input_schema: Raw::of(&schema).unwrap_or_default(),
            ..self.tool.clone()
        }
    }

    /// The tool as an item of a list.
    pub fn to_raw(&self) -> Raw {
        Raw::of(&self.to_tool()).unwrap_or_default()
    }
}

impl Serialize for ToolSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_tool().serialize(serializer)
    }
}
