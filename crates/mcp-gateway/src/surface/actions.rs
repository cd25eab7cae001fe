//! The actions of the `mcp` tool.

use std::sync::Arc;

use mcp_manager::{ErrorKind, ToolError, format_server_line, summary_line};
use mcp_proto::tool::CallToolParams;
use mcp_server::{Reply, RequestContext};
use serde_json::json;
use tool_search::{Mode, Search, Window};

use super::arguments::Arguments;
use crate::directory::{behind, quoted};
use crate::gateway::discovered;
use crate::texts::ACTIONS;
use crate::{Directory, Gateway, failure, forward};

/// Does what the call asks. Whatever goes wrong is a result that the model can read.
pub(super) async fn act(gateway: &Gateway, params: CallToolParams, cx: &RequestContext) -> Reply {
    match Arguments::read(&params) {
        Ok(arguments) => done(gateway, arguments, params, cx)
            .await
            .unwrap_or_else(|failure| failure),
        Err(failure) => Reply::error(failure.to_string()),
    }
}

/// What came of it, or the failure as the reply that it is.
async fn done(
    gateway: &Gateway,
    arguments: Arguments,
    params: CallToolParams,
    cx: &RequestContext,
) -> Result<Reply, Reply> {
    let text = match arguments.action.as_deref() {
        Some("call") => return call(gateway, arguments, params, cx).await,
        Some("status") => status(gateway),
        Some("search") => search(gateway, &arguments).await?,
        Some("describe") => describe(gateway, &arguments).await?,
        Some("connect") => connect(gateway, &arguments).await?,
        Some("reload") => gateway.reload().await.map_err(Reply::error)?,
        Some(other) => {
            return Err(Reply::error(format!(
                "there is no action {}; the actions are {}. Nothing was sent.",
                quoted(other),
                ACTIONS.join(", ")
            )));
        }
        // Without an action: the one that only looks and for which the others are, else the status. A
        // call has to be asked for.
        None if arguments.args.is_some() => {
            return Err(Reply::error(
                "to call a tool, say action \"call\". Nothing was sent.",
            ));
        }
        None if arguments.tool.is_some() => describe(gateway, &arguments).await?,
        None if arguments.query.is_some() => search(gateway, &arguments).await?,
        None => status(gateway),
    };
    Ok(Reply::text(text))
}

fn status(gateway: &Gateway) -> String {
    let health = gateway.manager().health();
    let mut lines = mcp_manager::render_status_lines(&health, 0);
    lines.extend(gateway.roster().notices.iter().cloned());
    lines.push(summary_line(&health));
    lines.join("\n")
}

async fn search(gateway: &Gateway, arguments: &Arguments) -> Result<String, Reply> {
    let server = arguments.server.as_deref();
    let directory = directory(gateway, server).await?;
    let offset = arguments.offset.unwrap_or(0);
    let page = directory.search(&Search {
        text: arguments.query.as_deref().unwrap_or_default(),
        server,
        mode: if arguments.regex {
            Mode::Pattern
        } else {
            Mode::Words
        },
        window: Window::new(arguments.limit.unwrap_or(Window::DEFAULT_LIMIT), offset),
    });
    let page = page.map_err(|error| Reply::error(format!("cannot {error}")))?;
    let mut lines: Vec<_> = page.items.iter().map(|found| found.line()).collect();
    match page.next_offset {
        Some(next) => lines.push(format!(
            "{} of {} tools; offset {next} gives more",
            page.items.len(),
            page.total
        )),
        None if page.total == 0 => lines.push("No tool fits. Try other words.".to_owned()),
        None if page.items.is_empty() => lines.push(format!(
            "No more: {} tools fit, from offset 0 on.",
            page.total
        )),
        None => {}
    }
    if server.is_none() {
        lines.extend(missing(gateway));
    }
    Ok(lines.join("\n"))
}

async fn describe(gateway: &Gateway, arguments: &Arguments) -> Result<String, Reply> {
    let (directory, server, tool) = resolve(gateway, "describe", arguments).await?;
    let Some(found) = directory.tool(&server, &tool) else {
        return Err(Reply::error("the tool has just gone"));
    };
    let example = json!({ "action": "call", "tool": found.reference(), "args": found.example() });
    Ok(format!("{}\nexample: {example}", found.describe()))
}

async fn connect(gateway: &Gateway, arguments: &Arguments) -> Result<String, Reply> {
    let Some(server) = arguments.server.as_deref() else {
        return Err(Reply::error("connect needs a server"));
    };
    let health = gateway.connect(server).await.map_err(failure::result)?;
    Ok(format_server_line(&health))
}

async fn call(
    gateway: &Gateway,
    arguments: Arguments,
    params: CallToolParams,
    cx: &RequestContext,
) -> Result<Reply, Reply> {
    let (_, server, tool) = resolve(gateway, "call", &arguments).await?;
    let params = CallToolParams {
        arguments: arguments.args,
        ..params
    };
    let inner = &gateway.inner;
    let called = forward::call(
        &inner.manager,
        &server,
        &tool,
        params,
        inner.options.mcp_timeout,
        cx,
    )
    .await;
    called.map(Reply::from).map_err(failure::result)
}

/// The server and the tool that the arguments mean, in the directory that has them.
async fn resolve(
    gateway: &Gateway,
    action: &str,
    arguments: &Arguments,
) -> Result<(Arc<Directory>, String, String), Reply> {
    let Some(tool) = arguments.tool.as_deref() else {
        return Err(Reply::error(format!(
            "{action} needs a tool: its name as search gives it. Nothing was sent."
        )));
    };
    let server = arguments.server.as_deref();
    let prefix = gateway.server_named(|name| behind(name, tool).is_some());
    let named = server.or(prefix.as_deref());
    let directory = directory(gateway, named).await?;
    match directory.resolve(tool, server) {
        Ok(found) => {
            let (server, tool) = (found.server.to_owned(), found.tool.tool.name.clone());
            Ok((directory, server, tool))
        }
        Err(error) => {
            let mut lines = vec![format!("{error}. Nothing was sent.")];
            if named.is_none() {
                lines.extend(missing(gateway));
            }
            let error = ToolError::new(ErrorKind::UnknownTool, lines.join("\n"));
            Err(failure::result(error))
        }
    }
}

/// What is known once the one server that was named is; soon after the start, once all are.
async fn directory(gateway: &Gateway, server: Option<&str>) -> Result<Arc<Directory>, Reply> {
    match server {
        Some(server) => gateway.reach(server).await.map_err(failure::result)?,
        None => {
            let inner = &gateway.inner;
            discovered(&inner.manager.connections(), inner.discovered_by).await;
        }
    }
    Ok(gateway.directory())
}

/// The servers whose tools are not known, a line each: no search finds their tools.
fn missing(gateway: &Gateway) -> Vec<String> {
    let connections = gateway.manager().connections();
    connections
        .iter()
        .filter(|connection| connection.definition().enabled && connection.generation().is_none())
        .map(|connection| format!("Not searched: {}", format_server_line(&connection.health())))
        .collect()
}
