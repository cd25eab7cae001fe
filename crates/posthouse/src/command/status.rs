//! `posthouse status`: one line per server.

use mcp_manager::{Connection, Manager, ServerHealth, summary_line};
use serde_json::{Value, json};

use crate::cli::Global;
use crate::outcome::{Failure, Outcome};
use crate::setup::Setup;
use crate::{terminal, waiting};

pub(super) async fn run(
    manager: &Manager,
    setup: &Setup,
    servers: &[String],
    global: &Global,
) -> Result<Outcome, Failure> {
    let connections = waiting::chosen(manager, servers).map_err(Failure::usage)?;
    waiting::until_settled(&connections, global).await;
    let health: Vec<_> = connections.iter().map(Connection::health).collect();
    let colours = terminal::colours(global.color);
    let mut lines: Vec<_> = health
        .iter()
        .map(|health| terminal::status_line(health, colours))
        .collect();
    let notices = setup.notices();
    lines.extend(notices.iter().cloned());
    lines.push(summary_line(&health));
    let held: Vec<_> = setup
        .held
        .iter()
        .map(|held| json!({ "name": held.name, "line": held.line, "reason": held.reason, "remedy": held.remedy }))
        .collect();
    let warnings: Vec<_> = setup.warnings.iter().map(ToString::to_string).collect();
    let servers: Vec<_> = health.iter().map(server).collect();
    Ok(Outcome::done(
        lines.join("\n"),
        &json!({ "servers": servers, "held": held, "warnings": warnings, "summary": summary_line(&health) }),
    ))
}

/// A server's health as data.
pub(super) fn server(health: &ServerHealth) -> Value {
    let cause = health.cause.as_ref();
    json!({
        "name": health.name,
        "state": health.state.as_str(),
        "idle": health.idle,
        "sinceSeconds": health.since.as_secs(),
        "executor": health.executor,
        "tools": health.tools,
        "resources": health.resources,
        "prompts": health.prompts,
        "revision": health.revision,
        "pid": health.pid,
        "cause": cause.map(|cause| &cause.text),
        "exit": cause.and_then(|cause| cause.exit.as_ref()).map(ToString::to_string),
        "stderrTail": cause.map(|cause| &cause.stderr_tail),
        "lastOutput": health.last_output,
        "origin": health.origin,
        "warnings": health.warnings,
        "line": mcp_manager::format_server_line(health),
    })
}
