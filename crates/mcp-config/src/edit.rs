//! Changes to the text of a file that leave everything else as it was: comments, order, spacing.

use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use mcp_definitions::{HashKey, ServerId};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::document::{self, OPTIONS};
use crate::{ConfigError, Configuration, Context, Held, Layers, TrustStore};

/// Why a text was not changed. It reads after "failed to".
#[derive(Debug, Error)]
pub enum EditError {
    /// The text is broken as it is, and a change would make it worse.
    #[error("change the configuration: {0}")]
    Broken(#[from] ConfigError),
    /// There is a server of this name, or of one that comes to the same id.
    #[error("add {name:?}: {place} has {taken:?}; remove that first, or choose another name")]
    Taken {
        /// The name that was asked for.
        name: String,
        /// The name that is there.
        taken: String,
        /// The file.
        place: String,
    },
    /// There is no server of this name.
    #[error(
        "remove {name:?}: {place} has no server of that name; it has {}",
        list(there)
    )]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The file.
        place: String,
        /// The names that are there.
        there: Vec<String>,
    },
    /// The new entry would be held.
    #[error("add {name:?}: {}; {}", held.reason, held.remedy)]
    WouldBeHeld {
        /// The name that was asked for.
        name: String,
        /// Why.
        held: Box<Held>,
    },
    /// The text has a form in which the change cannot be made.
    #[error("change {0}: its form is not one that can be changed here; edit it by hand")]
    Form(
        /// The file.
        String,
    ),
}

/// The text with a server added at the end. `entry` is what stands after the name; one that would
/// be held is refused. An empty text becomes a file.
///
/// # Errors
/// See [`EditError`]. Nothing else of the text is changed.
pub fn add_server(
    text: &str,
    cx: &Context<'_>,
    name: &str,
    entry: &Map<String, Value>,
) -> Result<String, EditError> {
    let (mark, text) = marked(text);
    let text = match text.trim() {
        "" => "{\n  \"mcpServers\": {}\n}\n",
        _ => text,
    };
    let before = read(text, cx)?;
    let root = tree(text, cx)?;
    let servers = match servers(&root) {
        Some(servers) => servers,
        None => root
            .object_value_or_create()
            .and_then(|object| object.object_value_or_create("mcpServers"))
            .ok_or_else(|| form(cx))?,
    };
    let id = |name: &str| ServerId::slug(name).0.folded();
    if let Some(taken) = names(&servers).find(|it| id(it) == id(name)) {
        return Err(EditError::Taken {
            name: name.to_owned(),
            taken,
            place: cx.path.display().to_string(),
        });
    }
    let members = entry.iter().map(|(key, value)| (key.clone(), input(value)));
    servers.append(name, CstInputValue::Object(members.collect()));
    let changed = root.to_string();
    let after = read(&changed, cx).map_err(|_| form(cx))?;
    // What is added stands last.
    let added = after
        .held
        .last()
        .filter(|_| after.held.len() > before.held.len());
    match added {
        Some(held) => Err(EditError::WouldBeHeld {
            name: name.to_owned(),
            held: Box::new(held.clone()),
        }),
        None => Ok(mark.to_owned() + &changed),
    }
}

/// The text without a server. Comments outside the entry stay, but for one at the end of its last
/// line.
///
/// # Errors
/// See [`EditError`]. Nothing else of the text is changed.
pub fn remove_server(text: &str, cx: &Context<'_>, name: &str) -> Result<String, EditError> {
    let (mark, text) = marked(text);
    read(text, cx)?;
    let root = tree(text, cx)?;
    let servers = servers(&root).ok_or_else(|| unknown(name, cx, Vec::new()))?;
    let property = servers
        .properties()
        .into_iter()
        .find(|it| it.decoded_name().as_deref() == Some(name));
    let Some(property) = property else {
        return Err(unknown(name, cx, names(&servers).collect()));
    };
    property.remove();
    let changed = root.to_string();
    read(&changed, cx).map_err(|_| form(cx))?;
    Ok(mark.to_owned() + &changed)
}

/// The mark that some editors put before a text, and the text.
fn marked(text: &str) -> (&str, &str) {
    let without = document::without_mark(text);
    text.split_at(text.len() - without.len())
}

/// Reads without filling in: what an entry asks for is not looked up.
fn read(text: &str, cx: &Context<'_>) -> Result<Configuration, ConfigError> {
    let layers = Layers::new().user_text(text, *cx);
    Configuration::read(&layers, &TrustStore::new(HashKey::new([0; 32])))
}

fn tree(text: &str, cx: &Context<'_>) -> Result<CstRootNode, EditError> {
    CstRootNode::parse(text, &OPTIONS).map_err(|_| form(cx))
}

fn servers(root: &CstRootNode) -> Option<CstObject> {
    let object = root.object_value()?;
    let found = object.object_value("mcpServers");
    found.or_else(|| object.object_value("servers"))
}

fn names(servers: &CstObject) -> impl Iterator<Item = String> {
    let properties = servers.properties().into_iter();
    properties.filter_map(|property| property.decoded_name())
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| (key.clone(), input(value));
            CstInputValue::Object(members.iter().map(member).collect())
        }
    }
}

fn form(cx: &Context<'_>) -> EditError {
    EditError::Form(cx.path.display().to_string())
}

fn unknown(name: &str, cx: &Context<'_>, there: Vec<String>) -> EditError {
    EditError::Unknown {
        name: name.to_owned(),
        place: cx.path.display().to_string(),
        there,
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}

#[cfg(test)]
mod tests;
