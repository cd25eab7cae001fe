//! What may stand in one set, and in which order it comes out.

use super::*;
use crate::{Command, ExecutorName, Placement, ServerKind};

fn definition(id: &str) -> ServerDefinition {
    let server = ServerKind::Stdio(Command::default());
    ServerDefinition::new(id.parse().unwrap(), server)
}

fn on(id: &str, executors: &[&str], placement: Option<Placement>) -> ServerDefinition {
    let executor = |name: &&str| name.parse::<ExecutorName>().unwrap();
    ServerDefinition {
        executor_ids: executors.iter().map(executor).collect(),
        placement,
        ..definition(id)
    }
}

fn error(definitions: Vec<ServerDefinition>) -> String {
    ServerSet::try_from(definitions).unwrap_err().to_string()
}

#[test]
fn duplicates_are_rejected() {
    assert_eq!(
        error(vec![definition("git"), definition("git")]),
        "server git is defined twice"
    );
    for (first, second) in [("git", "Git"), ("my-git", "my_git"), ("A_b", "a-B")] {
        assert_eq!(
            error(vec![
                definition(first),
                definition("other"),
                definition(second)
            ]),
            format!("servers {first} and {second} differ only in case or in - for _")
        );
    }
}

#[test]
fn instance_names_are_kept_apart_too() {
    assert_eq!(
        error(vec![
            definition("logs-one"),
            on("logs", &["one", "two"], Some(Placement::Each))
        ]),
        "an instance of server logs would be shown as logs-one, which is taken by logs-one"
    );
    assert_eq!(
        error(vec![
            on("logs", &["one", "two"], None),
            definition("logs_TWO")
        ]),
        "an instance of server logs_TWO would be shown as logs_TWO, which is taken by logs"
    );
    assert_eq!(
        error(vec![on("logs", &["one", "one"], None)]),
        "an instance of server logs would be shown as logs-one, which is taken by logs"
    );
    let failover = on("logs", &["one", "two"], Some(Placement::Failover));
    assert!(ServerSet::try_from(vec![failover, definition("logs-one")]).is_ok());
}

#[test]
fn order_is_kept_and_servers_are_found_by_id() {
    let names = ["zeta", "Alpha", "mid_dle"];
    let set = ServerSet::try_from(names.map(definition).to_vec()).unwrap();
    let listed: Vec<_> = set
        .iter()
        .map(|definition| definition.id.to_string())
        .collect();
    assert_eq!(listed, names);
    assert_eq!(set.len(), 3);
    assert!(set.get(&"Alpha".parse().unwrap()).is_some());
    assert!(set.get(&"alpha".parse().unwrap()).is_none());
    assert!(set.get(&"other".parse().unwrap()).is_none());
}

#[test]
fn a_refused_definition_changes_nothing() {
    let mut set = ServerSet::try_from(vec![definition("logs-two")]).unwrap();
    let before = set.clone();
    assert!(set.insert(on("logs", &["one", "two"], None)).is_err());
    assert_eq!(set, before);
    assert!(set.insert(definition("logs")).is_ok());
}
