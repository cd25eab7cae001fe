//! `posthouse list`: what each server has.

use mcp_gateway::Directory;
use mcp_manager::{Connection, Manager, printable};
use mcp_proto::list::ListKind;
use mcp_proto::prompt::Prompt;
use mcp_proto::resource::{Resource, ResourceTemplate};
use mcp_proto::{Raw, RawObject};

use crate::cli::Global;
use crate::outcome::{Failure, Outcome};
use crate::{terminal, waiting};

/// The longest line, in characters.
const MAX_LINE: usize = 200;

pub(super) async fn run(
    manager: &Manager,
    servers: &[String],
    global: &Global,
) -> Result<Outcome, Failure> {
    let connections = waiting::chosen(manager, servers).map_err(Failure::usage)?;
    waiting::until_settled(&connections, global).await;
    let directory = Directory::of(manager);
    let colours = terminal::colours(global.color);
    let mut lines = Vec::new();
    let mut data = Vec::new();
    for connection in &connections {
        lines.push(terminal::status_line(&connection.health(), colours));
        lines.extend(items(connection, &directory));
        data.push(server(connection));
    }
    let mut json = RawObject::default();
    json.push("servers", Raw::of(&data).unwrap_or_default());
    Ok(Outcome::done(lines.join("\n"), &json))
}

fn items(connection: &Connection, directory: &Directory) -> Vec<String> {
    let Some(generation) = connection.generation() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for tool in &generation.tools {
        if let Some(found) = directory.tool(connection.name(), &tool.tool.name) {
            lines.push(format!("  {}", found.line()));
        }
    }
    let described = |kind: &str, name: &str, description: Option<&str>| {
        let first = description
            .and_then(|text| text.trim().lines().next())
            .unwrap_or_default();
        let dash = if first.is_empty() { "" } else { " - " };
        printable(&format!("  {kind} {name}{dash}{first}"), MAX_LINE)
    };
    for resource in generation
        .resources
        .iter()
        .filter_map(|raw| raw.decode::<Resource>().ok())
    {
        let words = resource.description.as_deref().or(Some(&resource.name));
        lines.push(described("resource", &resource.uri, words));
    }
    for template in generation
        .resource_templates
        .iter()
        .filter_map(|raw| raw.decode::<ResourceTemplate>().ok())
    {
        let words = template.description.as_deref().or(Some(&template.name));
        lines.push(described("resources", &template.uri_template, words));
    }
    for prompt in generation
        .prompts
        .iter()
        .filter_map(|raw| raw.decode::<Prompt>().ok())
    {
        let names: Vec<_> = prompt
            .arguments
            .iter()
            .flatten()
            .map(|argument| argument.name.as_str())
            .collect();
        let name = format!("{}({})", prompt.name, names.join(", "));
        lines.push(described("prompt", &name, prompt.description.as_deref()));
    }
    lines
}

/// Everything that a server lists, as it wrote it.
fn server(connection: &Connection) -> RawObject {
    let health = connection.health();
    let mut data = RawObject::default();
    let mut push = |key: &str, value: Result<Raw, serde_json::Error>| {
        data.push(key, value.unwrap_or_default())
    };
    push("name", Raw::of(&health.name));
    push("state", Raw::of(health.state.as_str()));
    push("executor", Raw::of(&health.executor));
    push("revision", Raw::of(&health.revision));
    push(
        "cause",
        Raw::of(&health.cause.as_ref().map(|cause| &cause.text)),
    );
    let generation = connection.generation();
    for kind in [
        ListKind::Tools,
        ListKind::Resources,
        ListKind::ResourceTemplates,
        ListKind::Prompts,
    ] {
        let items = generation
            .as_ref()
            .map(|generation| generation.items(kind))
            .unwrap_or_default();
        push(kind.key(), Raw::of(&items));
    }
    data
}
