//! Files as hosts and people write them: what is accepted, held, refused and warned of.

mod accepted;
mod examples;
mod held;
mod not_yet;
mod refused;
mod secrets;
mod warned;

use std::path::Path;

use mcp_definitions::{Command, ServerDefinition, ServerKind};

use super::*;

/// The context of `/conf/mcp.json` for somebody whose home is `/home/me`.
fn cx() -> Context<'static> {
    Context::of_file(Path::new("/conf/mcp.json"), Some(Path::new("/home/me")))
}

fn loaded(text: &str) -> Loaded {
    parse(text, &cx()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The only server of a file in which nothing is held or warned of.
fn only(text: &str) -> ServerDefinition {
    let loaded = loaded(text);
    assert_eq!(loaded.held, [], "{text}");
    assert_eq!(loaded.warnings, [], "{text}");
    assert_eq!(loaded.servers.len(), 1, "{text}");
    loaded.servers.into_iter().next().unwrap()
}

/// The only server of a file with one entry of these members.
fn only_entry(members: &str) -> ServerDefinition {
    only(&format!(
        r#"{{ "mcpServers": {{ "it": {{ {members} }} }} }}"#
    ))
}

fn command(definition: &ServerDefinition) -> &Command {
    match &definition.server {
        ServerKind::Stdio(command) => command,
        other => panic!("{other:?} is no command"),
    }
}

/// What is said of an entry with these members, after the line; the entry beside it must load.
fn said(members: &str) -> String {
    let text = format!(
        "{{ \"mcpServers\": {{ \"it\": {members},\n\"other\": {{ \"command\": \"x\" }} }} }}"
    );
    let loaded = loaded(&text);
    assert_eq!(loaded.servers.len(), 1, "{members}");
    let [held] = loaded.held.as_slice() else {
        panic!("{members}: {:?}", loaded.held);
    };
    assert_eq!((held.name.as_str(), held.line), ("it", 1), "{members}");
    assert_eq!(held.id.as_ref().map(AsRef::as_ref), Some("it"));
    format!("{}; {}", held.reason, held.remedy)
}

fn check(members: &str, expect: &str) {
    assert_eq!(said(members), expect, "{members}");
}
