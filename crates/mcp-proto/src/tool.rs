//! Tools: their descriptions, calls and results.

use crate::content::ContentBlock;
use crate::icon::Icon;
use crate::meta::{RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::shape::{Shape, Wire};
use crate::task::{TaskMetadata, ToolExecution};
use crate::{Raw, RawObject, Revision};

open_struct! {
    /// A tool as its server describes it.
    pub struct Tool {
        /// Its name in `tools/call`, unique in its list.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
        /// What it does, for the model.
        optional description: String = "description",
        /// The JSON Schema of its arguments, untouched. The protocol demands it; a server that leaves it
        /// out means an empty object.
        defaulted input_schema: Raw = "inputSchema",
        /// The JSON Schema of its structured result, untouched.
        optional output_schema: Raw as OutputSchema = "outputSchema" since V2025_06_18,
        /// Hints on what it does to the world.
        optional annotations: ToolAnnotations = "annotations" since V2025_03_26,
        /// Pictures for it.
        optional icons: Raw as Vec<Icon> = "icons" since V2025_11_25,
        /// How it may run (2025-11-25 only).
        optional execution: Raw as ToolExecution = "execution" since V2025_11_25 until V2025_11_25,
        /// Data of the server.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// Hints on what a tool does. An absent hint is not `false`: not declared is treated as the worst.
    pub struct ToolAnnotations {
        /// Its name for people.
        optional title: String = "title",
        /// It changes nothing.
        optional read_only_hint: bool = "readOnlyHint",
        /// It may destroy something.
        optional destructive_hint: bool = "destructiveHint",
        /// Calling it twice does what calling it once does.
        optional idempotent_hint: bool = "idempotentHint",
        /// It reaches beyond its own data.
        optional open_world_hint: bool = "openWorldHint",
    }
}

open_struct! {
    /// The parameters of `tools/call`.
    pub struct CallToolParams is "CallToolRequestParams" {
        /// The tool, by its name in the list.
        required name: String = "name",
        /// Its arguments, untouched.
        optional arguments: Raw = "arguments",
        /// Answers to what the server asked, by its keys, each bare (2026-07-28).
        optional input_responses: RawObject = "inputResponses" since V2026_07_28,
        /// What the server asked to have sent back, byte for byte (2026-07-28).
        optional request_state: Raw = "requestState" since V2026_07_28,
        /// The wish to run as a task, which is refused (2025-11-25 only).
        optional task: Raw as TaskMetadata = "task" since V2025_11_25 until V2025_11_25,
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The result of `tools/call`.
    pub struct CallToolResult {
        /// What the model reads.
        defaulted content: Vec<ContentBlock> = "content",
        /// The result as data; null is a value.
        nullable structured_content: Raw as StructuredContent = "structuredContent" since V2025_06_18,
        /// Whether the tool failed.
        optional is_error: bool = "isError",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

/// The shape of structured results: objects up to 2025-11-25, any JSON since.
pub(crate) enum StructuredContent {}

impl Wire for StructuredContent {
    const SHAPE: Shape = Shape::Narrow {
        until: Revision::V2025_11_25,
        fits: |text| text.starts_with('{'),
        then: &Shape::Plain,
    };
}

/// The shape of the schemas of structured results: those of objects up to 2025-11-25, any since.
pub(crate) enum OutputSchema {}

impl Wire for OutputSchema {
    const SHAPE: Shape = Shape::Narrow {
        until: Revision::V2025_11_25,
        fits: is_of_object,
        then: &Shape::Plain,
    };
}

fn is_of_object(schema: &str) -> bool {
    serde_json::from_str::<RawObject>(schema)
        .is_ok_and(|schema| schema.get_as::<String>("type").as_deref() == Some("object"))
}

impl CallToolResult {
    /// A result that is one block of text.
    pub fn text(text: impl Into<String>) -> Self {
        CallToolResult {
            content: vec![ContentBlock::text(text)],
            ..CallToolResult::default()
        }
    }

    /// A failure that the model can read.
    pub fn error(text: impl Into<String>) -> Self {
        CallToolResult {
            is_error: Some(true),
            ..CallToolResult::text(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_and_bytes_survive() {
        let text = r#"{"name":"t","inputSchema":{"type": "object","properties":{"n":{"maximum":1E400}}},"x-new":[1, 2],"_meta":{"a/b":0.10}}"#;
        let tool: Tool = serde_json::from_str(text).unwrap();
        assert_eq!(
            serde_json::to_string(&tool).unwrap(),
            r#"{"name":"t","inputSchema":{"type": "object","properties":{"n":{"maximum":1E400}}},"_meta":{"a/b":0.10},"x-new":[1, 2]}"#
        );
    }

    #[test]
    fn an_undeclared_hint_stays_undeclared() {
        let hints = r#"{"readOnlyHint":false,"destructiveHint":true}"#;
        let annotations: ToolAnnotations = serde_json::from_str(hints).unwrap();
        assert_eq!(annotations.read_only_hint, Some(false));
        assert_eq!(annotations.idempotent_hint, None);
        assert_eq!(serde_json::to_string(&annotations).unwrap(), hints);
    }

    #[test]
    fn a_tool_without_a_name_is_an_error_and_one_without_a_schema_takes_an_object() {
        assert!(serde_json::from_str::<Tool>(r#"{"inputSchema":{}}"#).is_err());
        assert!(serde_json::from_str::<Tool>(r#"{"name":null,"inputSchema":{}}"#).is_err());
        let tool: Tool = serde_json::from_str(r#"{"name":"a"}"#).unwrap();
        assert_eq!(tool.input_schema, Raw::empty_object());
    }

    #[test]
    fn null_structured_content_is_a_value_and_missing_content_is_empty() {
        let result: CallToolResult =
            serde_json::from_str(r#"{"structuredContent":null,"isError":null}"#).unwrap();
        assert_eq!(
            result.structured_content.as_ref().map(Raw::get),
            Some("null")
        );
        assert_eq!(result.is_error, None);
        assert_eq!(
            serde_json::to_string(&result).unwrap(),
            r#"{"content":[],"structuredContent":null}"#
        );
    }
}
