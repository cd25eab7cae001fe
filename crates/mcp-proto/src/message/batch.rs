//! Several messages in one line: a JSON array, in revision 2025-03-26 alone.

use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{DecodeError, Message};
use crate::{Revision, methods};

/// How many messages a batch may have.
pub const MAX_BATCH: usize = 1000;

impl Message {
    /// Decodes a line or a body for a peer of `revision`, which may hold one message or, in 2025-03-26, a
    /// batch of at most [`MAX_BATCH`] (protocol.md §1). A bad message in a batch costs itself alone.
    ///
    /// Batches are only read: the answers to one may go out one by one, which that revision allows.
    pub fn decode_batch(
        bytes: &[u8],
        revision: Revision,
    ) -> Result<Vec<Result<Message, DecodeError>>, DecodeError> {
        let begin = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        if begin != Some(&b'[') || revision != Revision::V2025_03_26 {
            return Message::decode(bytes).map(|message| vec![Ok(message)]);
        }
        let batch: Elements<'_> = serde_json::from_slice(bytes).map_err(DecodeError::NotJson)?;
        let refuse = |reason| Err(DecodeError::NotAMessage { reason, id: None });
        match batch.elements.len() {
            0 => refuse("an empty batch"),
            _ if batch.too_many => refuse("a batch of more than 1000 messages"),
            _ => Ok(batch.elements.into_iter().map(element).collect()),
        }
    }
}

fn element(element: &RawValue) -> Result<Message, DecodeError> {
    let message = Message::decode(element.get().as_bytes())?;
    match message {
        Message::Request(request) if &*request.method == methods::INITIALIZE => {
            Err(DecodeError::NotAMessage {
                reason: "initialize in a batch",
                id: Some(request.id),
            })
        }
        message => Ok(message),
    }
}

/// The elements of an array as text, as many as are allowed.
struct Elements<'a> {
    elements: Vec<&'a RawValue>,
    too_many: bool,
}

impl<'de> Deserialize<'de> for Elements<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ElementsVisitor;
        impl<'de> Visitor<'de> for ElementsVisitor {
            type Value = Elements<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Elements<'de>, A::Error> {
                let mut batch = Elements {
                    elements: Vec::new(),
                    too_many: false,
                };
                while let Some(element) = seq.next_element::<&'de RawValue>()? {
                    match batch.elements.len() < MAX_BATCH {
                        true => batch.elements.push(element),
                        false => batch.too_many = true,
                    }
                }
                Ok(batch)
            }
        }
        deserializer.deserialize_seq(ElementsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, revision: Revision) -> Result<Vec<String>, String> {
        let shown = |message: Result<Message, DecodeError>| match message {
            Ok(Message::Request(request)) => format!("request {}", request.id),
            Ok(Message::Notification(notification)) => format!("told {}", notification.method),
            Ok(Message::Response(_)) => "response".to_owned(),
            Err(error) => error.to_string(),
        };
        Message::decode_batch(text.as_bytes(), revision)
            .map(|messages| messages.into_iter().map(shown).collect())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn only_2025_03_26_has_batches() {
        let batch = r#" [{"id":1,"method":"ping"}]"#;
        for revision in Revision::ALL {
            let expected = match revision {
                Revision::V2025_03_26 => Ok(vec!["request 1".to_owned()]),
                _ => Err("a batch, which the negotiated revision does not have".to_owned()),
            };
            assert_eq!(decode(batch, revision), expected, "{revision}");
            let one = decode(r#"{"id":1,"method":"ping"}"#, revision);
            assert_eq!(one, Ok(vec!["request 1".to_owned()]), "{revision}");
        }
    }

    #[test]
    fn a_bad_message_costs_itself_alone() {
        assert_eq!(
            decode(
                r#"[{"id":1,"method":"ping"},7,[],{"id":2,"method":"initialize"},{"method":"n"},{"id":3,"result":{}}]"#,
                Revision::V2025_03_26
            ),
            Ok([
                "request 1",
                "not a JSON-RPC message: not an object",
                "a batch, which the negotiated revision does not have",
                "not a JSON-RPC message: initialize in a batch",
                "told n",
                "response",
            ]
            .map(str::to_owned)
            .to_vec())
        );
    }

    #[test]
    fn a_batch_has_at_least_one_message_and_not_too_many() {
        let revision = Revision::V2025_03_26;
        let of = |count: usize| format!("[{}]", vec![r#"{"method":"n"}"#; count].join(","));
        assert_eq!(
            decode("[ ]", revision),
            Err("not a JSON-RPC message: an empty batch".to_owned())
        );
        assert_eq!(
            decode(&of(MAX_BATCH), revision).map(|messages| messages.len()),
            Ok(MAX_BATCH)
        );
        assert_eq!(
            decode(&of(MAX_BATCH + 1), revision),
            Err(format!(
                "not a JSON-RPC message: a batch of more than {MAX_BATCH} messages"
            ))
        );
        assert!(decode("[1,", revision).is_err());
    }
}
