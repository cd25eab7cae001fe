//! What a revision demands and an older message lacks. A projection adds nothing, those who speak with the
//! peer do: here, so that what is left can be validated.

use serde_json::{Value, json};

use crate::official::{Official, allowed};

/// Every field that has to be added between revisions, with a value for it.
fn demanded(name: &str) -> Option<Value> {
    Some(match name {
        // 2026-07-28: what results and requests must have (protocol.md §4.1, §4.2, §4.9).
        "resultType" => json!("complete"),
        "ttlMs" => json!(0),
        "cacheScope" => json!("private"),
        "params" | "_meta" | "io.modelcontextprotocol/clientCapabilities" => json!({}),
        "io.modelcontextprotocol/protocolVersion" => json!("2026-07-28"),
        "io.modelcontextprotocol/subscriptionId" => json!(1),
        // 2025-11-25: questions at an address have an id there; a cancelled request must be named
        // everywhere else.
        "elicitationId" => json!("id"),
        "requestId" => json!(1),
        // A question that stood inside a result becomes a message.
        "jsonrpc" => json!("2.0"),
        "id" => json!(1),
        _ => return None,
    })
}

/// Adds to `value`, which is to be a `definition`, what is demanded and lacks.
pub(crate) fn meet(to: &Official, definition: &str, value: &mut Value) {
    fill(to, &to.at(definition), value);
}

fn fill(to: &Official, schemas: &[&Value], value: &mut Value) {
    match value {
        Value::Array(items) => {
            let inside = to.items(schemas);
            items.iter_mut().for_each(|item| fill(to, &inside, item));
        }
        Value::Object(object) => {
            let fitting: Vec<&Value> = schemas
                .iter()
                .copied()
                .filter(|schema| {
                    let named = schema.get("properties").and_then(Value::as_object);
                    named.into_iter().flatten().all(|(name, property)| {
                        match (allowed(property), object.get(name).and_then(Value::as_str)) {
                            (Some(allowed), Some(value)) => allowed.contains(&value),
                            _ => true,
                        }
                    })
                })
                .collect();
            for schema in &fitting {
                let required = schema.get("required").and_then(Value::as_array);
                for name in required.into_iter().flatten().filter_map(Value::as_str) {
                    if let Some(value) = demanded(name)
                        && !object.contains_key(name)
                    {
                        object.insert(name.to_owned(), value);
                    }
                }
            }
            for (name, value) in object {
                fill(to, &to.property(&fitting, name), value);
            }
        }
        _ => {}
    }
}
