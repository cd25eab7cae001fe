//! Waiting for servers, with a sign of life for a person who watches.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mcp_manager::{Connection, Manager};
use tokio::time::{Instant, interval, timeout_at};

use crate::cli::Global;

/// How often the line that is shown is made anew.
const REFRESH: Duration = Duration::from_millis(100);

/// Asks for these servers and waits until it is known of each what has become of it, or until its
/// startup timeout.
pub(crate) async fn until_settled(connections: &[Connection], global: &Global) {
    for connection in connections {
        connection.demand();
    }
    let begin = Instant::now();
    let settled = async {
        for connection in connections {
            let deadline = begin + connection.startup_timeout();
            drop(timeout_at(deadline, connection.settled()).await);
        }
    };
    let watched = std::io::stderr().is_terminal() && !global.quiet && !global.json;
    if !watched {
        return settled.await;
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        bar.set_style(style);
    }
    let mut ticks = interval(REFRESH);
    tokio::pin!(settled);
    loop {
        tokio::select! {
            () = &mut settled => break,
            _ = ticks.tick() => {
                let waiting: Vec<_> = connections
                    .iter()
                    .filter(|connection| !connection.health().state.is_settled())
                    .map(Connection::name)
                    .collect();
                bar.set_message(format!("starting {}", waiting.join(", ")));
                bar.tick();
            }
        }
    }
    bar.finish_and_clear();
}

/// The connections of these names, or of all enabled servers where none is named.
pub(crate) fn chosen(manager: &Manager, names: &[String]) -> Result<Vec<Connection>, String> {
    if names.is_empty() {
        return Ok(manager.connections().to_vec());
    }
    names
        .iter()
        .map(|name| {
            manager.connection(name).ok_or_else(|| {
                let connections = manager.connections();
                let known: Vec<_> = connections.iter().map(Connection::name).collect();
                format!(
                    "there is no server {name:?} in the configuration; there are: {}",
                    known.join(", ")
                )
            })
        })
        .collect()
}
