//! What is suggested for names that do not exist.

use super::*;
use crate::document::Document;

fn check(cases: &[(&str, &str)]) {
    let index = Index::build([
        Document::new("git", "list_issues"),
        Document::new("git", "create_issue"),
        Document::new("git", "search-repositories"),
        Document::new("my-files", "readFile"),
        Document::new("my-files", "write_file"),
        Document::new("clock", "now"),
        Document::new("browser", "take_screenshot"),
        Document::new("browser", "browser_click"),
    ]);
    for (name, expected) in cases {
        let hits = index.suggest(name);
        let names: Vec<&str> = hits.iter().map(|hit| hit.name).collect();
        assert_eq!(names.join(" "), *expected, "{name}");
    }
}

#[test]
fn typo_gets_suggestions() {
    check(&[
        ("list_isues", "list_issues"),
        ("lsit_issues", "list_issues"),
        ("take_screnshot", "take_screenshot"),
        ("takescreenshot", "take_screenshot"),
        ("nwo", "now"),
    ]);
}

#[test]
fn words_may_be_joined_ordered_and_shortened_otherwise() {
    check(&[
        ("read-file", "readFile write_file"),
        ("issues_list", "list_issues"),
        ("search_repos", "search-repositories"),
        ("screenshot", "take_screenshot"),
    ]);
}

#[test]
fn server_in_front_is_taken_off() {
    check(&[
        ("mcp__git__creat_issue", "create_issue"),
        ("my_files/read_fil", "readFile"),
        ("clock.now", "now"),
        ("browser_clik", "browser_click"),
        ("git", ""),
    ]);
}

#[test]
fn nothing_alike_is_no_suggestion() {
    check(&[
        ("", ""),
        ("___", ""),
        ("deploy_kubernetes", ""),
        ("\u{1b}[2J", ""),
        ("搜索", ""),
    ]);
}

#[test]
fn servers_own_tools_come_first_and_five_at_most() {
    let servers = ["a", "b", "c", "d", "e", "f"];
    let index = Index::build(servers.map(|server| Document::new(server, "fetch")));
    let hits = index.suggest("d__fetsh");
    let order: Vec<&str> = hits.iter().map(|hit| hit.server).collect();
    assert_eq!(order, ["d", "a", "b", "c", "e"]);
}

#[test]
fn distance_counts_single_edits() {
    for (a, b, edits) in [
        ("", "abc", 3),
        ("abc", "abc", 0),
        ("abc", "acb", 1),
        ("abc", "axc", 1),
        ("kitten", "sitting", 3),
    ] {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters(a), &letters(b)), edits, "{a} {b}");
    }
}
