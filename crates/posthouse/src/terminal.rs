//! What people see: output on stdout, complaints on stderr, colours where they are wanted.

use std::io::{IsTerminal, Write, stderr, stdout};

use crate::redaction::redacted;
use clap::ColorChoice;
use mcp_manager::{ServerHealth, ServerState, format_server_line};

/// Writes a whole output. A reader that has had enough, such as `head`, is no error.
pub(crate) fn print(text: &str) {
    let _ = write(text);
}

/// The same, for those who end when nobody reads on.
pub(crate) fn write(text: &str) -> std::io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Says on stderr what went wrong.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(stderr().lock(), "posthouse: {}", redacted(message));
}

/// Says something on stderr.
pub(crate) fn remark(message: &str) {
    let _ = writeln!(stderr().lock(), "{}", redacted(message));
}

/// Whether stdout is to be coloured.
pub(crate) fn colours(choice: ColorChoice) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => stdout().is_terminal(),
    }
}

/// The status line of a server, its state coloured.
pub(crate) fn status_line(health: &ServerHealth, colours: bool) -> String {
    let line = format_server_line(health);
    if !colours {
        return line;
    }
    let code = match health.state {
        ServerState::Ready => "32",
        ServerState::Starting | ServerState::Degraded => "33",
        ServerState::Offline if health.idle => "2",
        ServerState::Offline => "31",
        ServerState::Disabled => "2",
    };
    match line.split_once(": ") {
        Some((name, rest)) => {
            let end = rest
                .find(|c: char| !c.is_alphabetic())
                .unwrap_or(rest.len());
            let (state, rest) = rest.split_at(end);
            format!("{name}: \u{1b}[{code}m{state}\u{1b}[0m{rest}")
        }
        None => line,
    }
}
