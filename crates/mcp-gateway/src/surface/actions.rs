//! The actions of the `mcp` tool.

use mcp_manager::{format_server_line, summary_line};
use mcp_proto::tool::CallToolParams;
use mcp_proto::{Raw, RawObject};
use mcp_server::{Reply, RequestContext, ToolFailure, arguments};
use tokio::time::{Instant, timeout_at};
use tool_search::{Mode, Search, Window};

use crate::texts::ACTIONS;
use crate::{Gateway, failure, forward};

/// The arguments of the `mcp` tool.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Arguments {
    action: Option<String>,
    query: Option<String>,
    tool: Option<String>,
    /// An object, or the JSON text of one.
    args: Option<Raw>,
    server: Option<String>,
    limit: Option<usize>,
    offset: Option<usize>,
    regex: Option<bool>,
}

/// Does what the call asks. Whatever goes wrong is a result that the model can read.
pub(super) async fn act(gateway: &Gateway, params: CallToolParams, cx: &RequestContext) -> Reply {
    let arguments = match arguments::<Arguments>(&params) {
        Ok(arguments) => arguments,
        Err(failure) => return Reply::error(failure.to_string()),
    };
    // Without an action: what the other arguments can only mean, else the status.
    let action = arguments.action.as_deref().unwrap_or(match &arguments {
        Arguments {
            tool: Some(_),
            args: Some(_),
            ..
        } => "call",
        Arguments { tool: Some(_), .. } => "describe",
        Arguments { query: Some(_), .. } => "search",
        _ => "status",
    });
    match action {
        "call" => return call(gateway, arguments, params, cx).await,
        "status" => Ok(status(gateway)),
        "search" => search(gateway, &arguments).await,
        "describe" => describe(gateway, &arguments).await,
        "connect" => connect(gateway, &arguments).await,
        "reload" => reload(gateway).await,
        other => Err(ToolFailure(format!(
            "there is no action {other:?}; the actions are {}",
            ACTIONS.join(", ")
        ))),
    }
    .into()
}

fn status(gateway: &Gateway) -> String {
    let health = gateway.inner.manager.health();
    let mut lines = mcp_manager::render_status_lines(&health, 0);
    lines.extend(gateway.roster().notices.iter().cloned());
    lines.push(summary_line(&health));
    lines.join("\n")
}

async fn search(gateway: &Gateway, arguments: &Arguments) -> Result<String, ToolFailure> {
    first_discovery(gateway).await;
    if let Some(server) = arguments.server.as_deref()
        && gateway.inner.manager.connection(server).is_none()
    {
        return Err(unknown_server(gateway, server));
    }
    let limit = arguments.limit.unwrap_or(Window::DEFAULT_LIMIT);
    let directory = gateway.directory();
    let page = directory.search(&Search {
        text: arguments.query.as_deref().unwrap_or_default(),
        server: arguments.server.as_deref(),
        mode: if arguments.regex == Some(true) {
            Mode::Pattern
        } else {
            Mode::Words
        },
        window: Window::new(limit, arguments.offset.unwrap_or(0)),
    });
    let page = page.map_err(|error| ToolFailure(format!("cannot search: {error}")))?;
    let mut lines: Vec<_> = page.items.iter().map(|found| found.line()).collect();
    match page.next_offset {
        Some(next) => lines.push(format!(
            "{} of {} - offset: {next} for more",
            page.items.len(),
            page.total
        )),
        None if page.total == 0 => lines.push("No tool fits. Try other words.".to_owned()),
        None => {}
    }
    lines.extend(missing(gateway));
    Ok(lines.join("\n"))
}

async fn describe(gateway: &Gateway, arguments: &Arguments) -> Result<String, ToolFailure> {
    let tool = arguments
        .tool
        .as_deref()
        .ok_or("describe needs a tool: its name as search gives it")?;
    first_discovery(gateway).await;
    let directory = gateway.directory();
    match directory.resolve(tool, arguments.server.as_deref()) {
        Ok(found) => Ok(found.describe()),
        Err(error) => Err(ToolFailure(
            [vec![error.to_string()], missing(gateway)]
                .concat()
                .join("\n"),
        )),
    }
}

