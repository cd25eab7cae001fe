//! The ways in which people and models name a tool, and the help when a name fits none.

use mcp_manager::printable;

use super::{Directory, Found};

/// Why a name leads to no tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LookupError {
    /// Several servers have a tool of this name.
    #[error("{name:?} is a tool of several servers: {}; name the one you mean", list(.candidates))]
    Ambiguous {
        /// The name.
        name: String,
        /// What it could be, as `<server>/<tool>`.
        candidates: Vec<String>,
    },
    /// No server is known to have it.
    #[error("no tool {name:?} is known; {}", help(.suggestions))]
    Unknown {
        /// The name.
        name: String,
        /// What comes near, as `<server>/<tool>`.
        suggestions: Vec<String>,
    },
}

fn list(names: &[String]) -> String {
    names
        .iter()
        .map(|name| printable(name, 120))
        .collect::<Vec<_>>()
        .join(", ")
}

fn help(suggestions: &[String]) -> String {
    if suggestions.is_empty() {
        "search with plain words".to_owned()
    } else {
        format!("did you mean {}?", list(suggestions))
    }
}

impl Directory {
    /// The tool that `name` means: `<server>/<tool>`, `<server>__<tool>`, `mcp__<server>__<tool>`, the
    /// tool alone where one server has it, or tool and server apart.
    pub fn resolve(&self, name: &str, server: Option<&str>) -> Result<Found<'_>, LookupError> {
        if let Some(server) = server {
            let bare = name
                .strip_prefix(server)
                .and_then(strip_separator)
                .unwrap_or(name);
            let found = self.tool(server, name).or_else(|| self.tool(server, bare));
            return found.map_or_else(|| self.alike(name, Some(server)), Ok);
        }
        let exact = self.servers.iter().find_map(|(server, _)| {
            let name = name
                .strip_prefix("mcp__")
                .filter(|rest| rest.starts_with(server))
                .unwrap_or(name);
            self.tool(
                server,
                strip_separator(name.strip_prefix(server.as_str())?)?,
            )
        });
        if let Some(found) = exact {
            return Ok(found);
        }
        let everywhere: Vec<_> = self
            .servers
            .iter()
            .filter_map(|(server, _)| self.tool(server, name))
            .collect();
        match everywhere[..] {
            [found] => Ok(found),
            [] => self.alike(name, None),
            _ => Err(LookupError::Ambiguous {
                name: name.to_owned(),
                candidates: everywhere.iter().map(Found::reference).collect(),
            }),
        }
    }

    /// The one tool whose name differs in `-`, `_` or case only; else suggestions.
    fn alike(&self, name: &str, server: Option<&str>) -> Result<Found<'_>, LookupError> {
        let alike: Vec<_> = self
            .index
            .named(name, server)
            .iter()
            .filter_map(|hit| self.found(hit))
            .collect();
        if let [found] = alike[..] {
            return Ok(found);
        }
        if alike.len() > 1 {
            return Err(LookupError::Ambiguous {
                name: name.to_owned(),
                candidates: alike.iter().map(Found::reference).collect(),
            });
        }
        let near = self.index.suggest(name);
        let suggestions = near
            .iter()
            .filter(|hit| server.is_none_or(|server| server == hit.server));
        let suggestions = suggestions
            .map(|hit| format!("{}/{}", hit.server, hit.name))
            .collect();
        Err(LookupError::Unknown {
            name: name.to_owned(),
            suggestions,
        })
    }
}

fn strip_separator(rest: &str) -> Option<&str> {
    rest.strip_prefix('/').or_else(|| rest.strip_prefix("__"))
}
