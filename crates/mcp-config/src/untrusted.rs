//! An entry of a project's file that is not used yet, and what it would do.

use std::fmt;
use std::path::PathBuf;

use jsonc_parser::ast::{ObjectProp, Value};
use mcp_definitions::Digest;

use crate::Held;
use crate::building::Named;
use crate::layer::{Layer, Place};
use crate::merged::MergedEntry;
use crate::node::shown;
use crate::template::Template;

/// An entry of a project's file that nobody has trusted as it is now. It is not used: nothing is
/// started, dialled or looked up because of it.
///
/// `Debug` and `Display` do not say what the entry would do; [`Untrusted::brings`] does, for the
/// person who is to decide.
#[derive(Clone, PartialEq, Eq)]
pub struct Untrusted {
    /// The entry's name as the file has it, without what a terminal would obey.
    pub name: String,
    /// The project's file.
    pub path: PathBuf,
    /// The line on which the entry begins.
    pub line: usize,
    /// What is trusted when it is: changes with every change of the definition.
    pub fingerprint: Digest,
    /// Whether the user has an entry of this name, which is used until then as it is.
    pub changes_yours: bool,
    /// Why the entry would be held even if it were trusted.
    pub problem: Option<Held>,
    brings: Vec<String>,
}

impl Untrusted {
    /// What the project's file says, for the person who decides: a line for each key, such as
    /// `command: "npx"`, and last the keys that the user's own entry of that name adds. Characters that a terminal would obey are escaped. Of `env` and `headers`
    /// only the names are there, and what they ask for.
    pub fn brings(&self) -> &[String] {
        &self.brings
    }
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name, path, line, ..
        } = self;
        let path = path.display();
        let until = if self.changes_yours {
            "; until then yours is used"
        } else {
            ""
        };
        write!(
            f,
            "{path}:{line}: server {name:?} is not used until you trust it: look at it, then run \
             posthouse trust{until}"
        )
    }
}

impl fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Untrusted")
            .field("name", &self.name)
            .field("path", &self.path)
            .field("line", &self.line)
            .field("fingerprint", &self.fingerprint)
            .field("changes_yours", &self.changes_yours)
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}

pub(crate) fn describe(
    named: &Named<'_>,
    place: Place,
    fingerprint: Digest,
    problem: Option<Held>,
) -> Untrusted {
    let of_project = |(layer, _): &&(Layer, _)| *layer == Layer::Project;
    let entry = named.entries.iter().find(of_project);
    let mut brings: Vec<String> = match entry.map(|(_, property)| &property.value) {
        Some(Value::Object(object)) => object
            .properties
            .iter()
            .map(|property| line(property.name.as_str(), &property.value))
            .collect(),
        _ => Vec::new(),
    };
    if let Some(kept) = kept(named) {
        brings.push(kept);
    }
    Untrusted {
        name: shown(named.name),
        path: place.path,
        line: place.line,
        fingerprint,
        changes_yours: named.entries.iter().any(|(layer, _)| *layer == Layer::User),
        problem,
        brings,
    }
}

/// What the user's own entry of the name adds: the user should know what a stranger's command gets.
fn kept(named: &Named<'_>) -> Option<String> {
    let merged = MergedEntry::of(named).ok()?;
    let of_user = |(layer, _): &&(Layer, &ObjectProp<'_>)| *layer == Layer::User;
    let keys = merged.fields.iter().filter(of_user);
    let keys: Vec<_> = keys
        .map(|(_, property)| shown(property.name.as_str()))
        .collect();
    (!keys.is_empty()).then(|| format!("(from yours: {})", keys.join(", ")))
}

fn line(key: &str, value: &Value<'_>) -> String {
    let mut text = format!("{}: ", shown(key));
    match (key, value) {
        ("env" | "headers", Value::Object(object)) => {
            let names = object.properties.iter().map(|property| {
                let asks = match &property.value {
                    Value::StringLit(text) => outline(&text.value),
                    _ => None,
                };
                let asks = asks.map(|asks| format!(" ({asks})")).unwrap_or_default();
                shown(property.name.as_str()) + &asks
            });
            text += &names.collect::<Vec<_>>().join(", ");
        }
        _ => write(&mut text, value),
    }
    text
}

/// What a value asks for, when it asks for something.
fn outline(text: &str) -> Option<String> {
    let template = Template::parse(text).ok()?;
    template
        .literal()
        .is_none()
        .then(|| shown(&template.outline()))
}

fn write(text: &mut String, value: &Value<'_>) {
    let list = |text: &mut String, open, items: Vec<String>, close| {
        text.push(open);
        *text += &items.join(", ");
        text.push(close);
    };
    let written = |value: &Value<'_>| {
        let mut text = String::new();
        write(&mut text, value);
        text
    };
    match value {
        Value::StringLit(found) => *text += &format!("{:?}", found.value),
        Value::NumberLit(number) => *text += number.value,
        Value::BooleanLit(flag) => *text += &flag.value.to_string(),
        Value::NullKeyword(_) => *text += "null",
        Value::Array(array) => {
            let items = array.elements.iter().map(written).collect();
            list(text, '[', items, ']');
        }
        Value::Object(object) => {
            let member = |property: &ObjectProp<'_>| {
                format!("{:?}: {}", property.name.as_str(), written(&property.value))
            };
            let members = object.properties.iter().map(member).collect();
            list(text, '{', members, '}');
        }
    }
}