async fn connect(gateway: &Gateway, arguments: &Arguments) -> Result<String, ToolFailure> {
    let server = arguments
        .server
        .as_deref()
        .ok_or("connect needs a server")?;
    let manager = &gateway.inner.manager;
    let connection = manager
        .connection(server)
        .ok_or_else(|| unknown_server(gateway, server))?;
    let deadline = Instant::now() + connection.startup_timeout();
    match manager.connect(server, deadline).await {
        Ok(health) => Ok(format_server_line(&health)),
        Err(error) => Err(ToolFailure(error.message)),
    }
}

async fn reload(gateway: &Gateway) -> Result<String, ToolFailure> {
    gateway.reload().await.map_err(ToolFailure)
}

async fn call(
    gateway: &Gateway,
    arguments: Arguments,
    params: CallToolParams,
    cx: &RequestContext,
) -> Reply {
    let Some(tool) = arguments.tool.as_deref() else {
        return Reply::error("call needs a tool: its name as search gives it");
    };
    let args = match object(arguments.args) {
        Ok(args) => args,
        Err(failure) => return Reply::error(failure.to_string()),
    };
    first_discovery(gateway).await;
    let directory = gateway.directory();
    let found = match directory.resolve(tool, arguments.server.as_deref()) {
        Ok(found) => found,
        Err(error) => {
            let help = [vec![format!("{error} Nothing was sent.")], missing(gateway)]
                .concat()
                .join("\n");
            return failure::with_code(help, "mcp_request_failed", "unknown_tool");
        }
    };
    let params = CallToolParams {
        arguments: args,
        extra: RawObject::default(),
        ..params
    };
    let inner = &gateway.inner;
    let name = found.tool.tool.name.clone();
    match forward::call(
        &inner.manager,
        found.server,
        &name,
        params,
        inner.options.mcp_timeout,
        cx,
    )
    .await
    {
        Ok(result) => result.into(),
        Err(error) => failure::with_code(
            error.message,
            error.kind.code().as_str(),
            error.kind.as_str(),
        ),
    }
}

/// Some hosts can send nested objects only as their JSON text.
fn object(args: Option<Raw>) -> Result<Option<Raw>, ToolFailure> {
    let Some(args) = args.filter(|args| args.get() != "null") else {
        return Ok(None);
    };
    if args.is_object() {
        return Ok(Some(args));
    }
    let text = args
        .decode::<String>()
        .ok()
        .filter(|text| !text.trim().is_empty());
    match text.map(Raw::parse) {
        Some(Ok(inner)) if inner.is_object() => Ok(Some(inner)),
        _ => Err("args must be an object, such as {\"path\": \".\"}, or its JSON text".into()),
    }
}

/// Soon after the start, waits until it is known what the servers have.
async fn first_discovery(gateway: &Gateway) {
    let inner = &gateway.inner;
    drop(timeout_at(inner.hold_until, inner.manager.settled(inner.hold_until)).await);
}

/// The servers whose tools are not known, a line each: search cannot find their tools.
fn missing(gateway: &Gateway) -> Vec<String> {
    let connections = gateway.inner.manager.connections();
    connections
        .iter()
        .filter(|connection| connection.definition().enabled && connection.generation().is_none())
        .map(|connection| format!("Not searched: {}", format_server_line(&connection.health())))
        .collect()
}

fn unknown_server(gateway: &Gateway, server: &str) -> ToolFailure {
    let names: Vec<_> = gateway.roster().names().map(str::to_owned).collect();
    ToolFailure(format!(
        "there is no server {server:?}; there are: {}",
        names.join(", ")
    ))
}
