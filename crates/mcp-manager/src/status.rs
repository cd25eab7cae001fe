//! Status in words: one line for a server, the same in every place where it is shown.

use std::time::Duration;

use crate::{READY_TIMEOUT, ServerHealth, ServerState, ToolsSource};

/// The longest line, in characters.
const MAX_LINE: usize = 160;
/// The most of a server's own last words in a line, in characters.
const MAX_OUTPUT: usize = 60;
/// With less room than this for them they are left out.
const MIN_OUTPUT: usize = 12;

/// One line per server. With `max_lines` above zero, at most so many, the last of them saying how many
/// are missing.
pub fn render_status_lines(health: &[ServerHealth], max_lines: usize) -> Vec<String> {
    let all = health.len();
    let shown = if max_lines > 0 && all > max_lines {
        max_lines - 1
    } else {
        all
    };
    let mut lines: Vec<_> = health[..shown].iter().map(format_server_line).collect();
    if shown < all {
        lines.push(format!("+{} more servers", all - shown));
    }
    lines
}

/// The line for one server: name, state, tools, place, cause, what happens next.
pub fn format_server_line(health: &ServerHealth) -> String {
    let name = &health.name;
    let place = &health.executor;
    let next = "the next call tries again";
    let line = match health.state {
        ServerState::Disabled => match &health.origin {
            Some(origin) => format!("{name}: disabled ({origin})"),
            None => format!("{name}: disabled"),
        },
        ServerState::Ready => {
            let mut line = format!("{name}: ready, {}, {place}", offered(health));
            if let Some(warning) = health.warnings.first() {
                line.push_str(": ");
                line.push_str(&printable(warning, MAX_LINE));
            }
            line
        }
        ServerState::Degraded => {
            let (cause, next) = match &health.cause {
                Some(cause) => (cause.text.as_str(), next),
                None => (
                    "it declares tools and lists none",
                    "read again when it announces a change",
                ),
            };
            let head = format!("{name}: degraded, {}, {place}", offered(health));
            with_output(head, cause, next, health)
        }
        ServerState::Starting => {
            let head = format!("{name}: starting for {}, {place}", age(health.since));
            let cause = if health.revision.is_some() {
                "reading its lists"
            } else if health.since > READY_TIMEOUT {
                "still no handshake; it is left alone"
            } else {
                "no handshake yet"
            };
            with_output(head, cause, "", health)
        }
        ServerState::Offline if health.idle => {
            format!("{name}: idle, {place}; starts on the first call")
        }
        ServerState::Offline => {
            let cause = health.cause.as_ref();
            let text = cause.map_or("it has just gone", |cause| cause.text.as_str());
            let next = if health.connecting {
                "reconnecting"
            } else {
                next
            };
            with_output(format!("{name}: offline, {place}"), text, next, health)
        }
    };
    printable(&line, MAX_LINE)
}

/// How many servers are in which state, in one line.
pub fn summary_line(health: &[ServerHealth]) -> String {
    let mut parts = Vec::new();
    for (word, count) in [
        ("ready", count(health, ServerState::Ready)),
        ("degraded", count(health, ServerState::Degraded)),
        ("starting", count(health, ServerState::Starting)),
        (
            "offline",
            health
                .iter()
                .filter(|it| it.state == ServerState::Offline && !it.idle)
                .count(),
        ),
        ("idle", health.iter().filter(|it| it.idle).count()),
        ("disabled", count(health, ServerState::Disabled)),
    ] {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let tools: usize = health
        .iter()
        .filter(|it| it.state.counts_tools())
        .filter_map(|it| it.tools)
        .sum();
    let servers = plural(health.len(), "server");
    if parts.is_empty() {
        return servers;
    }
    format!("{servers}: {}; {}", parts.join(", "), plural(tools, "tool"))
}

fn count(health: &[ServerHealth], state: ServerState) -> usize {
    health.iter().filter(|it| it.state == state).count()
}

/// What it offers: `2 tools, 2 resources, 1 prompt`.
fn offered(health: &ServerHealth) -> String {
    let mut parts = Vec::new();
    if let Some(tools) = health.tools {
        let mut part = plural(tools, "tool");
        if health.tools_source == ToolsSource::LastGood {
            part.push_str(" from the last good list");
        } else if tools == 0 && health.unfiltered > 0 {
            part = format!("0 of {} after filter", plural(health.unfiltered, "tool"));
        }
        if let Some(external) = health.external {
            part.push_str(&format!(" ({external} external)"));
        }
        parts.push(part);
    }
    if health.resources > 0 {
        parts.push(plural(health.resources, "resource"));
    }
    if health.prompts > 0 {
        parts.push(plural(health.prompts, "prompt"));
    }
    match health.tools_source {
        _ if !parts.is_empty() => parts.join(", "),
        // Not "0 tools", which nobody knows.
        ToolsSource::None => "no tool list".to_owned(),
        ToolsSource::Live | ToolsSource::LastGood => "0 tools".to_owned(),
    }
}

/// Puts a line together so that what happens next is never what is cut.
fn with_output(head: String, cause: &str, next: &str, health: &ServerHealth) -> String {
    let next = if next.is_empty() {
        String::new()
    } else {
        format!("; {next}")
    };
    let taken = head.chars().count() + 2 + next.chars().count();
    // A cause that would be cut says more than the last output does.
    let room = MAX_LINE.saturating_sub(taken + cause.chars().count());
    let room = room.saturating_sub("; last output \"\"".len());
    match health.last_output.as_deref().map(str::trim) {
        Some(output) if !output.is_empty() && room >= MIN_OUTPUT => {
            let output = printable(output, room.min(MAX_OUTPUT));
            format!("{head}: {cause}{next}; last output {output:?}")
        }
        _ => format!(
            "{head}: {}{next}",
            printable(cause, MAX_LINE.saturating_sub(taken))
        ),
    }
}

/// `1 tool`, `2 tools`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// A duration as people say it: `0.4s`, `45s`, `2m10s`, `3h`.
pub(crate) fn age(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..10 if duration.subsec_millis() >= 50 => format!("{:.1}s", duration.as_secs_f64()),
        0..60 => format!("{seconds}s"),
        60..3600 if seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        60..3600 => format!("{}m{}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// Text of others made fit to be shown: control characters become blanks, and what is longer than
/// `max` characters is cut.
pub fn printable(text: &str, max: usize) -> String {
    let mut shown: String = text
        .chars()
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .take(max + 1)
        .collect();
    if shown.chars().count() > max {
        shown = shown.chars().take(max.saturating_sub(1)).collect();
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
