//! The two short texts that decide whether a host's model uses us: the `mcp` tool's description and our
//! instructions. Pure functions of the configuration.
//!
//! Hosts cut them: one shows the first 160 characters of a description, one the first 247 of the
//! instructions, another 2,048 of either. So what matters stands first, and nothing is longer than 2,000.

use mcp_manager::printable;
use mcp_proto::{Raw, RawObject};
use serde_json::json;

use crate::Roster;

/// What a host that shows least of a description shows of it, in characters.
const LEAD: usize = 160;
/// The longest text, in characters.
const MAX_TEXT: usize = 2000;
/// The least of a server's own instructions that is worth showing, in characters.
const LEAST_INSTRUCTIONS: usize = 24;
/// The most of what one server is for, in characters.
const MAX_ABOUT: usize = 60;

/// The actions of the `mcp` tool, in the order in which they are told.
pub(crate) const ACTIONS: [&str; 6] = ["search", "describe", "call", "status", "connect", "reload"];

/// The `mcp` tool, as it is listed.
pub fn mcp_tool(roster: &Roster) -> Raw {
    let mut description = lead(
        roster,
        "Search with plain words, then call the name it gives.",
    );
    description.push_str("\nActions: search(query, server?) describe(tool) call(tool, args) status connect(server) reload. search shows arguments on one line, describe shows all. Servers start by themselves. Errors state cause and next step; never repeat a call whose outcome is unknown.");
    if let Some(about) = about(roster, MAX_TEXT - description.chars().count() - 1) {
        description.push('\n');
        description.push_str(&about);
    }
    let schema = json!({
        "type": "object",
        "properties": {
            "action": { "type": "string", "enum": ACTIONS },
            "query": { "type": "string" },
            "tool": { "type": "string", "description": "name as search gives it" },
            "args": { "type": "object", "description": "the tool's arguments", "additionalProperties": true },
            "server": { "type": "string" },
            "limit": { "type": "integer" },
            "offset": { "type": "integer" },
            "regex": { "type": "boolean" }
        }
    });
    let mut tool = RawObject::default();
    for (key, value) in [
        ("name", json!("mcp")),
        ("title", json!("MCP servers")),
        ("description", json!(description)),
        ("inputSchema", schema),
        ("_meta", json!({ "anthropic/alwaysLoad": true })),
    ] {
        // Values of serde_json can always be written.
        tool.push(key, Raw::of(&value).unwrap_or_default());
    }
    tool.to_raw()
}

/// Our instructions where the `mcp` tool is shown.
pub fn mcp_instructions(roster: &Roster) -> String {
    let mut text = lead(
        roster,
        "Use the tool `mcp`: search with plain words, then call what it gives.",
    );
    if let Some(about) = about(roster, MAX_TEXT - text.chars().count() - 1) {
        text.push('\n');
        text.push_str(&about);
    }
    text
}

/// Our instructions where all tools are shown: ours first, then each server's own where it is known.
pub fn facade_instructions<'a>(
    roster: &Roster,
    own: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> String {
    let mut text = lead(roster, "Each tool is named <server>__<tool>.");
    if let Some(about) = about(roster, MAX_TEXT - text.chars().count() - 1) {
        text.push('\n');
        text.push_str(&about);
    }
    // Each gets an equal share of the room, and what one leaves is for those after it.
    let own: Vec<_> = own.into_iter().collect();
    for (index, (server, instructions)) in own.iter().enumerate() {
        let title = format!("\n\n## {server}\n");
        let room = MAX_TEXT.saturating_sub(text.chars().count()) / (own.len() - index);
        let room = room.saturating_sub(title.chars().count());
        if room >= LEAST_INSTRUCTIONS {
            text.push_str(&title);
            text.push_str(&cut(instructions.trim(), room));
        }
    }
    text
}

/// The first sentences: whose tools these are, by name as far as there is room, and how to get at them.
fn lead(roster: &Roster, how: &str) -> String {
    let names: Vec<_> = roster.names().collect();
    if names.is_empty() {
        return format!("No servers are configured. {how}");
    }
    let room = LEAD - how.chars().count() - "Tools of . ".len();
    format!("Tools of {}. {how}", enumerate(&names, room))
}

/// `a, b, c and 4 more servers`, at most `room` characters.
fn enumerate(names: &[&str], room: usize) -> String {
    let all = names.join(", ");
    if all.chars().count() <= room {
        return all;
    }
    // More names than there is room for characters are not tried.
    for shown in (1..names.len().min(room)).rev() {
        let more = match names.len() - shown {
            1 => "1 more server".to_owned(),
            more => format!("{more} more servers"),
        };
        let text = format!("{} and {more}", names[..shown].join(", "));
        if text.chars().count() <= room {
            return text;
        }
    }
    // Only names longer than the ids of a configuration can be.
    cut(&all, room)
}

/// Every server with what it is for, where the lead does not say all: `Servers: git (repos), time.`
fn about(roster: &Roster, room: usize) -> Option<String> {
    let names: Vec<_> = roster.names().collect();
    let is_told = roster.servers.iter().all(|server| server.about.is_none())
        && names.join(", ").chars().count() <= 60;
    if is_told || names.is_empty() {
        return None;
    }
    let mut text = "Servers: ".to_owned();
    for (index, server) in roster.servers.iter().enumerate() {
        let mut part = if index > 0 {
            ", ".to_owned()
        } else {
            String::new()
        };
        part.push_str(&server.name);
        if let Some(about) = &server.about {
            part.push_str(&format!(" ({})", printable(about, MAX_ABOUT)));
        }
        let rest = format!(" and {} more", roster.servers.len() - index);
        if text.chars().count() + part.chars().count() + rest.chars().count() + 1 > room {
            text.push_str(&rest);
            break;
        }
        text.push_str(&part);
    }
    text.push('.');
    Some(text)
}

/// The beginning of a text, however long the text is.
fn cut(text: &str, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(max.saturating_sub(1)).collect();
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests;
