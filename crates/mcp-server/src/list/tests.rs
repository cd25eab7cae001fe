//! Pages of short and long lists.

use super::*;

fn numbers(count: usize) -> List {
    List::new((0..count).map(|number| json(&number)).collect::<Vec<_>>())
}

fn page(list: &List, cursor: Option<&str>) -> Result<mcp_proto::list::ListPage, ErrorObject> {
    let raw = list.page(
        ListKind::Tools,
        cursor,
        Revision::V2025_11_25,
        CacheScope::Private,
    )?;
    Ok(mcp_proto::list::ListPage::parse(ListKind::Tools, &raw).unwrap())
}

#[test]
fn ten_thousand_items_are_one_page() {
    let page = page(&numbers(PAGE), None).unwrap();
    assert_eq!((page.items.len(), page.next_cursor), (PAGE, None));
}

#[test]
fn more_than_a_page_goes_on_at_the_cursor() {
    let list = numbers(2 * PAGE + 1);
    let mut items = Vec::new();
    let mut cursor = None;
    let mut pages = 0;
    loop {
        let page = page(&list, cursor.as_deref()).unwrap();
        items.extend(page.items);
        pages += 1;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(pages, 3);
    assert!(items == list.items[..]);
}

#[test]
fn a_cursor_that_was_never_given_out_is_refused() {
    for cursor in ["", "x", "-1", "3", "99999999999999999999"] {
        let error = page(&numbers(3), Some(cursor)).unwrap_err();
        assert_eq!(error.code, mcp_proto::error_object::INVALID_PARAMS);
        assert_eq!(
            error.message,
            format!("invalid params: unknown cursor {cursor:?}")
        );
    }
}

#[test]
fn an_empty_list_is_an_empty_page_with_cache_hints_for_the_modern_era_only() {
    let list = List {
        ttl_ms: 5,
        ..numbers(0)
    };
    let text = |to| {
        let raw = list.page(ListKind::Prompts, None, to, CacheScope::Public);
        raw.unwrap().get().to_owned()
    };
    assert_eq!(text(Revision::V2025_11_25), r#"{"prompts":[]}"#);
    assert_eq!(
        text(Revision::V2026_07_28),
        r#"{"prompts":[],"ttlMs":5,"cacheScope":"public"}"#
    );
}
