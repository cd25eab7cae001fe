//! The values that may not appear in anything we write, known to the whole process.
//!
//! What tools give back is not ours and is never touched.

use std::borrow::Cow;
use std::sync::{PoisonError, RwLock};

use mcp_config::Secrets;
use mcp_definitions::ServerDefinition;

/// Only ever grows: what was secret before a reload still is.
static KNOWN: RwLock<Option<Secrets>> = RwLock::new(None);

/// From here on these values are struck out.
pub(crate) fn learn(secrets: &Secrets) {
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    known.extend(secrets);
    // As they stand in texts that quote them, such as a `{:?}` in a log.
    for value in secrets.iter() {
        known.add(&quoted(value));
    }
}

/// The same for what stands in definitions whose values have not been filled in. What asks for a value
/// is none.
pub(crate) fn learn_written<'d>(definitions: impl Iterator<Item = &'d ServerDefinition>) {
    let mut written = Secrets::default();
    for definition in definitions {
        let own = Secrets::of(definition);
        let values = own.iter().filter(|value| !value.contains("${"));
        values.for_each(|value| written.add(value));
    }
    learn(&written);
}

/// The text without them.
pub(crate) fn redacted(text: &str) -> Cow<'_, str> {
    match &*KNOWN.read().unwrap_or_else(PoisonError::into_inner) {
        Some(known) => known.redact(text),
        None => Cow::Borrowed(text),
    }
}

/// A JSON text without them: only its strings are looked at, and no key is, so that it stays JSON with
/// the same keys and numbers.
pub(crate) fn redacted_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(start) = rest.find('"') {
        out.push_str(&rest[..start]);
        let end = end_of_string(&rest[start..]).map_or(rest.len(), |length| start + length);
        let (string, after) = (&rest[start..end], &rest[end..]);
        let is_key = after.trim_start().starts_with(':');
        match serde_json::from_str::<String>(string) {
            Ok(text) if !is_key && matches!(redacted(&text), Cow::Owned(_)) => {
                out.push_str(&serde_json::Value::from(redacted(&text).as_ref()).to_string());
            }
            _ => out.push_str(string),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// How long the string is that begins with the first byte, with both of its quotes.
fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn quoted(value: &str) -> String {
    let json = serde_json::Value::from(value).to_string();
    json.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned() {
        let mut secrets = Secrets::default();
        secrets.add("s3cret-unit");
        secrets.add("with\"quote-unit");
        learn(&secrets);
    }

    #[test]
    fn what_was_learned_is_struck_out_plain_and_quoted() {
        learned();
        assert_eq!(redacted("a s3cret-unit b"), "a [redacted] b");
        assert_eq!(redacted("with\"quote-unit"), "[redacted]");
        assert_eq!(
            redacted(&format!("{:?}", "with\"quote-unit")),
            "\"[redacted]\""
        );
        assert_eq!(redacted("nothing"), "nothing");
    }

    #[test]
    fn json_stays_json_with_its_keys_and_numbers() {
        learned();
        let json = r#"{"s3cret-unit" : 1e400, "a": ["x \" s3cret-unit \\", "with\"quote-unit"], "b": "\u0073"}"#;
        let expected =
            r#"{"s3cret-unit" : 1e400, "a": ["x \" [redacted] \\", "[redacted]"], "b": "\u0073"}"#;
        assert_eq!(redacted_json(json), expected);
        assert_eq!(redacted_json("\"torn s3cret"), "\"torn s3cret");
        assert_eq!(redacted_json(""), "");
    }
}
