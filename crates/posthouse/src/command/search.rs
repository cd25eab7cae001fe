//! `posthouse search`: tools by plain words.

use mcp_gateway::Directory;
use mcp_manager::{Manager, format_server_line};
use serde_json::json;
use tool_search::{Mode, Search, Window};

use crate::cli::{Global, SearchArgs};
use crate::outcome::{Failure, Outcome};
use crate::{terminal, waiting};

pub(super) async fn run(
    manager: &Manager,
    args: &SearchArgs,
    global: &Global,
) -> Result<Outcome, Failure> {
    let only: Vec<_> = args.server.iter().cloned().collect();
    let connections = waiting::chosen(manager, &only).map_err(Failure::usage)?;
    waiting::until_settled(&connections, global).await;
    let directory = Directory::of(manager);
    let query = args.query.join(" ");
    let search = Search {
        text: &query,
        server: args.server.as_deref(),
        mode: if args.regex {
            Mode::Pattern
        } else {
            Mode::Words
        },
        window: Window::new(args.limit as usize, args.offset),
    };
    let page = directory
        .search(&search)
        .map_err(|error| Failure::usage(format!("failed to {error}")))?;
    let mut lines: Vec<_> = page.items.iter().map(|found| found.line()).collect();
    if page.total == 0 {
        lines.push("No tool fits. Try other words.".to_owned());
    }
    if let Some(next) = page.next_offset {
        lines.push(format!(
            "{} of {}; --offset {next} for more",
            page.items.len(),
            page.total
        ));
    }
    for connection in connections
        .iter()
        .filter(|it| it.definition().enabled && it.generation().is_none())
    {
        terminal::remark(&format!(
            "not searched: {}",
            format_server_line(&connection.health())
        ));
    }
    let items: Vec<_> = page
        .items
        .iter()
        .map(|found| {
            json!({
                "server": found.server,
                "tool": found.tool.tool.name,
                "reference": found.reference(),
                "arguments": found.shape(),
                "description": found.tool.tool.description,
            })
        })
        .collect();
    Ok(Outcome::done(
        lines.join("\n"),
        &json!({ "items": items, "total": page.total, "nextOffset": page.next_offset }),
    ))
}
