//! The library's defaults, the tools that are offered, and what `Debug` keeps to itself.

use std::collections::BTreeMap;

use super::*;
use crate::{Command, HttpServer};

fn stdio(command: Command) -> ServerDefinition {
    ServerDefinition::new("git".parse().unwrap(), ServerKind::Stdio(command))
}

#[test]
fn the_library_defaults_are_eager_local_and_shared_by_kind() {
    let command = stdio(Command::default());
    assert_eq!(command.lifecycle, Lifecycle::Eager);
    assert_eq!(command.sharing, Sharing::Folder);
    assert_eq!(command.executor_ids, [ExecutorName::local()]);
    assert!(command.enabled && !command.required);
    assert_eq!(command.list_limits.max_bytes, 67_108_864);
    let url = ServerKind::Http(HttpServer::default());
    assert_eq!(
        ServerDefinition::new("git".parse().unwrap(), url).sharing,
        Sharing::User
    );
}

#[test]
fn a_tool_is_offered_when_names_and_filter_agree() {
    let mut definition = stdio(Command::default());
    assert!(definition.offers("read"));
    definition.tool_names = Some(vec!["read".to_owned(), "write".to_owned()]);
    definition.tool_filter.exclude = vec!["w*".to_owned()];
    let offered = ["read", "write", "list"].map(|tool| definition.offers(tool));
    assert_eq!(offered, [true, false, false]);
    definition.tool_names = Some(Vec::new());
    assert!(!definition.offers("read"));
}

#[test]
fn debug_shows_names_but_no_values() {
    let secret = "s3cr3t";
    let one = |name: &str| BTreeMap::from([(name.to_owned(), secret.to_owned())]);
    let command = stdio(Command {
        command: "server".to_owned(),
        args: vec![format!("--token={secret}")],
        env: one("API_KEY"),
        ..Command::default()
    });
    let shown = format!("{command:?}");
    assert!(!shown.contains(secret), "{shown}");
    assert!(
        shown.contains("API_KEY") && shown.contains("[1 not shown]"),
        "{shown}"
    );
    for server in [ServerKind::Http, ServerKind::Sse] {
        let url = format!("https://user:{secret}@example.com:8443/{secret}?key={secret}");
        let shown = format!(
            "{:?}",
            server(HttpServer {
                url,
                headers: one("Authorization")
            })
        );
        assert!(!shown.contains(secret), "{shown}");
        assert!(shown.contains("https://example.com:8443/…"), "{shown}");
        assert!(shown.contains("Authorization"), "{shown}");
    }
}
