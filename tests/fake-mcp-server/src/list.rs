//! The tool list of each mode, and its pages.

use std::ops::Range;

use crate::reply::Reply;
use crate::tools::{DEFAULT, DESCRIBED, simple};
use crate::{Mode, Options, big_numbers};

/// The second tool of mode `duplicate-names` that is called `echo`.
const SECOND_ECHO: &str = r#"{"name":"echo","description":"Another tool of the same name.","inputSchema":{"type":"object","properties":{"other":{"type":"integer"}},"required":["other"]}}"#;

/// The entries of mode `bad-schema` before and after which the list is fine. The last two can be
/// repaired at the root; the others cannot be used.
const BAD: [&str; 8] = [
    "42",
    "null",
    r#"{"description":"Has no name.","inputSchema":{"type":"object"}}"#,
    r#"{"name":7,"inputSchema":{"type":"object"}}"#,
    r#"{"name":"text_schema","inputSchema":"object"}"#,
    r#"{"name":"no_schema","description":"Has no inputSchema."}"#,
    r#"{"name":"empty_schema","inputSchema":{}}"#,
    r#"{"name":"untyped_schema","inputSchema":{"properties":{"a":{"type":"string"}},"required":["a"]}}"#,
];

const ANNOTATED: [&str; 3] = [
    r#"{"name":"reads","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#,
    r#"{"name":"writes","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":false}}"#,
    r#"{"name":"undeclared","inputSchema":{"type":"object"},"annotations":{"title":"Says nothing"}}"#,
];

const PROGRESS: &str = r#"{"name":"progress","description":"Reports its progress.","inputSchema":{"type":"object","properties":{"steps":{"type":"integer"}}}}"#;

/// The answer to `tools/list`.
pub(crate) fn answer(mode: Mode, options: &Options, grown: bool, cursor: Option<&str>) -> Reply {
    match (mode, cursor) {
        (Mode::ToolsListEndless, _) => {
            let page = cursor.and_then(|cursor| cursor.parse::<u64>().ok());
            let page = page.unwrap_or_default();
            let entries = [simple(&format!("endless_{page}"))];
            return result(&entries, Some(&page.saturating_add(1).to_string()));
        }
        (Mode::EmptyCursor, Some("")) => return result(&[simple("second_page")], None),
        _ => {}
    }
    let tools = own(mode, grown);
    match mode {
        Mode::SameCursor => return result(&tools, Some("same")),
        Mode::EmptyCursor | Mode::EmptyCursorLoop => return result(&tools, Some("")),
        _ => {}
    }

    let total = options.tool_count(mode).unwrap_or(tools.len());
    let Some((range, next)) = page(total, options.page_size(mode), cursor) else {
        return Reply::invalid_params("Invalid cursor");
    };
    let entry = |index| tools.get(index).cloned().unwrap_or_else(|| numbered(index));
    let entries: Vec<String> = range.map(entry).collect();
    let reply = result(&entries, next.as_deref());
    if mode == Mode::SlowList {
        return reply.after(options.delay(mode), true);
    }
    reply
}

/// The entries `cursor` stands for, and the next cursor; `None` for a cursor we never gave.
pub(crate) fn page(
    total: usize,
    size: Option<usize>,
    cursor: Option<&str>,
) -> Option<(Range<usize>, Option<String>)> {
    let start = match cursor {
        None => 0,
        Some(cursor) => cursor.strip_prefix("from ")?.parse::<usize>().ok()?,
    };
    if start > total {
        return None;
    }
    let end = start.saturating_add(size.unwrap_or(total)).min(total);
    let next = (end < total).then(|| format!("from {end}"));
    Some((start..end, next))
}

fn result(entries: &[String], next: Option<&str>) -> Reply {
    let entries = entries.join(",");
    let next = next.map_or(String::new(), |next| format!(r#","nextCursor":"{next}""#));
    Reply::Result(format!(r#"{{"tools":[{entries}]{next}}}"#))
}

/// The tools of `mode` before `tool_count` adds any.
fn own(mode: Mode, grown: bool) -> Vec<String> {
    let mut tools = DEFAULT.map(str::to_owned).to_vec();
    match mode {
        Mode::EmptyList => tools.clear(),
        Mode::Annotations => tools = ANNOTATED.map(str::to_owned).to_vec(),
        Mode::DieOnCall => tools.push(simple("die")),
        Mode::ToolsList => tools.push(DESCRIBED.to_owned()),
        Mode::ListChanged => tools.push(simple("grow")),
        Mode::Modern => tools.extend(["grow", "end_listen"].map(simple)),
        Mode::DuplicateNames => tools.insert(1, SECOND_ECHO.to_owned()),
        Mode::BadSchema => {
            tools.splice(1..1, BAD.map(str::to_owned));
        }
        Mode::Images => tools.extend(["image", "mixed"].map(simple)),
        Mode::Progress => tools.push(PROGRESS.to_owned()),
        Mode::BigNumbers => tools.extend([big_numbers::TOOL.to_owned(), simple("raw")]),
        _ => {}
    }
    if grown {
        tools.push(simple("grown"));
    }
    tools
}

/// What fills a list up to `tool_count`.
fn numbered(index: usize) -> String {
    format!(
        r#"{{"name":"tool_{index:05}","description":"Does thing number {index}.","inputSchema":{{"type":"object","properties":{{"path":{{"type":"string","description":"Where to do it."}},"limit":{{"type":"integer","minimum":0}}}},"required":["path"]}}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_cover_the_list() {
        let next = |text: &str| Some(text.to_owned());
        assert_eq!(page(5, Some(2), None), Some((0..2, next("from 2"))));
        assert_eq!(
            page(5, Some(2), Some("from 2")),
            Some((2..4, next("from 4")))
        );
        assert_eq!(page(5, Some(2), Some("from 4")), Some((4..5, None)));
        assert_eq!(page(5, None, None), Some((0..5, None)));
        assert_eq!(page(0, None, None), Some((0..0, None)));
        for cursor in ["", "2", "from 6", "from -1"] {
            assert_eq!(page(5, Some(2), Some(cursor)), None, "{cursor:?}");
        }
    }
}
