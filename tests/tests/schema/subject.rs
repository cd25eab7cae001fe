//! What is checked: a value of an official definition, read and written by our types, whole messages by
//! their envelope.

use std::borrow::Cow;

use mcp_proto::message::{write_error, write_notification, write_request, write_result};
use mcp_proto::shape::{ObjectShape, Shape, UnionShape};
use mcp_proto::{Message, Raw, Revision, project};
use serde_json::Value;

use crate::types::{self, Type};

/// What a definition is to us.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A value with a type of ours.
    Value,
    /// A message of its own: a request, a notification, a response, an error.
    Message,
    /// Several messages in an array.
    Batch,
    /// Not said by anybody as it is: a base of others, a union of others, or JSON itself.
    Abstract,
    /// The experimental tasks of 2025-11-25, which we refuse (D6).
    Task,
}

/// Bases and unions, which their parts cover.
const ABSTRACT: &[&str] = &[
    "Annotated",
    "BaseMetadata",
    "ClientNotification",
    "ClientRequest",
    "ClientResult",
    "Icons",
    "InputResponse",
    "InputResponseRequestParams",
    "JSONArray",
    "JSONValue",
    "Notification",
    "PaginatedRequest",
    "PaginatedResult",
    "Request",
    "ResourceRequestParams",
    "ServerNotification",
    "ServerRequest",
    "ServerResult",
    "TaskAugmentedRequestParams",
];

/// The kind of a definition, given one value of it.
pub(crate) fn kind(definition: &str, sample: &Value) -> Kind {
    if ABSTRACT.contains(&definition) {
        return Kind::Abstract;
    }
    let is_message = sample.get("jsonrpc").is_some()
        || (sample.get("method").is_some() && !definition.starts_with("Input"));
    if definition.starts_with("JSONRPC") && sample.is_array() {
        Kind::Batch
    } else if types::of_definition(definition).is_some() {
        Kind::Value
    } else if definition.contains("Task") && definition != "TaskMetadata" {
        Kind::Task
    } else if is_message || definition.starts_with("JSONRPC") || definition.ends_with("Error") {
        Kind::Message
    } else {
        panic!("{definition}: we have no type for it");
    }
}

/// Reads `text` as a `definition` and writes it again.
pub(crate) fn round(definition: &str, kind: Kind, text: &str) -> Result<String, String> {
    match kind {
        Kind::Value => typed(types::of_definition(definition), text),
        Kind::Batch => {
            let messages = Message::decode_batch(text.as_bytes(), Revision::V2025_03_26)
                .map_err(|error| error.to_string())?;
            let each: Result<Vec<String>, String> = messages
                .into_iter()
                .map(|message| write(definition, message.map_err(|error| error.to_string())?))
                .collect();
            Ok(format!("[{}]", each?.join(",")))
        }
        Kind::Message if is_embedded(text) => typed(types::of_definition("InputRequest"), text),
        Kind::Message => {
            let message = Message::decode(text.as_bytes()).map_err(|error| error.to_string())?;
            write(definition, message)
        }
        Kind::Abstract | Kind::Task => Ok(text.to_owned()),
    }
}

/// Whether a request has no id although it asks for an answer: a question inside a result, or a request
/// as the schemas before 2025-11-25 describe it, without the envelope.
fn is_embedded(text: &str) -> bool {
    let value: Value = serde_json::from_str(text).unwrap();
    value.get("jsonrpc").is_none()
        && matches!(
            value.get("method").and_then(Value::as_str),
            Some("sampling/createMessage" | "elicitation/create" | "roots/list")
        )
}

fn typed(of: Option<Type>, text: &str) -> Result<String, String> {
    match of {
        Some(of) => (of.round)(text).map_err(|error| error.to_string()),
        None => Ok(text.to_owned()),
    }
}

