//! Mode `resources-only`: what the server offers instead of tools.

use serde_json::{Value, json};

use crate::list::page;
use crate::message::Message;
use crate::reply::Reply;
use crate::tools::PNG;
use crate::{Mode, Options};

/// The capabilities of a server without tools.
pub(crate) const CAPABILITIES: &str =
    r#"{"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true}}"#;

/// The answer to a method of resources or prompts.
pub(crate) fn answer(method: &str, message: &Message, options: &Options) -> Reply {
    let result = match method {
        "resources/list" => return list(message, options),
        "resources/templates/list" => json!({"resourceTemplates": [
            {"uriTemplate": "fake:///item/{id}", "name": "item", "mimeType": "text/plain"},
        ]}),
        "resources/read" => {
            let uri = message.text("uri").unwrap_or_default();
            match read(&uri) {
                Some(contents) => json!({"contents": [contents]}),
                None => {
                    return Reply::Error {
                        code: -32002,
                        message: "Resource not found".to_owned(),
                        data: Some(json!({"uri": uri}).to_string()),
                    };
                }
            }
        }
        "resources/subscribe" | "resources/unsubscribe" => json!({}),
        "prompts/list" => json!({"prompts": [
            {"name": "greet", "description": "Greets somebody.", "arguments": [{"name": "name", "required": true}]},
        ]}),
        "prompts/get" if message.text("name").as_deref() == Some("greet") => {
            let arguments = message.value("arguments");
            let text = format!(
                "Say hello to {}.",
                arguments["name"].as_str().unwrap_or("nobody")
            );
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": text}}]})
        }
        "prompts/get" => return Reply::invalid_params("Unknown prompt"),
        _ => return Reply::unknown_method(method),
    };
    Reply::Result(result.to_string())
}

fn list(message: &Message, options: &Options) -> Reply {
    let resources = [
        json!({"uri": "fake:///notes.txt", "name": "notes", "mimeType": "text/plain", "size": 6}),
        json!({"uri": "fake:///pixel.png", "name": "pixel", "mimeType": "image/png"}),
        json!({"uri": "fake:///data.json", "name": "data", "mimeType": "application/json"}),
    ];
    let size = options.page_size(Mode::ResourcesOnly);
    let cursor = message.text("cursor");
    let Some((range, next)) = page(resources.len(), size, cursor.as_deref()) else {
        return Reply::invalid_params("Invalid cursor");
    };
    let mut result = json!({"resources": resources.get(range).unwrap_or_default()});
    if let Some(next) = next {
        result["nextCursor"] = next.into();
    }
    Reply::Result(result.to_string())
}

fn read(uri: &str) -> Option<Value> {
    let contents = match uri {
        "fake:///notes.txt" => json!({"uri": uri, "mimeType": "text/plain", "text": "notes\n"}),
        "fake:///pixel.png" => json!({"uri": uri, "mimeType": "image/png", "blob": PNG}),
        "fake:///data.json" => json!({"uri": uri, "mimeType": "application/json", "text": "[1]"}),
        _ => {
            let id = uri.strip_prefix("fake:///item/")?;
            json!({"uri": uri, "mimeType": "text/plain", "text": format!("item {id}")})
        }
    };
    Some(contents)
}
