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
    let notices = setup.notices();
    let connections = waiting::chosen(manager, servers).map_err(|why| {
        let named = |notice: &&String| {
            servers
                .iter()
                .any(|it| notice.starts_with(&format!("{it}: ")))
        };
        let about = notices.iter().filter(named).map(String::as_str);
        let lines: Vec<_> = std::iter::once(why.as_str()).chain(about).collect();
        Failure::usage(lines.join("\n"))
    })?;
    waiting::until_settled(&connections, global).await;
    let health: Vec<_> = connections.iter().map(Connection::health).collect();
    let colours = terminal::colours(global.color);
    let mut lines: Vec<_> = health
        .iter()
        .map(|health| terminal::status_line(health, colours))
        .collect();
    lines.extend(notices.iter().cloned());
    lines.push(summary_line(&health));
    let held: Vec<_> = setup
        .held
        .iter()
        .map(|held| json!({ "name": held.name, "path": held.path, "line": held.line, "reason": held.reason, "remedy": held.remedy }))
        .collect();
    let untrusted: Vec<_> = setup
        .untrusted
        .iter()
        .map(|entry| json!({ "name": entry.name, "path": entry.path, "line": entry.line }))
        .collect();
    let broken = setup.broken_project.as_ref();
    let broken = broken.map(|error| format!("failed to {error}"));
    let warnings: Vec<_> = setup.warnings.iter().map(ToString::to_string).collect();
    let servers: Vec<_> = health.iter().map(server).collect();
    Ok(Outcome::done(
        lines.join("\n"),
        &json!({ "servers": servers, "held": held, "untrusted": untrusted, "brokenProject": broken,
            "warnings": warnings, "summary": summary_line(&health) }),
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
