//! What a project's entry says, in a form that does not change with spacing, comments and order.

use jsonc_parser::ast::Value;

use crate::building::Named;
use crate::files::Files;
use crate::layer::Layer;
use crate::merged::MergedEntry;

/// What is trusted when an entry is trusted: the file it stands in, its name, and every field after
/// layering, as written, with the folder that its paths belong to. Every key counts, known or not:
/// what is passed over today may mean something to the next version.
pub(crate) fn of(named: &Named<'_>, files: &Files) -> String {
    let mut text = String::new();
    let file = format!("{:?}", files.cx(Layer::Project).path);
    string(&mut text, &file);
    string(&mut text, named.name);
    let mut fields: Vec<(&str, Layer, &Value<'_>)> = match MergedEntry::of(named) {
        Ok(merged) => merged
            .fields
            .iter()
            .filter(|(_, property)| !matches!(property.value, Value::NullKeyword(_)))
            .map(|(layer, property)| (property.name.as_str(), *layer, &property.value))
            .collect(),
        // Not an object: it is held, but may become one.
        Err(_) => named
            .entries
            .iter()
            .map(|(layer, property)| ("", *layer, &property.value))
            .collect(),
    };
    fields.sort_by_key(|(key, layer, _)| (*key, *layer));
    for (key, layer, found) in fields {
        string(&mut text, key);
        let folder = format!("{:?}", files.cx(layer).folder);
        string(&mut text, &folder);
        value(&mut text, found);
        text.push('\n');
    }
    text
}

fn value(text: &mut String, found: &Value<'_>) {
    match found {
        Value::NullKeyword(_) => text.push_str("null"),
        Value::BooleanLit(flag) => text.push_str(if flag.value { "true" } else { "false" }),
        Value::NumberLit(number) => text.push_str(number.value),
        Value::StringLit(found) => string(text, &found.value),
        Value::Array(array) => {
            text.push('[');
            for item in &array.elements {
                value(text, item);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.properties.iter().collect();
            members.sort_by_key(|property| property.name.as_str());
            text.push('{');
            for property in members {
                string(text, property.name.as_str());
                value(text, &property.value);
                text.push(',');
            }
            text.push('}');
        }
    }
}

/// With its length, so that no text can look like the end of itself.
fn string(text: &mut String, found: &str) {
    text.push_str(&format!("{}:{found};", found.len()));
}
