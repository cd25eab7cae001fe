//! What comes of a configuration file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use mcp_definitions::{ServerId, ServerSet};

use crate::position::Lines;
use crate::{ConfigError, Context, Defaults, Held, Warning, defaults, document, entry, top_level};

/// What comes of a configuration file: the servers it defines, and what was not right in it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file, as messages name it.
    pub path: PathBuf,
    /// The servers, enabled and disabled ones, in the order of the file.
    pub servers: ServerSet,
    /// The entries that are not loaded, in the order of the file.
    pub held: Vec<Held>,
    /// What was passed over or changed, in the order of the file.
    pub warnings: Vec<Warning>,
    /// What entries get when they do not say otherwise; already part of `servers`.
    pub defaults: Defaults,
    lines: BTreeMap<ServerId, usize>,
}

impl Loaded {
    /// The line on which a loaded server's entry begins.
    pub fn line(&self, id: &ServerId) -> Option<usize> {
        self.lines.get(id).copied()
    }

    /// Where a loaded server's entry begins, as `path:line`.
    pub fn place(&self, id: &ServerId) -> Option<String> {
        Some(format!("{}:{}", self.path.display(), self.line(id)?))
    }
}

/// Reads the file `cx.path`. Blocks on the file system.
///
/// # Errors
/// When the file is broken as a whole: it cannot be read, is not JSON with comments, has a key
/// twice in one object, or keeps its servers where they are not looked for. What is wrong inside
/// one entry is no error: see [`Loaded::held`].
pub fn load(cx: &Context<'_>) -> Result<Loaded, ConfigError> {
    parse(&document::read(cx)?, cx)
}

/// Reads a text as the file `cx.path`, which is not touched.
///
/// # Errors
/// As [`load`], but for reading.
pub fn parse(text: &str, cx: &Context<'_>) -> Result<Loaded, ConfigError> {
    let text = document::without_mark(text);
    let lines = Lines::new(text);
    let root = document::root(text, &lines, cx)?;
    let mut warnings: Vec<Warning> = Vec::new();
    let mut warn = |offset, message| {
        warnings.push(Warning {
            line: lines.line(offset),
            name: None,
            message,
        });
    };
    let entries = top_level::entries(&root, &lines, cx, &mut warn)?;
    top_level::warn_of_others(&root, &mut warn);
    let given = root.get("defaults");
    let defaults = given
        .map(|found| defaults::read(&found.value, &mut warn))
        .unwrap_or_default();

    let mut servers = ServerSet::new();
    let mut places = BTreeMap::new();
    let mut held: Vec<Held> = Vec::new();
    for property in entries
        .map(|entries| entries.properties.iter())
        .into_iter()
        .flatten()
    {
        let name = property.name.as_str();
        let line = lines.line(property.range.start);
        let mut warn = |offset, message| {
            warnings.push(Warning {
                line: lines.line(offset),
                name: Some(name.to_owned()),
                message,
            });
        };
        let (id, changed) = ServerId::slug(name);
        if changed {
            warn(
                property.range.start,
                format!("the name is not a server id; it is called {id} here"),
            );
        }
        let mut hold = |line, reason, remedy| {
            held.push(Held {
                name: name.to_owned(),
                id: Some(id.clone()),
                line,
                reason,
                remedy,
            });
        };
        match entry::read(id.clone(), property, &defaults, cx, &mut warn) {
            Err(problem) => hold(lines.line(problem.offset), problem.reason, problem.remedy),
            Ok(definition) => match servers.insert(definition) {
                Err(error) => hold(line, error.to_string(), "rename one of them".to_owned()),
                Ok(()) => {
                    places.insert(id, line);
                }
            },
        }
    }
    // Only now is it known which ids are taken.
    let mut taken: BTreeSet<String> = servers.iter().map(|server| server.id.folded()).collect();
    for entry in &mut held {
        entry.id = entry.id.take().filter(|id| taken.insert(id.folded()));
    }
    warnings.sort_by_key(|warning| warning.line);
    Ok(Loaded {
        path: cx.path.to_owned(),
        servers,
        held,
        warnings,
        defaults,
        lines: places,
    })
}

#[cfg(test)]
mod tests;
