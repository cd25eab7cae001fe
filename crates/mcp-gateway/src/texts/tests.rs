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

#[test]
fn the_longest_names_leave_room_for_what_to_do() {
    let longest: Vec<String> = (0..3).map(|n| format!("{n}{}", "x".repeat(48))).collect();
    let longest: Vec<_> = longest.iter().map(|name| (name.as_str(), None)).collect();
    for count in 1..=3 {
        let roster = roster(&longest[..count]);
        for text in [
            description(&roster),
            mcp_instructions(&roster),
            facade_instructions(&roster, []),
        ] {
            let shown = first(&text, 160);
            assert!(shown.starts_with("Tools of 0xxx"), "{shown}");
            assert!(
                [
                    "then call the name it gives.",
                    "then call what it gives.",
                    "<server>__<tool>."
                ]
                .iter()
                .any(|how| shown.contains(how)),
                "{shown}"
            );
            // Who is not named there is named further down.
            assert!(roster.names().all(|name| text.contains(name)), "{text}");
        }
    }
    assert!(mcp_instructions(&roster(&longest[..2])).contains(" and 1 more server. Use"));
}

#[test]
fn names_that_no_configuration_lets_in_are_cut() {
    let long = "long".repeat(1000);
    for servers in [
        &[(long.as_str(), None)][..],
        &[(long.as_str(), None), ("b", None)],
    ] {
        let text = mcp_instructions(&roster(servers));
        assert!(
            first(&text, 160).ends_with("then call what it gives."),
            "{text}"
        );
        assert!(text.chars().count() <= 2000);
    }
}

#[test]
fn servers_share_the_room_for_their_instructions() {
    let two = roster(&[("a", None), ("b", None)]);
    let long = "word ".repeat(2000);
    let text = facade_instructions(&two, [("a", long.as_str()), ("b", long.as_str())]);
    let (a, b) = text.split_once("\n\n## b\n").unwrap();
    assert!(a.contains("## a\nword ") && a.ends_with('…') && b.ends_with('…'));
    assert!(
        a.chars().count().abs_diff(b.chars().count()) < 120,
        "{text}"
    );
    assert_eq!(text.chars().count(), 2000);
    let short = facade_instructions(&two, [("a", "Ask."), ("b", long.as_str())]);
    assert!(short.contains("## a\nAsk.\n\n## b\nword "));
    assert_eq!(
        short.chars().count(),
        2000,
        "what one leaves is for the next"
    );
}
