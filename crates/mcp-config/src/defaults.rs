//! The `defaults` of a file: what its entries get when they do not say otherwise.

use std::collections::BTreeMap;
use std::time::Duration;

use jsonc_parser::ast::Value;
use mcp_definitions::ServerDefinition;

use crate::layer::{At, Layer};
use crate::near_miss::near_miss;
use crate::node::{Node, shortened};
use crate::problem::Problem;
use crate::source::Warn;

/// What the entries of a file get when they do not say otherwise; already part of the definitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// Longest wait for start, handshake and tool list together.
    pub startup_timeout: Option<Duration>,
    /// Longest wait for one call.
    pub tool_timeout: Option<Duration>,
    /// How long a server may be unused before it is stopped; zero is never.
    pub idle_timeout: Option<Duration>,
}

/// The keys of `defaults`, which are keys of an entry too.
pub(crate) const KEYS: &[&str] = &["startupTimeout", "toolTimeout", "idleTimeout"];

/// Most keys that are not ours and that are warned of.
const MAX_UNKNOWN: usize = 16;

/// The defaults of one file, with their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileDefaults {
    pub(crate) values: Defaults,
    pub(crate) places: BTreeMap<&'static str, At>,
}

impl Defaults {
    /// Fills in what a definition leaves open.
    pub(crate) fn fill(&self, definition: &mut ServerDefinition) {
        let or = |given: &mut Option<Duration>, default| *given = given.or(default);
        or(&mut definition.startup_timeout, self.startup_timeout);
        or(&mut definition.tool_timeout, self.tool_timeout);
        or(&mut definition.idle_timeout, self.idle_timeout);
    }
}

/// Reads `defaults`. What is wrong in it belongs to no entry, so it is passed over with a warning.
pub(crate) fn read(value: &Value<'_>, layer: Layer, warn: Warn<'_>) -> FileDefaults {
    let mut read = FileDefaults::default();
    let defaults = &mut read.values;
    let members = match Node::new("defaults", value, layer).members() {
        Ok(members) => members,
        Err(problem) => {
            pass_over(problem, warn);
            return read;
        }
    };
    let mut unknown_keys = 0;
    for (property, node) in members {
        if node.is_null() {
            continue;
        }
        let outcome = match property.name.as_str() {
            "startupTimeout" => node
                .timeout()
                .map(|span| defaults.startup_timeout = Some(span)),
            "toolTimeout" => node
                .timeout()
                .map(|span| defaults.tool_timeout = Some(span)),
            "idleTimeout" => node
                .duration()
                .map(|span| defaults.idle_timeout = Some(span)),
            _ if unknown_keys >= MAX_UNKNOWN => continue,
            unknown => {
                unknown_keys += 1;
                let meant = near_miss(unknown, KEYS);
                let hint = meant
                    .map(|key| format!("; did you mean {key:?}?"))
                    .unwrap_or_default();
                let what = format!(
                    "{:?} is not known and is ignored{hint}",
                    shortened(&node.label)
                );
                warn(node.place(property.range.start), what);
                continue;
            }
        };
        if let Err(problem) = outcome {
            pass_over(problem, warn);
            continue;
        }
        if let Some((at, note)) = node.odd_seconds() {
            warn(at, note);
        }
        if let Some(key) = KEYS.iter().find(|key| **key == property.name.as_str()) {
            read.places.insert(key, node.place(property.range.start));
        }
    }
    read
}

fn pass_over(problem: Problem, warn: Warn<'_>) {
    let Problem { at, reason, remedy } = problem;
    warn(at, format!("{reason}, and is ignored; {remedy}"));
}
