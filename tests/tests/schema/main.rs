//! The official schemas of the five revisions against what we read, write and project.
//!
//! `MCP_SCHEMA_DIR` names the folder that has them (D34). Counts are printed: run with `--nocapture`.

use serde_json::Value;

mod definitions;
mod demand;
mod foreign;
mod golden;
mod ladder;
mod official;
mod rows;
mod sample;
mod subject;
mod types;

use official::Official;

/// Equal as JSON, where 1 and 1.0 are the same number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Panics with what is wrong with `text` as a `definition` for a peer of `to`.
fn check(all: &[Official], to: &Official, definition: &str, value: &Value, about: &str) {
    let errors = to.errors(definition, value);
    assert!(
        errors.is_empty(),
        "{about}\nno {definition} of {}: {errors:#?}\n{value}",
        to.revision
    );
    let foreign = foreign::keys(to, all, definition, value);
    assert!(
        foreign.is_empty(),
        "{about}\n{} does not have {foreign:?}\n{value}",
        to.revision
    );
}
