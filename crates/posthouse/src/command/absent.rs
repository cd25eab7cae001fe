//! A server that is needed and is not there, in as many words as help.

use mcp_manager::{Connection, format_server_line, printable};

use crate::outcome::Failure;

/// The most of a cause, in characters.
const MAX_CAUSE: usize = 1000;
/// The most of a line of its output, in characters.
const MAX_OUTPUT: usize = 200;
/// How many of its last lines are shown.
const LINES: usize = 3;

/// The status line, then what it had no room for: the whole cause, and the server's last words.
pub(super) fn told(connection: &Connection) -> String {
    let health = connection.health();
    let line = format_server_line(&health);
    let mut lines = vec![format!("  {line}")];
    if let Some(cause) = &health.cause {
        let text = printable(&cause.text, MAX_CAUSE);
        if !line.contains(&text) {
            lines.push(format!("    {text}"));
        }
        let last = cause.stderr_lines(LINES).into_iter();
        lines.extend(last.map(|line| format!("    | {}", printable(line, MAX_OUTPUT))));
    }
    lines.join("\n")
}

/// Why a tool of this server cannot be looked for.
pub(super) fn failure(tool: &str, connection: &Connection) -> Failure {
    let told = told(connection);
    let name = connection.name();
    if connection.definition().enabled {
        Failure::unavailable(format!(
            "{tool}: the server {name} is not available\n{told}"
        ))
    } else {
        Failure::usage(format!(
            "{tool}: the server {name} is switched off; enable it first\n{told}"
        ))
    }
}
