//! One JSON-RPC message: decoded by the fields it has, written without building a tree.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::open_struct::Key;
use crate::{ErrorObject, Raw, RequestId};

/// A message, either way.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Has a method and an id: wants an answer.
    Request(Request),
    /// Has a method and no id: wants none.
    Notification(Notification),
    /// Has a result or an error.
    Response(Response),
}

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Unique among the sender's requests in flight.
    pub id: RequestId,
    /// What is asked.
    pub method: Box<str>,
    /// Its parameters as they came; null reads as absent.
    pub params: Option<Raw>,
}

/// A notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// What is told.
    pub method: Box<str>,
    /// Its parameters as they came; null reads as absent.
    pub params: Option<Raw>,
}

/// A response.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The request it answers; `None` when the other side could not read the id.
    pub id: Option<RequestId>,
    /// The result as it came, or the error.
    pub outcome: Result<Raw, ErrorObject>,
}

/// Why some bytes are no message.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// The bytes are no JSON; over stdio such a line is skipped.
    #[error("not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// A JSON array: batches exist in revision 2025-03-26 only.
    #[error("a batch, which the negotiated revision does not have")]
    Batch,
    /// JSON, but not one of the three kinds of message.
    #[error("not a JSON-RPC message: {reason}")]
    NotAMessage {
        /// What is wrong with it.
        reason: &'static str,
        /// The id, where it could be read, for the answer.
        id: Option<RequestId>,
    },
}

#[derive(Default)]
struct Envelope<'a> {
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EnvelopeVisitor;
        impl<'de> Visitor<'de> for EnvelopeVisitor {
            type Value = Envelope<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Envelope<'de>, A::Error> {
                let mut envelope = Envelope::default();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    // Read as raw text and not as `Option`: a null result is a result.
                    let value = Some(map.next_value::<&'de RawValue>()?);
                    match key.0.as_ref() {
                        "id" => envelope.id = value,
                        "method" => envelope.method = value,
                        "params" => envelope.params = value,
                        "result" => envelope.result = value,
                        "error" => envelope.error = value,
                        _ => {}
                    }
                }
                Ok(envelope)
            }
        }
        deserializer.deserialize_map(EnvelopeVisitor)
    }
}

fn present(value: Option<&RawValue>) -> Option<&RawValue> {
    value.filter(|value| value.get() != "null")
}

impl Message {
    /// Decodes one message. Parameters and results are kept as text.
    pub fn decode(bytes: &[u8]) -> Result<Message, DecodeError> {
        let not_object = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{');
        if not_object {
            return match serde_json::from_slice::<&RawValue>(bytes) {
                Err(error) => Err(DecodeError::NotJson(error)),
                Ok(value) if value.get().starts_with('[') => Err(DecodeError::Batch),
                Ok(_) => Err(DecodeError::NotAMessage {
                    reason: "not an object",
                    id: None,
                }),
            };
        }
        let envelope: Envelope<'_> = serde_json::from_slice(bytes).map_err(DecodeError::NotJson)?;
        let method = present(envelope.method);
        let read_id = match method {
            Some(_) => RequestId::from_json,
            None => RequestId::from_response_json,
        };
        let id = match present(envelope.id) {
            None => None,
            Some(raw) => Some(read_id(raw.get()).ok_or(DecodeError::NotAMessage {
                reason: "the id is neither a string nor an integer",
                id: None,
            })?),
        };
        if let Some(method) = method {
            let Ok(method) = serde_json::from_str::<Box<str>>(method.get()) else {
                return Err(DecodeError::NotAMessage {
                    reason: "the method is no string",
                    id,
                });
            };
            let params = present(envelope.params).map(Raw::from);
            return Ok(match id {
                Some(id) => Message::Request(Request { id, method, params }),
                None => Message::Notification(Notification { method, params }),
            });
        }
        let outcome = match (envelope.result, present(envelope.error)) {
            (Some(result), None) => Ok(Raw::from(result)),
            (None | Some(_), Some(error)) if present(envelope.result).is_none() => Err(
                serde_json::from_str(error.get()).map_err(|_| DecodeError::NotAMessage {
                    reason: "the error is no error object",
                    id: id.clone(),
                })?,
            ),
            (Some(_), Some(_)) => {
                return Err(DecodeError::NotAMessage {
                    reason: "both a result and an error",
                    id,
                });
            }
            (None, _) => {
                return Err(DecodeError::NotAMessage {
                    reason: "no method, result or error",
                    id,
                });
            }
        };
        Ok(Message::Response(Response { id, outcome }))
    }
}

/// Appends a request as one line; `params` appends its parameters as JSON, with [`write_raw`] where
/// they are not ours.
pub fn write_request(
    out: &mut Vec<u8>,
    id: &RequestId,
    method: &str,
    params: impl FnOnce(&mut Vec<u8>),
) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    write_id(out, id);
    out.extend_from_slice(br#","method":"#);
    write_string(out, method);
    out.extend_from_slice(br#","params":"#);
    params(out);
    out.extend_from_slice(b"}\n");
}

/// Appends a notification as one line. `params` is JSON text.
pub fn write_notification(out: &mut Vec<u8>, method: &str, params: Option<&str>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"#);
    write_string(out, method);
    if let Some(params) = params {
        out.extend_from_slice(br#","params":"#);
        write_raw(out, params);
    }
    out.extend_from_slice(b"}\n");
}

/// Appends the response that carries `result` as one line.
pub fn write_result(out: &mut Vec<u8>, id: &RequestId, result: &Raw) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    write_id(out, id);
    out.extend_from_slice(br#","result":"#);
    write_raw(out, result.get());
    out.extend_from_slice(b"}\n");
}

/// Appends an error response as one line; without an id when that of the request could not be read.
pub fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, error: &ErrorObject) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        write_id(out, id);
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    let error = Raw::of(error).unwrap_or_default();
    write_raw(out, error.get());
    out.extend_from_slice(b"}\n");
}

/// Appends an id in its JSON type.
pub fn write_id(out: &mut Vec<u8>, id: &RequestId) {
    use std::io::Write as _;
    // Writing to a Vec cannot fail.
    match id {
        RequestId::Number(number) => drop(write!(out, "{number}")),
        RequestId::String(string) => write_string(out, string),
    }
}

/// Appends a string as JSON.
pub fn write_string(out: &mut Vec<u8>, string: &str) {
    drop(serde_json::to_writer(out, string));
}

/// Appends JSON text, on one line: a line break inside JSON can only be whitespace, and inside a message
/// it would end that message early.
pub fn write_raw(out: &mut Vec<u8>, json: &str) {
    let start = out.len();
    out.extend_from_slice(json.as_bytes());
    if memchr::memchr2(b'\n', b'\r', json.as_bytes()).is_some() {
        for byte in &mut out[start..] {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

mod batch;

pub use batch::MAX_BATCH;

#[cfg(test)]
mod tests;
