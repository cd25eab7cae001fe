//! `posthouse try`: the main job, seen in a few seconds on servers that are part of the program.

use mcp_gateway::Directory;
use mcp_manager::{CallOptions, Manager, ToolCall};
use mcp_proto::Raw;
use mcp_proto::tool::CallToolResult;
use nix::sys::signal::killpg;
use nix::unistd::Pid;
use serde_json::json;
use tool_search::Search;

use super::listen;
use crate::cli::Cli;
use crate::engine::Engine;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::Failure;
use crate::setup::Setup;
use crate::try_folder::TryFolder;
use crate::{terminal, waiting};

const QUERY: &str = "what time is it in Tokyo";
const ZONE: &str = "Asia/Tokyo";

pub(super) async fn run(cli: &Cli, environment: &Environment) -> Result<Exit, Failure> {
    // Before there is anything that a signal could leave behind.
    let mut signals = listen()?;
    let folder = TryFolder::make(&environment.temporary)?;
    let setup = Setup::demo(environment, folder.path())?;
    let engine = Engine::start(&setup, environment);
    let shown = tokio::select! {
        shown = show(cli, &engine.manager) => shown,
        () = signals.stop() => {
            engine.stop(&mut signals).await;
            return Ok(Exit::Interrupted);
        }
    };
    let health = engine.manager.health();
    let groups: Vec<_> = health.iter().filter_map(|health| health.pid).collect();
    engine.stop(&mut signals).await;
    let left = groups.iter().filter(|group| is_there(**group)).count();
    let Shown {
        mut lines,
        mut data,
    } = shown?;
    lines.push(format!(
        "{} servers stopped, {left} processes left.",
        groups.len()
    ));
    lines.push(String::new());
    lines.extend(next_steps(environment));
    data["stopped"] = json!(groups.len());
    data["left"] = json!(left);
    let text = if cli.global.json {
        data.to_string()
    } else {
        lines.join("\n")
    };
    terminal::print(&text);
    Ok(if left == 0 {
        Exit::Done
    } else {
        Exit::Unavailable
    })
}

struct Shown {
    lines: Vec<String>,
    data: serde_json::Value,
}

/// States, a search, a description, and a call.
async fn show(cli: &Cli, manager: &Manager) -> Result<Shown, Failure> {
    let connections = manager.connections();
    waiting::until_settled(&connections, &cli.global).await;
    let colours = terminal::colours(cli.global.color);
    let health = manager.health();
    let mut lines: Vec<_> = health
        .iter()
        .map(|health| terminal::status_line(health, colours))
        .collect();
    let directory = Directory::of(manager);
    let gone = || {
        Failure::unavailable(format!(
            "the built-in servers did not start:\n{}",
            manager.status_lines(0).join("\n")
        ))
    };
    let page = directory
        .search(&Search::words(QUERY))
        .map_err(|error| Failure::usage(error.to_string()))?;
    let found = page.items.first().copied().ok_or_else(gone)?;
    lines.push(String::new());
    lines.push(format!(
        "search {QUERY:?}  ->  {} {}",
        found.reference(),
        found.shape()
    ));
    lines.push(String::new());
    lines.push(format!("describe {}  ->", found.reference()));
    lines.extend(
        super::describe::in_full(&found)
            .lines()
            .map(|line| format!("  {line}")),
    );
    lines.push(String::new());
    let arguments = Raw::of(&json!({ "zone": ZONE })).ok();
    let call = ToolCall::new(&found.tool.tool.name, arguments);
    let result = manager
        .call(found.server, &call, CallOptions::default())
        .await?;
    let result: CallToolResult = result
        .decode()
        .map_err(|error| Failure::unavailable(error.to_string()))?;
    let text = super::call::text(&result);
    lines.push(format!(
        "call {} zone={ZONE}  ->  {text}",
        found.reference()
    ));
    lines.push(String::new());
    let servers: Vec<_> = health.iter().map(super::status::server).collect();
    let data = json!({
        "servers": servers,
        "search": { "query": QUERY, "found": found.reference() },
        "call": { "tool": found.reference(), "result": text },
    });
    Ok(Shown { lines, data })
}

/// Whether any process of the group is left.
fn is_there(group: u32) -> bool {
    i32::try_from(group).is_ok_and(|group| killpg(Pid::from_raw(group), None).is_ok())
}

fn next_steps(environment: &Environment) -> Vec<String> {
    let program = environment
        .program
        .as_ref()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let file = environment
        .user_file()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let entry = |args: serde_json::Value| json!({ "mcpServers": { "tools": { "command": program, "args": args } } });
    vec![
        "To see it in a host, put this entry into its configuration:".to_owned(),
        format!("  {}", entry(json!(["serve", "--demo"]))),
        format!("For your own servers, put their `mcpServers` into {file} and use:"),
        format!("  {}", entry(json!(["serve"]))),
    ]
}
