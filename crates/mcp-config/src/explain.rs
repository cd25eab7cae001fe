//! Where each field of an entry comes from, for `posthouse config explain`.

mod fields;

use std::fmt;

use mcp_definitions::ServerId;
use serde_json::{Value, json};

use crate::layer::Place;
use crate::node::shown;
use crate::{Configuration, Held, Untrusted};

/// What became of an entry, and where each of its fields comes from.
///
/// `Display` is what a person reads; [`Explanation::to_json`] what a program does. Neither holds a
/// value of `env` or `headers`, an argument that may be a secret, or more of a URL than its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The entry's name as the file has it, without what a terminal would obey.
    pub name: String,
    /// The id, when it is loaded.
    pub id: Option<ServerId>,
    /// Where the entry begins.
    pub place: Place,
    /// What became of it.
    pub state: EntryState,
    /// Its fields, in a fixed order; none when it is held or not trusted.
    pub fields: Vec<ExplainedField>,
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryState {
    /// It is loaded.
    Loaded,
    /// It is loaded, and disabled.
    Disabled,
    /// It is held.
    Held(Held),
    /// It stands in a project's file and is not trusted.
    Untrusted(Untrusted),
}

/// One field of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedField {
    /// The key, such as `command`, or `env.TOKEN` for one variable.
    pub key: String,
    /// The value as it may be shown.
    pub value: String,
    /// Where it comes from.
    pub origin: FieldOrigin,
    /// Where the user's file says something else, which the project's replaces.
    pub replaced: Option<Place>,
}

/// Where a field comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldOrigin {
    /// The entry gives it.
    Entry(Place),
    /// The `defaults` of a file give it.
    Defaults(Place),
    /// Nobody gives it.
    BuiltIn,
}

impl Configuration {
    /// Explains the entries of this name or id, or all of them: those that are loaded in the order
    /// of the files, then those that are held, then those that are not trusted. Values are not
    /// filled in; [`Configuration::expand`] says whether they can be.
    pub fn explain(&self, name: Option<&str>) -> Vec<Explanation> {
        let loaded = self.blueprints.iter().map(|blueprint| Explanation {
            name: shown(&blueprint.name),
            id: Some(blueprint.definition.id.clone()),
            place: self.files.place(blueprint.at),
            state: match blueprint.definition.enabled {
                true => EntryState::Loaded,
                false => EntryState::Disabled,
            },
            fields: fields::of(self, blueprint),
        });
        let held = self.held.iter().map(|held| Explanation {
            name: held.name.clone(),
            id: None,
            place: Place {
                path: held.path.clone(),
                line: held.line,
            },
            state: EntryState::Held(held.clone()),
            fields: Vec::new(),
        });
        let untrusted = self.untrusted.iter().map(|entry| Explanation {
            name: entry.name.clone(),
            id: None,
            place: Place {
                path: entry.path.clone(),
                line: entry.line,
            },
            state: EntryState::Untrusted(entry.clone()),
            fields: Vec::new(),
        });
        let wanted = |it: &Explanation| {
            name.is_none_or(|name| {
                it.name == name || it.id.as_ref().is_some_and(|id| id.as_str() == name)
            })
        };
        loaded.chain(held).chain(untrusted).filter(wanted).collect()
    }
}

impl Explanation {
    /// The explanation as JSON.
    pub fn to_json(&self) -> Value {
        let (state, reason) = match &self.state {
            EntryState::Loaded => ("loaded", None),
            EntryState::Disabled => ("disabled", None),
            EntryState::Held(held) => ("held", Some(format!("{}; {}", held.reason, held.remedy))),
            EntryState::Untrusted(_) => ("untrusted", None),
        };
        let field = |field: &ExplainedField| {
            let (origin, place) = match &field.origin {
                FieldOrigin::Entry(place) => ("entry", Some(place)),
                FieldOrigin::Defaults(place) => ("defaults", Some(place)),
                FieldOrigin::BuiltIn => ("built-in", None),
            };
            json!({
                "key": field.key,
                "value": field.value,
                "origin": origin,
                "place": place.map(ToString::to_string),
                "replaces": field.replaced.as_ref().map(ToString::to_string),
            })
        };
        json!({
            "name": self.name,
            "id": self.id.as_ref().map(ServerId::as_str),
            "place": self.place.to_string(),
            "state": state,
            "reason": reason,
            "fields": self.fields.iter().map(field).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.state {
            EntryState::Loaded => write!(f, "{} ({})", self.name, self.place)?,
            EntryState::Disabled => write!(f, "{} ({}), disabled", self.name, self.place)?,
            EntryState::Held(held) => return held.fmt(f),
            EntryState::Untrusted(entry) => {
                entry.fmt(f)?;
                let lines = entry.brings().iter();
                return lines
                    .into_iter()
                    .try_for_each(|line| write!(f, "\n  {line}"));
            }
        }
        if let Some(id) = self.id.as_ref().filter(|id| id.as_str() != self.name) {
            write!(f, ", id {id}")?;
        }
        for field in &self.fields {
            write!(f, "\n  {}: {}", field.key, field.value)?;
            match &field.origin {
                FieldOrigin::Entry(place) => write!(f, "  ({place}")?,
                FieldOrigin::Defaults(place) => write!(f, "  (defaults, {place}")?,
                FieldOrigin::BuiltIn => write!(f, "  (not set")?,
            }
            match &field.replaced {
                Some(place) => write!(f, ", in place of {place})")?,
                None => write!(f, ")")?,
            }
        }
        Ok(())
    }
}
