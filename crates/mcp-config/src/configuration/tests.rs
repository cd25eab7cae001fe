//! Two files over each other, trust, the values that entries ask for, and what is said of it all.

mod expansion;
mod explain;
mod layers;
mod never;
mod trust;

use std::path::Path;

use mcp_definitions::{Command, HashKey, ServerKind};

use super::*;
use crate::{Context, Variables};

/// The context of the user's file.
fn user() -> Context<'static> {
    Context::of_file(Path::new("/conf/mcp.json"), Some(Path::new("/home/me")))
}

/// The context of a project's file.
fn project() -> Context<'static> {
    Context::of_file(Path::new("/p/.mcp.json"), Some(Path::new("/home/me")))
}

fn nobody() -> TrustStore {
    TrustStore::new(HashKey::new([1; 32]))
}

fn read(user_text: &str, project_text: &str, trust: &TrustStore) -> Configuration {
    let layers = Layers::new()
        .user_text(user_text, user())
        .project_text(project_text, project());
    Configuration::read(&layers, trust).unwrap()
}

/// The configuration of two files after the project's entries were trusted.
fn trusted(user_text: &str, project_text: &str) -> Configuration {
    let mut trust = nobody();
    for entry in read(user_text, project_text, &trust).untrusted {
        trust.trust(&entry);
    }
    let configuration = read(user_text, project_text, &trust);
    assert_eq!(configuration.untrusted, []);
    configuration
}

/// Entries of one file.
fn servers(entries: &str) -> String {
    format!("{{ \"mcpServers\": {{ {entries} }} }}")
}

fn variables(pairs: &[(&str, &str)]) -> Variables {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Variables(pairs.iter().map(owned).collect())
}

/// What of a server, without anything to ask.
fn command(configuration: &Configuration, id: &str) -> Command {
    let expanded = configuration.expand(&id.parse().unwrap(), &mut variables(&[]));
    match expanded.unwrap().unwrap().definition.server {
        ServerKind::Stdio(command) => command,
        other => panic!("{other:?} is no command"),
    }
}
