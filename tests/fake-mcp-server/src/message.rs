//! One incoming line, with its ids and arguments kept as the text they came in.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// Fields by name, each as the text it came in: numbers no `f64` holds stay readable.
type Fields = BTreeMap<String, Box<RawValue>>;

/// A line that is an object.
#[derive(Debug, Default)]
pub(crate) struct Message {
    /// The id's JSON text, also when it is `null`.
    pub(crate) id: Option<String>,
    /// Absent in a response.
    pub(crate) method: Option<String>,
    params: Fields,
}

impl Message {
    /// `Err` holds the error to answer with: its code and its message.
    pub(crate) fn parse(line: &str) -> Result<Message, (i64, &'static str)> {
        if serde_json::from_str::<&RawValue>(line).is_err() {
            return Err((-32700, "Parse error"));
        }
        let fields: Fields =
            serde_json::from_str(line).map_err(|_| (-32600, "The message is not an object"))?;
        if text_of(&fields, "jsonrpc").as_deref() != Some("2.0") {
            return Err((-32600, "jsonrpc is not \"2.0\""));
        }
        Ok(Message {
            id: fields.get("id").map(|id| id.get().to_owned()),
            method: text_of(&fields, "method"),
            params: fields
                .get("params")
                .and_then(|params| serde_json::from_str(params.get()).ok())
                .unwrap_or_default(),
        })
    }

    /// The JSON text of one parameter, unless it is absent or `null`.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        self.params
            .get(name)
            .map(|raw| raw.get())
            .filter(|text| *text != "null")
    }

    /// One parameter, if it is a string.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        text_of(&self.params, name)
    }

    /// One parameter as a value; `Null` if it is absent or holds a number out of range.
    pub(crate) fn value(&self, name: &str) -> Value {
        self.raw(name)
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or_default()
    }
}

/// The field, if it is there and a string.
fn text_of(fields: &Fields, name: &str) -> Option<String> {
    serde_json::from_str(fields.get(name)?.get()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_keep_their_bytes() {
        let line =
            r#"{"jsonrpc":"2.0","id": 1.0 ,"method":"m","params":{"a":{ "n" : 1e400 },"b":null}}"#;
        let message = Message::parse(line).expect("an object");
        assert_eq!(message.id.as_deref(), Some("1.0"));
        assert_eq!(message.raw("a"), Some(r#"{ "n" : 1e400 }"#));
        assert_eq!(message.raw("b"), None);
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for (line, code) in [("{", -32700), ("[]", -32600), ("{}", -32600)] {
            assert_eq!(
                Message::parse(line).map_err(|error| error.0).err(),
                Some(code)
            );
        }
    }
}
