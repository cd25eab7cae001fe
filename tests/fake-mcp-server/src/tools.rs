//! The tools: what the list says of each, and what a call of it gives.

use std::time::Duration;

use serde_json::{Value, json};

use crate::message::Message;
use crate::reply::{Later, Reply, notification};
use crate::tally::Tally;
use crate::{Mode, Options, big_numbers, standard_error};

/// The tools of every mode that does not say otherwise, as list entries.
pub(crate) const DEFAULT: [&str; 8] = [
    r#"{"name":"echo","description":"Gives the text back.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}"#,
    r#"{"name":"add","description":"Adds two numbers.","inputSchema":{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}}"#,
    r#"{"name":"pid","description":"Gives the server's process id.","inputSchema":{"type":"object","properties":{}}}"#,
    r#"{"name":"sleep","description":"Waits that many milliseconds.","inputSchema":{"type":"object","properties":{"ms":{"type":"integer"}},"required":["ms"]}}"#,
    r#"{"name":"fail","description":"Fails.","inputSchema":{"type":"object","properties":{}}}"#,
    r#"{"name":"count","description":"Counts what the server has received.","inputSchema":{"type":"object","properties":{}}}"#,
    r#"{"name":"env","description":"Gives an environment variable of the server.","inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}"#,
    r#"{"name":"stderr","description":"Prints a line to the server's stderr.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}"#,
];

/// A tool without parameters, as a list entry.
pub(crate) fn simple(name: &str) -> String {
    format!(
        r#"{{"name":"{name}","description":"The tool {name}.","inputSchema":{{"type":"object","properties":{{}}}}}}"#
    )
}

/// The list entry of `described`: every field that a tool may have, and one it may not.
pub(crate) const DESCRIBED: &str = r#"{"name":"described","title":"Described","description":"Uses every field.","inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer","default":1}},"additionalProperties":false},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"annotations":{"title":"Described, annotated","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"icons":[{"src":"data:image/png;base64,iVBORw0KGgo=","mimeType":"image/png","sizes":["1x1"]}],"execution":{"taskSupport":"forbidden"},"_meta":{"example.com/kind":"sample"},"unknownField":{"kept":true}}"#;

/// One red pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// What a call needs to know besides itself.
pub(crate) struct Context<'a> {
    pub(crate) mode: Mode,
    pub(crate) options: &'a Options,
    pub(crate) tally: &'a Tally,
}

/// What a call of the tool `name` gives, where the mode has no say in it.
pub(crate) fn call(name: &str, message: &Message, context: &Context<'_>) -> Reply {
    let arguments = message.value("arguments");
    let text_of = |key: &str| arguments[key].as_str();
    match name {
        "echo" => match text_of("text") {
            Some(text) => Reply::tool_text(text),
            None => Reply::tool_failure("echo needs a text"),
        },
        "add" => add(&arguments["a"], &arguments["b"]),
        "pid" => Reply::tool_text(&std::process::id().to_string()),
        "sleep" => match arguments["ms"].as_u64() {
            Some(ms) => {
                Reply::tool_text(&format!("slept {ms} ms")).after(Duration::from_millis(ms), true)
            }
            None => Reply::tool_failure("sleep needs ms, a whole number"),
        },
        "fail" => Reply::tool_failure("failed, as asked"),
        "count" => Reply::tool_text(&context.tally.report(&context.options.grandchild_pids)),
        "env" => match text_of("name").and_then(|name| context.options.environment.get(name)) {
            Some(value) => Reply::tool_text(value),
            None => Reply::tool_failure("not set"),
        },
        "stderr" => {
            standard_error::print(text_of("text").unwrap_or_default());
            Reply::tool_text("printed")
        }
        _ if name.starts_with("tool_") => Reply::tool_text(name),
        _ => call_of_mode(name, message, context),
    }
}

/// The tools that only some mode has.
fn call_of_mode(name: &str, message: &Message, context: &Context<'_>) -> Reply {
    match (context.mode, name) {
        (Mode::ToolsList, "described") => Reply::Result(
            r#"{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":1}}"#
                .to_owned(),
        ),
        (Mode::Annotations, "reads" | "writes" | "undeclared")
        | (Mode::BadSchema, "text_schema" | "no_schema" | "empty_schema" | "untyped_schema")
        | (Mode::EmptyCursor, "second_page")
        | (Mode::ListChanged | Mode::Modern, "grown") => Reply::tool_text(name),
        (Mode::ToolsListEndless, _) if name.starts_with("endless_") => Reply::tool_text(name),
        (Mode::Images, "image") => {
            let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
            Reply::Result(json!({"content": [image]}).to_string())
        }
        (Mode::Images, "mixed") => Reply::Result(mixed().to_string()),
        (Mode::BigNumbers, "numbers") => Reply::Result(big_numbers::RESULT.to_owned()),
        (Mode::BigNumbers, "raw") => Reply::tool_text(message.raw("arguments").unwrap_or_default()),
        (Mode::Progress, "progress") => progress(message, context),
        _ => Reply::invalid_params(format!("Unknown tool: {name}")),
    }
}

fn add(a: &Value, b: &Value) -> Reply {
    if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64())
        && let Some(sum) = a.checked_add(b)
    {
        return Reply::tool_text(&sum.to_string());
    }
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => Reply::tool_text(&(a + b).to_string()),
        _ => Reply::tool_failure("add needs two numbers, a and b"),
    }
}

/// One block of every kind, and one of a kind that nobody knows.
fn mixed() -> Value {
    json!({"content": [
        {"type": "text", "text": "before"},
        {"type": "image", "data": PNG, "mimeType": "image/png", "annotations": {"audience": ["user"]}},
        {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "fake:///notes.txt", "name": "notes"},
        {"type": "resource", "resource": {"uri": "fake:///notes.txt", "mimeType": "text/plain", "text": "embedded"}},
        {"type": "resource", "resource": {"uri": "fake:///pixel.png", "mimeType": "image/png", "blob": PNG}},
        {"type": "hologram", "depth": 3},
        {"type": "text", "text": "after"},
    ]})
}

/// Without a progress token the same waits pass in silence.
fn progress(message: &Message, context: &Context<'_>) -> Reply {
    let steps = message.value("arguments")["steps"].as_u64().unwrap_or(3);
    let meta = message.value("_meta");
    let token = meta.get("progressToken");
    let report = |step: u64| {
        let params = json!({"progressToken": token, "progress": step, "total": steps, "message": format!("step {step}")});
        notification("notifications/progress", Some(&params.to_string()))
    };
    let gap = context.options.delay(context.mode);
    let text = format!("{steps} steps done");
    match Reply::tool_text(&text).after(gap, true) {
        Reply::Later(later) if token.is_some() => Reply::Later(Later {
            notifications: (1..=steps).map(report).collect(),
            ..later
        }),
        Reply::Later(later) => Reply::Later(Later {
            gap: gap.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX).saturating_add(1)),
            ..later
        }),
        other => other,
    }
}
