//! The keys of the file itself: which of them holds the servers, and what the others are.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;

use crate::near_miss::near_miss;
use crate::node::shortened;
use crate::position::Lines;
use crate::{ConfigError, Context};

const SERVERS: &str = "mcpServers";

/// Keys under which other programs keep their servers, in entries of another form.
const OF_OTHERS: &[&str] = &["context_servers", "mcp", "amp.mcpServers", "extensions"];

const OURS: &[&str] = &["$schema", SERVERS, "defaults", "executors", "views"];

/// Most keys that are looked at for what was meant.
const MAX_LOOKED_AT: usize = 200;

/// The entries of the file, in order; `None` when it has none.
///
/// # Errors
/// When they are not an object, or stand where they are not looked for. Taking such a file for one
/// without servers would, on a reload, stop all that run.
pub(crate) fn entries<'o>(
    root: &'o Object<'o>,
    lines: &Lines<'_>,
    cx: &Context<'_>,
    warn: &mut dyn FnMut(usize, String),
) -> Result<Option<&'o Object<'o>>, ConfigError> {
    let shape = |at: usize, cause: String, remedy: &str| ConfigError::Shape {
        path: cx.path.to_owned(),
        position: lines.position(at),
        cause,
        remedy: remedy.to_owned(),
    };
    // `servers` is what one host calls it; the entries have the same form.
    if let Some(found) = root.get(SERVERS).or_else(|| root.get("servers")) {
        let Value::Object(entries) = &found.value else {
            let cause = format!("{:?} must be an object", found.name.as_str());
            let remedy = "write { \"NAME\": { \"command\": \"…\" } }";
            return Err(shape(found.value.range().start, cause, remedy));
        };
        return Ok(Some(entries));
    }
    if let Some(found) = root.get("command").or_else(|| root.get("url")) {
        let cause = format!("there is no {SERVERS:?}, but a server without a name");
        let remedy = "write { \"mcpServers\": { \"NAME\": { … } } }";
        return Err(shape(found.range.start, cause, remedy));
    }
    for property in root.properties.iter().take(MAX_LOOKED_AT) {
        let (key, at) = (property.name.as_str(), property.range.start);
        if near_miss(key, &[SERVERS, "servers"]).is_some() {
            let cause = format!("there is no {SERVERS:?}, but {:?}", shortened(key));
            return Err(shape(at, cause, "did you mean \"mcpServers\"?"));
        }
        if OF_OTHERS.contains(&key) {
            let cause = format!("there is no {SERVERS:?}; {key:?} is another program's form");
            return Err(shape(at, cause, "move its entries to \"mcpServers\""));
        }
        if looks_like_an_entry(property) {
            let cause = format!(
                "there is no {SERVERS:?}, but {:?} looks like a server",
                shortened(key)
            );
            return Err(shape(
                at,
                cause,
                "put the servers into { \"mcpServers\": { … } }",
            ));
        }
    }
    warn(
        root.range.start,
        format!("there is no {SERVERS:?}, so no servers are configured"),
    );
    Ok(None)
}

fn looks_like_an_entry(property: &ObjectProp<'_>) -> bool {
    match &property.value {
        Value::Object(entry) => entry.get("command").is_some() || entry.get("url").is_some(),
        _ => false,
    }
}

/// Warns of the keys that are passed over. Other programs keep much else in such a file, so what
/// is simply not ours is one warning together.
pub(crate) fn warn_of_others(root: &Object<'_>, warn: &mut dyn FnMut(usize, String)) {
    let mut others: Vec<&ObjectProp<'_>> = Vec::new();
    for (place, property) in root.properties.iter().enumerate() {
        let (key, at) = (property.name.as_str(), property.range.start);
        match key {
            "executors" | "views" => {
                warn(
                    at,
                    format!("{key:?} is not available in this version and is ignored"),
                );
            }
            // What `${input:…}` refers to: the entry that uses it is held and says so.
            "inputs" => {}
            "servers" if root.get(SERVERS).is_some() => {
                warn(
                    at,
                    format!("\"servers\" is ignored, since there is {SERVERS:?}"),
                );
            }
            _ if key == "servers" || OURS.contains(&key) || key.starts_with(['_', '/', '#']) => {}
            _ if place >= MAX_LOOKED_AT => others.push(property),
            _ => match near_miss(key, OURS) {
                Some(meant) => {
                    let shown = shortened(key);
                    warn(
                        at,
                        format!("{shown:?} is not known and is ignored; did you mean {meant:?}?"),
                    );
                }
                None => others.push(property),
            },
        }
    }
    let Some(first) = others.first() else {
        return;
    };
    let shown = others
        .iter()
        .take(5)
        .map(|other| format!("{:?}", shortened(other.name.as_str())));
    let mut list = shown.collect::<Vec<_>>().join(", ");
    if others.len() > 5 {
        list += &format!(" and {} more", others.len() - 5);
    }
    let (is, are) = if others.len() == 1 {
        ("is", "is")
    } else {
        ("are", "are")
    };
    warn(
        first.range.start,
        format!("{list} {is} not known and {are} ignored"),
    );
}