fn write(definition: &str, message: Message) -> Result<String, String> {
    let mut out = Vec::new();
    let params = |method: &str, params: &Option<Raw>| match params {
        Some(params) => typed(types::of_params(method), params.get()).map(Some),
        None => Ok(None),
    };
    match &message {
        Message::Request(request) => {
            let params = params(&request.method, &request.params)?;
            let params = params.unwrap_or_else(|| "{}".to_owned());
            write_request(&mut out, &request.id, &request.method, |out| {
                out.extend_from_slice(params.as_bytes());
            });
        }
        Message::Notification(told) => {
            let params = params(&told.method, &told.params)?;
            write_notification(&mut out, &told.method, params.as_deref());
        }
        Message::Response(response) => match (&response.id, &response.outcome) {
            (Some(id), Ok(result)) => {
                let result = typed(result_type(definition, result), result.get())?;
                write_result(&mut out, id, &Raw::parse(result).unwrap());
            }
            (id, Err(error)) => write_error(&mut out, id.as_ref(), error),
            (None, Ok(_)) => return Err("a result without an id".to_owned()),
        },
    }
    Ok(String::from_utf8(out).unwrap().trim_end().to_owned())
}

fn result_type(definition: &str, result: &Raw) -> Option<Type> {
    let asks = result.get().contains("\"input_required\"");
    match definition.strip_suffix("Response") {
        Some(_) if asks => types::of_definition("InputRequiredResult"),
        Some(name) => types::of_definition(name),
        None => None,
    }
}

/// A value of a definition, for a peer of `to`.
pub(crate) fn projected(definition: &str, kind: Kind, text: &str, to: Revision) -> String {
    let raw = Raw::parse(text).unwrap();
    let shape = match kind {
        Kind::Value => types::of_definition(definition).map(|of| of.shape),
        Kind::Message | Kind::Batch => return projected_message(definition, raw, to),
        Kind::Abstract | Kind::Task => None,
    };
    match shape {
        Some(shape) => project::shaped(&shape, &raw, to).get().to_owned(),
        None => text.to_owned(),
    }
}

fn projected_message(definition: &str, message: Raw, to: Revision) -> String {
    let mut object = match mcp_proto::RawObject::parse(&message) {
        Ok(object) => object,
        Err(_) => return message.get().to_owned(),
    };
    let edited: Option<(&str, Raw)> = match object.get_as::<String>("method") {
        Some(method) => object.get("params").and_then(|params| {
            changed(project::params(&method, params, to)).map(|params| ("params", params))
        }),
        None => object.get("result").and_then(|result| {
            let of = result_type(definition, result)?;
            changed(project::shaped(&of.shape, result, to)).map(|result| ("result", result))
        }),
    };
    match edited {
        Some((name, value)) => {
            object.set(name, value);
            object.to_raw().get().to_owned()
        }
        None => message.get().to_owned(),
    }
}

fn changed(value: Cow<'_, Raw>) -> Option<Raw> {
    match value {
        Cow::Borrowed(_) => None,
        Cow::Owned(value) => Some(value),
    }
}

/// Every object and union that the methods' parameters and results are made of.
pub(crate) fn shapes() -> Found {
    let mut found = (Vec::new(), Vec::new());
    for method in mcp_proto::methods::ALL {
        collect(&method.params, &mut found);
        if let Some(result) = &method.result {
            collect(result, &mut found);
        }
    }
    for definition in [
        "InputRequiredResult",
        "Error",
        "CacheableResult",
        "TaskMetadata",
    ] {
        if let Some(of) = types::of_definition(definition) {
            collect(&of.shape, &mut found);
        }
    }
    found
}

/// Objects and unions.
pub(crate) type Found = (Vec<&'static ObjectShape>, Vec<&'static UnionShape>);

fn collect(shape: &Shape, found: &mut Found) {
    match shape {
        Shape::Plain => {}
        Shape::Object(object) => {
            if !found
                .0
                .iter()
                .any(|other| other.official == object.official)
            {
                found.0.push(object);
                for field in object.fields {
                    collect(&field.shape, found);
                }
            }
        }
        Shape::Union(union) => {
            if !found.1.iter().any(|other| other.official == union.official) {
                found.1.push(union);
                for kind in union.kinds {
                    collect(&kind.shape, found);
                }
            }
        }
        Shape::List(item) | Shape::Map(item) | Shape::OneOrMany { item, .. } => {
            collect(item, found);
        }
        Shape::Narrow { then, .. } => collect(then, found),
    }
}
