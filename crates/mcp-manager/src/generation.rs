//! A generation: everything a server listed at one time, swapped as a whole or not at all.

use std::sync::Arc;

use mcp_client::{CallOptions, Client, ClientError, DiscoveredTool, Session, ToolSet};
use mcp_definitions::ServerDefinition;
use mcp_proto::Raw;
use mcp_proto::list::ListKind;

/// Everything a server listed at one time.
#[derive(Clone, Debug)]
pub struct Generation {
    /// What its handshake agreed on.
    pub session: Arc<Session>,
    /// The tools that the definition offers, in the server's order.
    pub tools: Vec<DiscoveredTool>,
    /// How many usable tools the server has before the definition's filter.
    pub unfiltered: usize,
    /// Its resources, as it wrote them.
    pub resources: Vec<Raw>,
    /// Its resource templates, as it wrote them.
    pub resource_templates: Vec<Raw>,
    /// Its prompts, as it wrote them.
    pub prompts: Vec<Raw>,
    /// What was wrong with the lists, in whole sentences.
    pub warnings: Vec<String>,
}

impl Generation {
    /// Reads every list that the server declares. Only the tool list can fail the whole: when another
    /// fails the server is still of use. Then the items of `before` stay, and a warning says so.
    pub(crate) async fn discover(
        client: &Client,
        session: &Arc<Session>,
        definition: &ServerDefinition,
        before: Option<&Generation>,
        options: CallOptions,
    ) -> Result<Self, ClientError> {
        let mut generation = Generation {
            session: session.clone(),
            tools: Vec::new(),
            unfiltered: 0,
            resources: Vec::new(),
            resource_templates: Vec::new(),
            prompts: Vec::new(),
            warnings: Vec::new(),
        };
        let capabilities = &session.capabilities;
        if capabilities.tools.is_some() {
            let (tools, _) = client.list_tools(options.clone()).await?;
            generation.take_tools(tools, definition);
        }
        if capabilities.resources.is_some() {
            generation.resources = generation
                .optional(client, ListKind::Resources, before, &options)
                .await?;
            generation.resource_templates = generation
                .optional(client, ListKind::ResourceTemplates, before, &options)
                .await?;
        }
        if capabilities.prompts.is_some() {
            generation.prompts = generation
                .optional(client, ListKind::Prompts, before, &options)
                .await?;
        }
        Ok(generation)
    }

    fn take_tools(&mut self, tools: ToolSet, definition: &ServerDefinition) {
        self.unfiltered = tools.len();
        self.warnings.extend(tools.warnings().iter().cloned());
        for name in definition
            .tool_names
            .iter()
            .flatten()
            .filter(|name| tools.get(name).is_none())
        {
            self.warnings.push(format!(
                "the configuration names the tool {name:?}, which the server does not have"
            ));
        }
        self.tools = tools
            .tools()
            .iter()
            .filter(|tool| definition.offers(&tool.tool.name))
            .cloned()
            .collect();
    }

    async fn optional(
        &mut self,
        client: &Client,
        kind: ListKind,
        before: Option<&Generation>,
        options: &CallOptions,
    ) -> Result<Vec<Raw>, ClientError> {
        match client.list(kind, options.clone()).await {
            Ok(list) => {
                self.warnings.extend(list.warning);
                Ok(list.items)
            }
            // A server that has gone has not listed anything.
            Err(
                gone @ (ClientError::Gone(_) | ClientError::Disconnected(_) | ClientError::Closed),
            ) => Err(gone),
            // Templates are often left out by servers that have resources.
            Err(ClientError::Rpc(error))
                if kind == ListKind::ResourceTemplates
                    && error.code == mcp_proto::error_object::METHOD_NOT_FOUND =>
            {
                Ok(Vec::new())
            }
            Err(error) => {
                self.warnings
                    .push(format!("{} failed: {error}", kind.method()));
                Ok(before.map(|before| before.items(kind)).unwrap_or_default())
            }
        }
    }

    /// The tool of this name, as the server calls it.
    pub fn tool(&self, name: &str) -> Option<&DiscoveredTool> {
        self.tools.iter().find(|tool| tool.tool.name == name)
    }

    /// The items of a list, as the server wrote them.
    pub fn items(&self, kind: ListKind) -> Vec<Raw> {
        match kind {
            ListKind::Tools => self.tools.iter().map(|tool| tool.raw.clone()).collect(),
            ListKind::Resources => self.resources.clone(),
            ListKind::ResourceTemplates => self.resource_templates.clone(),
            ListKind::Prompts => self.prompts.clone(),
        }
    }

    /// Which lists differ from those of `other`, whatever the order of their items.
    pub(crate) fn differing(&self, other: Option<&Generation>) -> Vec<ListKind> {
        [
            ListKind::Tools,
            ListKind::Resources,
            ListKind::ResourceTemplates,
            ListKind::Prompts,
        ]
        .into_iter()
        .filter(|kind| {
            let sorted = |generation: &Generation| {
                let mut items = generation.items(*kind);
                items.sort_by(|a, b| a.get().cmp(b.get()));
                items
            };
            sorted(self) != other.map(sorted).unwrap_or_default()
        })
        .collect()
    }
}
