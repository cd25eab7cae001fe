//! One entry of `mcpServers`.

use jsonc_parser::ast::{ObjectProp, Value};
use mcp_definitions::{ServerDefinition, ServerId};

use crate::draft::Draft;
use crate::field::FIELDS;
use crate::foreign_key::{self, ForeignKey};
use crate::near_miss::near_miss;
use crate::node::{Node, shortened};
use crate::problem::Problem;
use crate::{Context, Defaults};

/// Reads one entry. What is passed over goes to `warn`, with its place.
pub(crate) fn read(
    id: ServerId,
    entry: &ObjectProp<'_>,
    defaults: &Defaults,
    cx: &Context<'_>,
    warn: &mut dyn FnMut(usize, String),
) -> Result<ServerDefinition, Problem> {
    let place = entry.range.start;
    let Value::Object(object) = &entry.value else {
        let remedy = "write { \"command\": \"…\", \"args\": [\"…\"] }";
        return Err(Problem::new(place, "it must be an object", remedy));
    };
    let mut draft = Draft::default();
    for property in &object.properties {
        let key = property.name.as_str();
        let at = property.range.start;
        match FIELDS.iter().find(|field| field.key == key) {
            Some(field) => {
                let node = Node::new(field.key, &property.value);
                if !node.is_null() {
                    draft.give(field, at);
                    (field.read)(&mut draft, &node, cx)?;
                }
            }
            None => unknown(&mut draft, key, at, warn)?,
        }
    }
    for (at, note) in draft.take_notes() {
        warn(at, note);
    }
    draft.finish(id, place, defaults)
}

fn unknown(
    draft: &mut Draft,
    key: &str,
    at: usize,
    warn: &mut dyn FnMut(usize, String),
) -> Result<(), Problem> {
    // The ways in which people write comments where comments are not allowed.
    if key.starts_with(['_', '$']) || key.starts_with("//") || key.starts_with('#') {
        return Ok(());
    }
    let shown = shortened(key);
    match foreign_key::find(key) {
        Some(ForeignKey::Needed {
            what,
            remedy,
            later,
        }) => {
            let problem = Problem::new(at, format!("{shown:?} {what}"), *remedy);
            if !later {
                return Err(problem);
            }
            draft.not_yet(problem);
        }
        Some(ForeignKey::Spare(what)) => warn(at, format!("{shown:?} {what}")),
        None => {
            let keys: Vec<_> = FIELDS.iter().map(|field| field.key).collect();
            if let Some(meant) = near_miss(key, &keys) {
                let what = format!("{shown:?} is not known");
                return Err(Problem::new(at, what, format!("did you mean {meant:?}?")));
            }
            warn(at, format!("{shown:?} is not known and is ignored"));
        }
    }
    Ok(())
}
