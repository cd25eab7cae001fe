//! `posthouse describe`: a tool in full. Also how a tool that people name is found.

use mcp_gateway::{Directory, Found};
use mcp_manager::Manager;
use mcp_proto::{Raw, RawObject};

use super::absent;
use crate::cli::Global;
use crate::outcome::{Failure, Outcome};
use crate::waiting;

pub(super) async fn run(
    manager: &Manager,
    words: &[String],
    global: &Global,
) -> Result<Outcome, Failure> {
    let (server, tool) = match words {
        [server, tool] => (Some(server.clone()), tool.as_str()),
        [tool] => (None, tool.as_str()),
        _ => return Err(Failure::usage("describe needs a tool")),
    };
    let named = Named::find(manager, server, tool, global).await?;
    let found = named.directory.tool(&named.server, &named.tool);
    let found = found.ok_or_else(|| Failure::unavailable("the tool has gone"))?;
    let mut json = RawObject::default();
    json.push("server", Raw::of(found.server).unwrap_or_default());
    json.push("tool", found.tool.raw.clone());
    Ok(Outcome::done(in_full(&found), &json))
}

/// Everything about the tool, and a call to copy.
pub(super) fn in_full(found: &Found<'_>) -> String {
    let example = found.example().to_string();
    // A quote inside a shell's quotes ends them, stands for itself, and begins them anew.
    let quoted = if example == "{}" {
        String::new()
    } else {
        format!(" '{}'", example.replace('\'', r"'\''"))
    };
    format!(
        "{}\nexample: posthouse call {}{quoted}",
        found.describe(),
        found.reference()
    )
}

/// A tool that was found by the name that people gave it.
pub(super) struct Named {
    pub(super) directory: Directory,
    pub(super) server: String,
    pub(super) tool: String,
}

impl Named {
    /// Starts the server that the name tells, or all where it tells none, and finds the tool.
    pub(super) async fn find(
        manager: &Manager,
        server: Option<String>,
        tool: &str,
        global: &Global,
    ) -> Result<Self, Failure> {
        let server = server.or_else(|| server_in(manager, tool));
        let only: Vec<_> = server.iter().cloned().collect();
        let connections = waiting::chosen(manager, &only).map_err(Failure::usage)?;
        waiting::until_settled(&connections, global).await;
        if let (Some(_), [only]) = (&server, &connections[..])
            && only.generation().is_none()
        {
            return Err(absent::failure(tool, only));
        }
        let directory = Directory::of(manager);
        let resolved = directory.resolve(tool, server.as_deref());
        match resolved.map(|found| (found.server.to_owned(), found.tool.tool.name.clone())) {
            Ok((server, tool)) => Ok(Named {
                directory,
                server,
                tool,
            }),
            Err(error) => {
                let absent: Vec<_> = connections
                    .iter()
                    .filter(|connection| {
                        connection.definition().enabled && connection.generation().is_none()
                    })
                    .map(absent::told)
                    .collect();
                if absent.is_empty() {
                    return Err(Failure::usage(error.to_string()));
                }
                let message = format!("{error}\nnot available:\n{}", absent.join("\n"));
                Err(Failure::unavailable(message))
            }
        }
    }
}

/// The server that stands in the name of a tool.
fn server_in(manager: &Manager, tool: &str) -> Option<String> {
    let connections = manager.connections();
    let mut names = connections.iter().map(|connection| connection.name());
    let stands_in = |name: &str| {
        let rest = tool
            .strip_prefix("mcp__")
            .unwrap_or(tool)
            .strip_prefix(name)
            .or(tool.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with('/') || rest.starts_with("__"))
    };
    names.find(|name| stands_in(name)).map(str::to_owned)
}
