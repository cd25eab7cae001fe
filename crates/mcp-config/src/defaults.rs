//! The `defaults` of a file: what its entries get when they do not say otherwise.

use std::time::Duration;

use jsonc_parser::ast::Value;

use crate::near_miss::near_miss;
use crate::node::{Node, shortened};
use crate::problem::Problem;

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

const KEYS: &[&str] = &["startupTimeout", "toolTimeout", "idleTimeout"];

/// Reads `defaults`. What is wrong in it belongs to no entry, so it is passed over with a warning.
pub(crate) fn read(value: &Value<'_>, warn: &mut dyn FnMut(usize, String)) -> Defaults {
    let mut defaults = Defaults::default();
    let members = match Node::new("defaults", value).members() {
        Ok(members) => members,
        Err(problem) => {
            pass_over(problem, warn);
            return defaults;
        }
    };
    for (property, node) in members {
        if node.is_null() {
            continue;
        }
        let read = match property.name.as_str() {
            "startupTimeout" => node
                .timeout()
                .map(|span| defaults.startup_timeout = Some(span)),
            "toolTimeout" => node
                .timeout()
                .map(|span| defaults.tool_timeout = Some(span)),
            "idleTimeout" => node
                .duration()
                .map(|span| defaults.idle_timeout = Some(span)),
            unknown => {
                let meant = near_miss(unknown, KEYS);
                let hint = meant
                    .map(|key| format!("; did you mean {key:?}?"))
                    .unwrap_or_default();
                let what = format!(
                    "{:?} is not known and is ignored{hint}",
                    shortened(&node.label)
                );
                warn(property.range.start, what);
                continue;
            }
        };
        match (read, node.odd_seconds()) {
            (Err(problem), _) => pass_over(problem, warn),
            (Ok(()), Some((at, note))) => warn(at, note),
            (Ok(()), None) => {}
        }
    }
    defaults
}

fn pass_over(problem: Problem, warn: &mut dyn FnMut(usize, String)) {
    let Problem {
        offset,
        reason,
        remedy,
    } = problem;
    warn(offset, format!("{reason}, and is ignored; {remedy}"));
}
