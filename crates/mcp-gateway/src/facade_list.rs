//! The tools of all servers as a facade lists them: under names of the facade, otherwise as they were.

use std::collections::HashMap;
use std::sync::Arc;

use mcp_proto::{Raw, RawObject};

use crate::{Directory, Found, facade_names, repair};

/// Facade name to server and original name.
pub(crate) type Names = HashMap<String, (String, String)>;

/// All tools at one time.
pub(crate) struct FacadeList {
    /// What is listed, in the order of the configuration and of each server.
    pub(crate) items: Arc<[Raw]>,
    /// What the names mean.
    pub(crate) names: Arc<Names>,
}

impl FacadeList {
    pub(crate) fn of(directory: &Directory) -> Self {
        let tools: Vec<_> = directory
            .servers()
            .flat_map(|(server, generation)| {
                generation.tools.iter().map(move |tool| (server, tool))
            })
            .collect();
        let pairs = tools
            .iter()
            .map(|(server, tool)| (*server, tool.tool.name.as_str()));
        let mut names = Names::new();
        let mut items = Vec::with_capacity(tools.len());
        for ((server, tool), name) in tools.iter().zip(facade_names(pairs)) {
            if let Some(item) = renamed(&tool.raw, &name) {
                items.push(item);
                names.insert(name, ((*server).to_owned(), tool.tool.name.clone()));
            }
        }
        FacadeList {
            items: items.into(),
            names: Arc::new(names),
        }
    }

    /// What a tool is called here. Looks through all of them: for help, not for calls.
    pub(crate) fn name_of(&self, found: &Found<'_>) -> Option<&str> {
        let is_it = |(server, tool): &(String, String)| {
            server == found.server && *tool == found.tool.tool.name
        };
        self.names
            .iter()
            .find_map(|(name, tool)| is_it(tool).then_some(name.as_str()))
    }
}

/// The tool under another name, in the place where its name stood.
fn renamed(tool: &Raw, name: &str) -> Option<Raw> {
    let mut object = RawObject::parse(&repair::tool(tool)).ok()?;
    object.set("name", Raw::of(name).ok()?);
    Some(object.to_raw())
}
