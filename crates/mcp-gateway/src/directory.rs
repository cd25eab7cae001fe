//! Every tool that is known, to be found by words, named in several ways, and described.

mod describe;
mod reference;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use mcp_manager::{DiscoveredTool, Generation, Manager, printable};
use mcp_proto::{Raw, RawObject};
use tool_search::{Document, Hit, Index, Page, Search, SearchError};

use crate::facade_list::FacadeList;
use crate::repair;

pub use reference::LookupError;
pub(crate) use reference::{behind, quoted};

/// The longest reference in a line of a search, in characters: names have at most 128.
const LINE_REFERENCE: usize = 200;
/// The longest description in a line of a search, in characters.
const LINE_DESCRIPTION: usize = 100;
/// The longest shape of arguments in a line of a search, in characters.
const LINE_SHAPE: usize = 200;

/// Every tool that is known at one time. What only some of its users need is made when first needed.
pub struct Directory {
    servers: Vec<Server>,
    /// By name: which server, and where in its list.
    places: HashMap<String, Vec<(usize, usize)>>,
    index: OnceLock<Index>,
    facade: OnceLock<FacadeList>,
}

struct Server {
    name: String,
    generation: Arc<Generation>,
    /// The tools as they are shown one server at a time.
    tools: OnceLock<Arc<[Raw]>>,
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
        let servers: Vec<_> = known(manager)
            .map(|(name, generation)| Server {
                name,
                generation,
                tools: OnceLock::new(),
            })
            .collect();
        let mut places = HashMap::<_, Vec<_>>::new();
        for (index, server) in servers.iter().enumerate() {
            for (place, tool) in server.generation.tools.iter().enumerate() {
                let name = tool.tool.name.clone();
                places.entry(name).or_default().push((index, place));
            }
        }
        Directory {
            servers,
            places,
            index: OnceLock::new(),
            facade: OnceLock::new(),
        }
    }

    /// Whether the manager still knows the same. A generation belongs to one server.
    pub(crate) fn is_of(&self, manager: &Manager) -> bool {
        let then = self.servers.iter().map(|it| Arc::as_ptr(&it.generation));
        let now = known(manager).map(|(_, generation)| Arc::as_ptr(&generation));
        then.eq(now)
    }

    /// The servers whose tools are known, in the order of the configuration.
    pub fn servers(&self) -> impl Iterator<Item = (&str, &Generation)> {
        self.servers
            .iter()
            .map(|server| (server.name.as_str(), &*server.generation))
    }

    /// The tool that `server` calls `name`.
    pub fn tool(&self, server: &str, name: &str) -> Option<Found<'_>> {
        self.everywhere(name).find(|found| found.server == server)
    }

    /// The tools of every server that are called `name`.
    fn everywhere(&self, name: &str) -> impl Iterator<Item = Found<'_>> {
        let places = self.places.get(name).into_iter().flatten();
        places.map(|(server, place)| {
            let server = &self.servers[*server];
            Found {
                server: &server.name,
                tool: &server.generation.tools[*place],
            }
        })
    }

    /// Finds tools by words or by a pattern.
    pub fn search(&self, search: &Search<'_>) -> Result<Page<Found<'_>>, SearchError> {
        let page = self.index().search(search)?;
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

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let documents = self.servers.iter().flat_map(|server| {
                let tools = server.generation.tools.iter();
                tools.map(|tool| document(&server.name, tool))
            });
            Index::build(documents)
        })
    }

    /// The tools of `server` as they are listed when it is shown alone.
    pub(crate) fn listed(&self, server: &str) -> Arc<[Raw]> {
        let Some(server) = self.servers.iter().find(|known| known.name == server) else {
            return Arc::default();
        };
        let listed = server.tools.get_or_init(|| {
            let tools = server.generation.tools.iter();
            tools
                .map(|tool| repair::tool(&tool.raw).into_owned())
                .collect()
        });
        listed.clone()
    }

    /// All tools as a facade lists them.
    pub(crate) fn facade(&self) -> &FacadeList {
        self.facade.get_or_init(|| FacadeList::of(self))
    }
}

/// The servers whose tools are known, with these.
fn known(manager: &Manager) -> impl Iterator<Item = (String, Arc<Generation>)> {
    let connections = manager.connections();
    (0..connections.len()).filter_map(move |index| {
        let connection = &connections[index];
        if !connection.definition().enabled {
            return None;
        }
        Some((connection.name().to_owned(), connection.generation()?))
    })
}

impl Found<'_> {
    /// How people and models name it: `<server>/<tool>`.
    pub fn reference(&self) -> String {
        format!("{}/{}", self.server, self.tool.tool.name)
    }

    /// One line: reference, arguments, and the beginning of the description.
    pub fn line(&self) -> String {
        let mut line = printable(&self.reference(), LINE_REFERENCE);
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
