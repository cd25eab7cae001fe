//! Values and names of a schema as they are shown.

use serde_json::Value;

use crate::printable::printable;
use crate::tokens::clip;

/// Bytes of one literal.
const MAX_LITERAL: usize = 80;

/// A value as a literal, cut when it is long; lists and objects only by their kind.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) if items.is_empty() => "[]".to_owned(),
        Value::Array(_) => "[…]".to_owned(),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(_) => "{…}".to_owned(),
        simple => cut(&simple.to_string()),
    }
}

/// A property's name, quoted unless it is an identifier.
pub(super) fn property(name: &str) -> String {
    let mut chars = name.chars();
    let starts = chars
        .next()
        .is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    if starts
        && name.len() <= MAX_LITERAL
        && chars.all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    {
        name.to_owned()
    } else {
        quoted(name)
    }
}

fn quoted(text: &str) -> String {
    // Escaping first keeps what a line break was; what is hidden and needs no escape goes after.
    let text = cut(text);
    let escaped = serde_json::to_string(&text).unwrap_or_default();
    printable(&escaped).into_owned()
}

fn cut(text: &str) -> String {
    let kept = clip(text, MAX_LITERAL);
    if kept.len() == text.len() {
        text.to_owned()
    } else {
        format!("{kept}…")
    }
}
