//! Searching: what is found, in which order, in which pages.

use super::*;
use crate::search::{Search, SearchError};

fn tools() -> Vec<Document> {
    vec![
        Document::new("browser", "getPixels").describe("Reads the area given"),
        Document::new("browser", "open_page").describe("Opens an address"),
        Document::new("git", "list-issues")
            .describe("All open issues of a repository")
            .param("repository", "Owner and name"),
        Document::new("git", "create_issue").describe("Opens a new issue"),
        Document::new("clock", "now").describe("The current time in a zone"),
        Document::new("notes", "search").keyword("memory recall"),
    ]
}

fn names(index: &Index, search: &Search<'_>) -> String {
    let page = index.search(search).expect("a good search");
    let names: Vec<&str> = page.items.iter().map(|hit| hit.name).collect();
    names.join(" ")
}

#[test]
fn words_find_tools() {
    let index = Index::build(tools());
    for (text, expected) in [
        ("pixels", "getPixels"),
        ("PIXEL", "getPixels"),
        ("pix", "getPixels"),
        ("getpixels", "getPixels"),
        ("what time is it in Tokyo", "now"),
        ("recall", "search"),
        ("repo owner", "list-issues"),
        ("clock", "now"),
        ("please tell me of pixels", "getPixels"),
        ("qqq", ""),
        ("!?", ""),
        ("\u{0}\u{1b}", ""),
    ] {
        assert_eq!(names(&index, &Search::words(text)), expected, "{text}");
    }
}

#[test]
fn exact_name_in_the_query_comes_first() {
    let index = Index::build(tools());
    for (text, first) in [
        ("create_issue", "create_issue"),
        ("git/list_issues", "list-issues"),
        (
            "call `create-issue`, please: all open issues of a repository",
            "create_issue",
        ),
        ("list issues", "list-issues"),
        ("search", "search"),
    ] {
        let page = index.search(&Search::words(text)).expect(text);
        assert_eq!(page.items[0].name, first, "{text}");
    }
}

#[test]
fn coverage_threshold_rejects_partial_two_word_query() {
    let index = Index::build(tools());
    assert_eq!(names(&index, &Search::words("pixels rainbow")), "");
    assert_eq!(names(&index, &Search::words("pixels area")), "getPixels");
    assert_eq!(
        names(&index, &Search::words("pixels of a rainbow")),
        "getPixels"
    );
}

#[test]
fn name_tokens_survive_a_neutral_description() {
    let plain = |name: &str| Document::new("s", name).describe("Does its work");
    let index = Index::build(["getPixels", "getPages", "HTTPProxy"].map(plain));
    assert_eq!(names(&index, &Search::words("pixels")), "getPixels");
    assert_eq!(names(&index, &Search::words("proxy")), "HTTPProxy");
}

#[test]
fn search_pages_are_disjoint_and_complete() {
    let many = (0..57).map(|n| Document::new(format!("s{}", n % 3), format!("read_{n}")));
    let index = Index::build(many);
    let searches = [
        Search::words("read"),
        Search::words("").on("s1"),
        Search::pattern("read"),
    ];
    for (search, total) in searches.into_iter().zip([57, 19, 57]) {
        let mut seen = Vec::new();
        let mut offset = Some(0);
        while let Some(at) = offset {
            let page = index
                .search(&search.window(Window::new(10, at)))
                .expect("a page");
            assert_eq!(page.total, total);
            assert_eq!(page.has_more(), page.next_offset.is_some());
            seen.extend(page.items.iter().map(|hit| (hit.server, hit.name)));
            offset = page.next_offset;
        }
        let whole = index
            .search(&search.window(Window::new(100, 0)))
            .expect("a page");
        let whole: Vec<_> = whole
            .items
            .iter()
            .map(|hit| (hit.server, hit.name))
            .collect();
        assert_eq!(seen, whole);
        assert_eq!(seen.len(), total);
    }
}

#[test]
fn server_filter_and_empty_query() {
    let index = Index::build(tools());
    assert_eq!(
        index.search(&Search::words(" ")),
        Err(SearchError::EmptyQuery)
    );
    assert_eq!(
        names(&index, &Search::words("").on("git")),
        "create_issue list-issues"
    );
    assert_eq!(names(&index, &Search::words("").on("gone")), "");
    assert_eq!(
        names(&index, &Search::words("open").on("browser")),
        "open_page"
    );
    assert_eq!(names(&index, &Search::words("open_page").on("git")), "");
}

