//! One entry of `mcpServers`, read from the layers that have it.

use jsonc_parser::ast::ObjectProp;
use mcp_definitions::ServerId;

use crate::Context;
use crate::blueprint::Blueprint;
use crate::draft::Draft;
use crate::field::FIELDS;
use crate::foreign_key::{self, ForeignKey};
use crate::layer::{At, Layer};
use crate::merged::MergedEntry;
use crate::near_miss::near_miss;
use crate::node::{Node, shortened};
use crate::problem::Problem;
use crate::source::Warn;

/// Keys that are not ours, looked at one by one before the rest is passed over together.
const MAX_UNKNOWN: usize = 16;

/// Reads one entry. What is passed over goes to `warn`.
pub(crate) fn read<'c>(
    id: ServerId,
    entry: &MergedEntry<'_>,
    cx: impl Fn(Layer) -> Context<'c>,
    warn: Warn<'_>,
) -> Result<Blueprint, Problem> {
    let mut draft = Draft::default();
    let mut unknown_keys = 0;
    for &(layer, property) in &entry.fields {
        let key = property.name.as_str();
        let at = place(layer, property);
        if let Some(field) = FIELDS.iter().find(|field| field.key == named(key)) {
            let node = Node::new(field.key, &property.value, layer);
            if !node.is_null() {
                let below = entry
                    .replaced
                    .iter()
                    .rev()
                    .find(|it| it.1.name.as_str() == key);
                let below = below.map(|(layer, property)| place(*layer, property));
                draft.give(field, at, below);
                (field.read)(&mut draft, &node, &cx(layer))?;
            }
        } else if !is_comment(key) {
            unknown_keys += 1;
            if unknown_keys <= MAX_UNKNOWN {
                unknown(&mut draft, key, at, warn)?;
            } else if unknown_keys == MAX_UNKNOWN + 1 {
                warn(at, "further keys that are not known are ignored".to_owned());
            }
        }
    }
    for (at, note) in draft.take_notes() {
        warn(at, note);
    }
    draft.finish(id, entry.name, entry.at)
}

/// The key that two hosts write otherwise.
fn named(key: &str) -> &str {
    match key {
        "transport" | "transportType" => "type",
        key => key,
    }
}

fn place(layer: Layer, property: &ObjectProp<'_>) -> At {
    let offset = property.range.start;
    At { layer, offset }
}

/// The ways in which people write comments where comments are not allowed.
fn is_comment(key: &str) -> bool {
    key.starts_with(['_', '$']) || key.starts_with("//") || key.starts_with('#')
}

fn unknown(draft: &mut Draft, key: &str, at: At, warn: Warn<'_>) -> Result<(), Problem> {
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
