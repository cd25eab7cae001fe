//! Every tool that is known, to be found by words, named in several ways, and described.

mod describe;
mod reference;

use std::collections::HashMap;
use std::sync::Arc;

use mcp_manager::{DiscoveredTool, Generation, Manager, printable};
use mcp_proto::RawObject;
use tool_search::{Document, Hit, Index, Page, Search, SearchError};

pub use reference::LookupError;

/// The longest description in a line of a search, in characters.
const LINE_DESCRIPTION: usize = 100;
/// The longest shape of arguments in a line of a search, in characters.
const LINE_SHAPE: usize = 200;

/// Every tool that is known at one time.
pub struct Directory {
    servers: Vec<(String, Arc<Generation>)>,
    index: Index,
    places: HashMap<(usize, String), usize>,
}

/// A tool that was found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The server, by the name it is shown under.
    pub server: &'a str,
    /// The tool.
    pub tool: &'a DiscoveredTool,
}

impl Directory {
    /// What the manager knows now.
    pub fn of(manager: &Manager) -> Self {
        let connections = manager.connections();
        let enabled = connections
            .iter()
            .filter(|connection| connection.definition().enabled);
        let servers: Vec<_> = enabled
            .filter_map(|it| Some((it.name().to_owned(), it.generation()?)))
            .collect();
        let documents = servers.iter().flat_map(|(server, generation)| {
            generation
                .tools
                .iter()
                .map(move |tool| document(server, tool))
        });
        let index = Index::build(documents);
        let mut places = HashMap::new();
        for (server, (_, generation)) in servers.iter().enumerate() {
            for (place, tool) in generation.tools.iter().enumerate() {
                places.insert((server, tool.tool.name.clone()), place);
            }
        }
        Directory {
            servers,
            index,
            places,
        }
    }

    /// The servers whose tools are known, in the order of the configuration.
    pub fn servers(&self) -> impl Iterator<Item = (&str, &Generation)> {
        self.servers
            .iter()
            .map(|(name, generation)| (name.as_str(), &**generation))
    }

    /// The tool that `server` calls `name`.
    pub fn tool(&self, server: &str, name: &str) -> Option<Found<'_>> {
        let index = self.servers.iter().position(|(known, _)| known == server)?;
        let place = *self.places.get(&(index, name.to_owned()))?;
        let (server, generation) = &self.servers[index];
        Some(Found {
            server,
            tool: generation.tools.get(place)?,
        })
    }

    /// Finds tools by words or by a pattern.
    pub fn search(&self, search: &Search<'_>) -> Result<Page<Found<'_>>, SearchError> {
        let page = self.index.search(search)?;
        Ok(Page {
            items: page
                .items
                .iter()
                .filter_map(|hit| self.found(hit))
                .collect(),
            total: page.total,
            next_offset: page.next_offset,
        })
    }

    fn found(&self, hit: &Hit<'_>) -> Option<Found<'_>> {
        self.tool(hit.server, hit.name)
    }
}

impl Found<'_> {
    /// How people and models name it: `<server>/<tool>`.
    pub fn reference(&self) -> String {
        format!("{}/{}", self.server, self.tool.tool.name)
    }

    /// One line: reference, arguments, and the beginning of the description.
    pub fn line(&self) -> String {
        let mut line = printable(&self.reference(), usize::MAX - 1);
        line.push(' ');
        line.push_str(&printable(&self.shape(), LINE_SHAPE));
        if let Some(description) = self.tool.tool.description.as_deref() {
            let first = description.trim().lines().next().unwrap_or_default();
            if !first.is_empty() {
                line.push_str(" - ");
                line.push_str(&printable(first, LINE_DESCRIPTION));
            }
        }
        line
    }

    /// Its arguments in one line.
    pub fn shape(&self) -> String {
        match tool_search::compact::shape_of_text(self.tool.tool.input_schema.get()) {
            Ok(shape) => shape
                .as_str()
                .lines()
                .map(str::trim)
                .collect::<Vec<_>>()
                .join("; "),
            Err(_) => "{}".to_owned(),
        }
    }
}

fn document(server: &str, tool: &DiscoveredTool) -> Document {
    let mut document = Document::new(server, &tool.tool.name);
    let title = tool.tool.title.as_deref().unwrap_or_default();
    let description = tool.tool.description.as_deref().unwrap_or_default();
    document = document.describe(format!("{title} {description}").trim());
    let properties = RawObject::parse(&tool.tool.input_schema)
        .ok()
        .and_then(|schema| schema.get_as::<RawObject>("properties"))
        .unwrap_or_default();
    for (name, schema) in properties.iter() {
        let description = RawObject::parse(schema)
            .ok()
            .and_then(|schema| schema.get_as::<String>("description"));
        document = document.param(name, description.unwrap_or_default());
    }
    document
}
