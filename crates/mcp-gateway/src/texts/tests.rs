//! The texts obey what hosts show of them.

use super::*;
use crate::RosterEntry;

fn roster(servers: &[(&str, Option<&str>)]) -> Roster {
    let entry = |(name, about): &(&str, Option<&str>)| RosterEntry {
        name: (*name).to_owned(),
        about: about.map(str::to_owned),
    };
    Roster {
        servers: servers.iter().map(entry).collect(),
        notices: Vec::new(),
    }
}

fn fifteen() -> Roster {
    roster(&[
        ("github", Some("issues, PRs, CI")),
        ("git", None),
        ("files", Some("~/notes")),
        ("memory", None),
        ("time", None),
        ("cargo", Some("build and test")),
        ("logs-build1", None),
        ("logs-build2", None),
        ("grafana", Some("dashboards")),
        ("browser", Some("playwright")),
        ("postgres", Some("dev db")),
        ("sentry", None),
        ("linear", None),
        ("docs", None),
        ("slack", None),
    ])
}

fn description(roster: &Roster) -> String {
    let tool: serde_json::Value = serde_json::from_str(mcp_tool(roster).get()).unwrap();
    tool["description"].as_str().unwrap().to_owned()
}

fn first(text: &str, count: usize) -> String {
    text.chars().take(count).collect()
}

#[test]
fn few_servers_are_all_named_in_the_first_sentence() {
    let three = roster(&[("clock", None), ("folder", None), ("notes", None)]);
    assert_eq!(
        mcp_instructions(&three),
        "Tools of clock, folder, notes. Use the tool `mcp`: search with plain words, then call what it gives."
    );
    assert!(description(&three).starts_with(
        "Tools of clock, folder, notes. Search with plain words, then call the name it gives.\nActions: search"
    ));
    assert_eq!(
        facade_instructions(&three, [("clock", "Ask for a zone.")]),
        "Tools of clock, folder, notes. Each tool is named <server>__<tool>.\n\n## clock\nAsk for a zone."
    );
}

#[test]
fn the_first_160_and_240_characters_stand_alone() {
    for roster in [fifteen(), roster(&[("a", None)])] {
        let shown = first(&description(&roster), 160);
        assert!(
            shown.contains("Tools of ") && shown.contains("then call the name it gives."),
            "{shown}"
        );
        let shown = first(&mcp_instructions(&roster), 240);
        assert!(
            shown.contains("Use the tool `mcp`: search") && shown.contains("call what it gives."),
            "{shown}"
        );
        let shown = first(&facade_instructions(&roster, []), 240);
        assert!(shown.contains("<server>__<tool>."), "{shown}");
    }
}

#[test]
fn fifteen_servers_are_all_named_within_a_small_tool() {
    let text = description(&fifteen());
    for server in fifteen().names() {
        assert!(text.contains(server), "{server}");
    }
    assert!(text.contains("github (issues, PRs, CI)"));
    let bytes = mcp_tool(&fifteen()).get().len();
    assert!(bytes <= 1400, "{bytes} bytes");
}

#[test]
fn nothing_is_longer_than_hosts_keep() {
    let names: Vec<String> = (0..300).map(|n| format!("server-number-{n}")).collect();
    let many: Vec<_> = names
        .iter()
        .map(|name| (name.as_str(), Some("something or other")))
        .collect();
    let many = roster(&many);
    let long = "word ".repeat(2000);
    for text in [
        description(&many),
        mcp_instructions(&many),
        facade_instructions(&many, [("a", long.as_str())]),
        facade_instructions(&fifteen(), [("a", long.as_str()), ("b", "x")]),
    ] {
        assert!(text.chars().count() <= 2000, "{}", text.chars().count());
    }
    assert!(description(&many).contains(" more servers. Search with plain words"));
}

#[test]
fn without_servers_the_text_says_so() {
    assert!(mcp_instructions(&Roster::default()).starts_with("No servers are configured."));
}
