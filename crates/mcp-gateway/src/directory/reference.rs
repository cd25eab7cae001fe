//! The ways in which people and models name a tool, and the help when a name fits none.

use mcp_manager::printable;

use super::{Directory, Found};

/// How many names are told at most where one of them is to be chosen.
const MAX_CANDIDATES: usize = 10;
/// The longest name that is told, in characters.
const MAX_SHOWN: usize = 160;

/// Why a name leads to no tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// Several servers have a tool of this name.
    #[error("{} is a tool of several servers: {}; name the one you mean", quoted(.name), list(.candidates))]
    Ambiguous {
        /// The name.
        name: String,
        /// What it could be, as `<server>/<tool>`.
        candidates: Vec<String>,
    },
    /// No server is known to have it.
    #[error("no tool {} is known; {}", quoted(.name), help(.suggestions))]
    Unknown {
        /// The name.
        name: String,
        /// What comes near, as `<server>/<tool>`.
        suggestions: Vec<String>,
    },
}

/// A name that somebody gave, fit to be shown whatever it holds.
pub(crate) fn quoted(name: &str) -> String {
    format!("{:?}", printable(name, MAX_SHOWN))
}

fn list(names: &[String]) -> String {
    let shown = names.iter().take(MAX_CANDIDATES);
    let mut shown: Vec<_> = shown.map(|name| printable(name, MAX_SHOWN)).collect();
    if names.len() > MAX_CANDIDATES {
        shown.push(format!("{} more", names.len() - MAX_CANDIDATES));
    }
    shown.join(", ")
}

fn help(suggestions: &[String]) -> String {
    if suggestions.is_empty() {
        "search with plain words".to_owned()
    } else {
        format!("the nearest: {}", list(suggestions))
    }
}

impl Directory {
    /// The tool that `name` means: `<server>/<tool>`, `<server>__<tool>`, `mcp__<server>__<tool>`, the
    /// tool alone where one server has it, or tool and server apart.
    pub fn resolve(&self, name: &str, server: Option<&str>) -> Result<Found<'_>, LookupError> {
        if let Some(server) = server {
            let found = self.tool(server, name);
            let found = found.or_else(|| self.tool(server, behind(server, name)?));
            return found.map_or_else(|| self.alike(name, Some(server)), Ok);
        }
        let exact = self
            .servers()
            .find_map(|(server, _)| self.tool(server, behind(server, name)?));
        if let Some(found) = exact {
            return Ok(found);
        }
        let everywhere: Vec<_> = self.everywhere(name).collect();
        match everywhere[..] {
            [found] => Ok(found),
            [] => self.alike(name, None),
            _ => Err(ambiguous(name, &everywhere)),
        }
    }

    /// The one tool whose name differs in `-`, `_` or case only; else suggestions.
    fn alike(&self, name: &str, server: Option<&str>) -> Result<Found<'_>, LookupError> {
        let alike = self.index().named(name, server);
        let alike: Vec<_> = alike.iter().filter_map(|hit| self.found(hit)).collect();
        match alike[..] {
            [found] => Ok(found),
            [] => Err(LookupError::Unknown {
                name: name.to_owned(),
                suggestions: self
                    .near(name)
                    .filter(|found| server.is_none_or(|server| server == found.server))
                    .map(|found| found.reference())
                    .collect(),
            }),
            _ => Err(ambiguous(name, &alike)),
        }
    }

    /// The few tools whose names come nearest to `name`.
    pub(crate) fn near(&self, name: &str) -> impl Iterator<Item = Found<'_>> {
        let near = self.index().suggest(name).into_iter();
        near.filter_map(|hit| self.found(&hit))
    }
}

fn ambiguous(name: &str, candidates: &[Found<'_>]) -> LookupError {
    LookupError::Ambiguous {
        name: name.to_owned(),
        candidates: candidates.iter().map(Found::reference).collect(),
    }
}

/// The name of a tool behind that of its server: of `<server>/<tool>`, `<server>__<tool>` and
/// `mcp__<server>__<tool>`.
pub(crate) fn behind<'n>(server: &str, name: &'n str) -> Option<&'n str> {
    let bare = name.strip_prefix("mcp__").unwrap_or(name);
    [name, bare].into_iter().find_map(|name| {
        let rest = name.strip_prefix(server)?;
        rest.strip_prefix('/').or_else(|| rest.strip_prefix("__"))
    })
}
