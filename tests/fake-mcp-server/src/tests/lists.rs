//! The tool lists of the modes, page by page.

use serde_json::Value;

use super::{Peer, check_ready};
use crate::{Exit, Mode, Options, big_numbers};

/// The tools of each page, and the cursor behind it, for at most `pages` pages.
async fn walk(mode: Mode, options: Options, pages: u32) -> Vec<(Vec<Value>, Option<String>)> {
    let mut peer = Peer::ready(mode, options).await;
    let mut seen = Vec::new();
    let mut params = "{}".to_owned();
    for id in 1..=pages {
        peer.request(id, "tools/list", &params).await;
        let answer: Value = serde_json::from_str(&peer.hear().await).expect("JSON");
        let result = &answer["result"];
        let tools = result["tools"].as_array().expect("an array").clone();
        let next = result["nextCursor"].as_str().map(str::to_owned);
        seen.push((tools, next.clone()));
        match next {
            Some(next) => params = format!(r#"{{"cursor":"{next}"}}"#),
            None => break,
        }
    }
    assert_eq!(peer.close().await, Exit::Closed);
    seen
}

/// How many tools each page has, and the cursor behind it.
async fn shape(mode: Mode, pages: u32) -> Vec<(usize, Option<String>)> {
    let pages = walk(mode, Options::default(), pages).await;
    let shape = |(tools, next): (Vec<Value>, Option<String>)| (tools.len(), next);
    pages.into_iter().map(shape).collect()
}

#[tokio::test(start_paused = true)]
async fn each_mode_has_its_pages() {
    let to = |cursor: &str| Some(cursor.to_owned());
    let one = |size| vec![(size, None)];
    let paged = vec![(3, to("from 3")), (3, to("from 6")), (2, None)];
    let endless = vec![(1, to("1")), (1, to("2")), (1, to("3"))];
    let same = vec![(8, to("same")), (8, to("same")), (8, to("same"))];
    let empty_loop = vec![(8, to("")), (8, to("")), (8, to(""))];
    for (mode, expected) in [
        (Mode::Plain, one(8)),
        (Mode::ToolsList, one(9)),
        (Mode::EmptyList, one(0)),
        (Mode::SlowList, one(8)),
        (Mode::Annotations, one(3)),
        (Mode::DuplicateNames, one(9)),
        (Mode::BadSchema, one(16)),
        (Mode::ToolsListPaged, paged),
        (Mode::ToolsListEndless, endless),
        (Mode::SameCursor, same),
        (Mode::EmptyCursor, vec![(8, to("")), (1, None)]),
        (Mode::EmptyCursorLoop, empty_loop),
    ] {
        assert_eq!(shape(mode, 3).await, expected, "{mode}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_big_list_is_as_big_as_asked() {
    let options = Options {
        tool_count: Some(120),
        page_size: Some(50),
        ..Options::default()
    };
    let pages = walk(Mode::BigList, options, 9).await;
    let sizes: Vec<usize> = pages.iter().map(|(tools, _)| tools.len()).collect();
    assert_eq!(sizes, [50, 50, 20]);
    assert_eq!(pages[0].0[0]["name"], "echo");
    assert_eq!(pages[2].0[19]["name"], "tool_00119");
    assert_eq!(shape(Mode::BigList, 99).await.len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_wrong_cursor_is_refused() {
    check_ready(
        Mode::Plain,
        &[
            r#"> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"made up"}}"#,
            r#"< {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid cursor"}}"#,
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_change_is_announced_before_the_call_is_answered() {
    let mut peer = Peer::ready(Mode::ListChanged, Options::default()).await;
    peer.play(&[
        r#"> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"grow"}}"#,
        r#"< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
        r#"< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"grown"}]}}"#,
    ])
    .await;
    peer.request(2, "tools/list", "{}").await;
    assert!(peer.hear().await.contains(r#""name":"grown""#));
}

#[tokio::test(start_paused = true)]
async fn big_numbers_go_out_and_come_back_byte_for_byte() {
    let mut peer = Peer::ready(Mode::BigNumbers, Options::default()).await;
    peer.request(1, "tools/list", "{}").await;
    assert!(peer.hear().await.contains(big_numbers::TOOL));
    peer.call(2, "numbers", "{}").await;
    let answer = peer.hear().await;
    assert!(answer.contains(big_numbers::RESULT), "{answer}");
    peer.call(3, "raw", r#"{ "n" : 1e400,"m":1.0 }"#).await;
    assert!(peer.hear().await.contains(r#"{ \"n\" : 1e400,\"m\":1.0 }"#));
}

#[tokio::test(start_paused = true)]
async fn resources_stand_where_tools_are_missing() {
    let mut peer = Peer::ready(Mode::ResourcesOnly, Options::default()).await;
    for (method, params, expected) in [
        ("tools/list", "{}", r#""code":-32601"#),
        ("resources/list", "{}", r#""nextCursor":"from 2""#),
        ("resources/list", r#"{"cursor":"from 2"}"#, "data.json"),
        ("resources/templates/list", "{}", "fake:///item/{id}"),
        ("resources/read", r#"{"uri":"fake:///item/7"}"#, "item 7"),
        (
            "resources/read",
            r#"{"uri":"fake:///none"}"#,
            r#""code":-32002"#,
        ),
        (
            "resources/subscribe",
            r#"{"uri":"fake:///notes.txt"}"#,
            r#""result":{}"#,
        ),
        ("prompts/list", "{}", "greet"),
    ] {
        peer.request(1, method, params).await;
        let answer = peer.hear().await;
        assert!(answer.contains(expected), "{method} {params}: {answer}");
        if method == "resources/subscribe" {
            assert!(
                peer.hear()
                    .await
                    .contains("notifications/resources/updated")
            );
        }
    }
    peer.request(
        2,
        "prompts/get",
        r#"{"name":"greet","arguments":{"name":"Ada"}}"#,
    )
    .await;
    assert!(peer.hear().await.contains("Say hello to Ada."));
}