#[test]
fn patterns_match_names_first_and_bad_ones_say_so() {
    let index = Index::build(tools());
    assert_eq!(
        names(&index, &Search::pattern("^open|issues?$")),
        "create_issue list-issues open_page"
    );
    assert_eq!(names(&index, &Search::pattern("TIME")), "now");
    assert_eq!(names(&index, &Search::pattern("nothing")), "");
    for (pattern, says) in [
        ("(", "read the regular expression: unclosed group"),
        (
            "\\w{200}{200}",
            "read the regular expression: Compiled regex exceeds size limit",
        ),
        (
            &"a".repeat(257),
            "use a pattern of 257 bytes: at most 256 are allowed",
        ),
        ("\u{1b}[31m(", "read the regular expression: unclosed"),
    ] {
        let error = index.search(&Search::pattern(pattern)).expect_err(pattern);
        let text = error.to_string();
        assert!(text.starts_with(says), "{text}");
        assert!(!text.chars().any(char::is_control), "{text:?}");
    }
}

#[test]
fn same_documents_give_the_same_answer_however_they_came() {
    let mut changed = Index::build(tools().into_iter().rev());
    let git: Vec<Document> = tools()
        .into_iter()
        .filter(|tool| tool.server == "git")
        .collect();
    changed.replace_server("git", [Document::new("git", "force_push")]);
    changed.replace_server("extra", tools());
    assert_eq!(changed.len(), 4 + 1 + 6);
    changed.replace_server("git", git);
    changed.remove_server("extra");
    changed.remove_server("never seen");
    let built = Index::build(tools());
    assert_eq!(
        changed.servers().collect::<Vec<_>>(),
        built.servers().collect::<Vec<_>>()
    );
    for text in [
        "open issue",
        "open an issue of a repository now",
        "search",
        "p",
        "force",
    ] {
        for search in [Search::words(text), Search::pattern(text)] {
            assert_eq!(changed.search(&search), built.search(&search), "{text}");
        }
    }
}

#[test]
fn equal_scores_are_sorted_by_name_then_server() {
    let both = ["b", "a"].map(|server| Document::new(server, "same").describe("alike"));
    let other = Document::new("a", "other").describe("alike");
    let index = Index::build(both.into_iter().chain([other]));
    let page = index.search(&Search::pattern("alike")).expect("a page");
    let order: Vec<_> = page
        .items
        .iter()
        .map(|hit| (hit.name, hit.server))
        .collect();
    assert_eq!(order, [("other", "a"), ("same", "a"), ("same", "b")]);
}

#[test]
fn first_of_two_documents_of_one_name_is_kept() {
    let twice = ["first", "second"].map(|text| Document::new("s", "tool").describe(text));
    let index = Index::build(twice);
    assert_eq!(index.len(), 1);
    assert_eq!(names(&index, &Search::words("first")), "tool");
    assert_eq!(names(&index, &Search::words("second")), "");
}

#[test]
fn names_are_found_however_their_words_are_joined() {
    let mut index = Index::build(tools());
    index.replace_server(
        "web",
        [
            Document::new("", "get_pixels"),
            Document::new("", "open-page"),
        ],
    );
    let named = |name, server| {
        let hits = index.named(name, server);
        let hits: Vec<String> = hits
            .iter()
            .map(|hit| format!("{}/{}", hit.server, hit.name))
            .collect();
        hits.join(" ")
    };
    assert_eq!(
        named("get-pixels", None),
        "browser/getPixels web/get_pixels"
    );
    assert_eq!(named("getPixels", None), "browser/getPixels");
    assert_eq!(named("get_pixels", Some("browser")), "browser/getPixels");
    assert_eq!(named("clock now", None), "");
    assert_eq!(named("gone", None), "");
}

#[test]
fn empty_index_answers() {
    let index = Index::default();
    assert!(index.is_empty());
    assert_eq!(names(&index, &Search::words("anything at all, really")), "");
    assert_eq!(names(&index, &Search::words("").on("s")), "");
    assert_eq!(names(&index, &Search::pattern(".")), "");
    assert!(index.suggest("anything").is_empty());
}

#[test]
fn hostile_documents_and_queries_stay_cheap() {
    let huge = "lorem_Ipsum ".repeat(100_000);
    let mut index = Index::build(tools());
    index.replace_server(
        "bad",
        [Document::new("", &huge).describe(&huge).param(&huge, &huge)],
    );
    index.replace_server(
        "odd",
        [Document::new("", ""), Document::new("", "\u{1b}[2J")],
    );
    assert_eq!(names(&index, &Search::words("clock now")), "now");
    assert_eq!(names(&index, &Search::words("?!")), "");
    assert_eq!(
        index.search(&Search::words(&huge)).expect("capped").total,
        1
    );
    assert!(index.suggest(&huge).len() <= 5);
    assert!(
        index
            .entries()
            .all(|(_, entry)| entry.description.len() <= MAX_DESCRIPTION)
    );
}
