//! `posthouse config`: what the configuration says and where. Nothing is started but what a server that
//! is named asks for.

use mcp_config::{Configuration, EntryState, Explanation};
use serde_json::{Value, json};

use super::listen;
use crate::cli::{ConfigCommand, Global};
use crate::environment::Environment;
use crate::expansion::{Expansion, StopOnDrop, StopSign};
use crate::outcome::{Failure, Outcome};
use crate::sources::{self, Sources};

pub(super) async fn run(
    command: &ConfigCommand,
    global: &Global,
    environment: &Environment,
) -> Result<Outcome, Failure> {
    match command {
        ConfigCommand::Explain { server } => explain(server.as_deref(), global, environment).await,
        ConfigCommand::Path => path(global, environment),
    }
}

fn path(global: &Global, environment: &Environment) -> Result<Outcome, Failure> {
    let user = sources::user_file(global.config.as_deref(), environment)?;
    let found = Sources::find(global.config.as_deref(), environment).ok();
    let data = json!({
        "user": user,
        "exists": user.exists(),
        "project": found.and_then(|it| it.project),
        "resolved": environment.resolved_file(),
    });
    Ok(Outcome::done(user.display().to_string(), &data))
}

async fn explain(
    server: Option<&str>,
    global: &Global,
    environment: &Environment,
) -> Result<Outcome, Failure> {
    let sources = Sources::find(global.config.as_deref(), environment)?;
    let (configuration, trust) = sources.read(environment)?;
    let explained = configuration.explain(server);
    if let Some(name) = server.filter(|_| explained.is_empty()) {
        let all = configuration.explain(None);
        let there: Vec<_> = all.iter().map(|it| it.name.as_str()).collect();
        let there = match there.is_empty() {
            true => "none".to_owned(),
            false => there.join(", "),
        };
        return Err(Failure::usage(format!(
            "there is no server {name:?} in the configuration; there are: {there}"
        )));
    }
    let mut notes: Vec<_> = trust.problem.into_iter().collect();
    let broken = configuration.broken_project.as_ref();
    notes.extend(broken.map(|error| format!("failed to {error}")));
    if server.is_some() {
        notes.extend(missing(&configuration, &explained, environment).await?);
    }
    let warnings = configuration.warnings.iter();
    let about = |name: &Option<String>| {
        server.is_none() || explained.iter().any(|it| name.as_ref() == Some(&it.name))
    };
    notes.extend(
        warnings
            .filter(|it| about(&it.name))
            .map(ToString::to_string),
    );
    let lines = explained.iter().map(ToString::to_string);
    let lines: Vec<_> = lines.chain(notes.iter().cloned()).collect();
    let servers: Vec<Value> = explained.iter().map(Explanation::to_json).collect();
    Ok(Outcome::done(
        lines.join("\n"),
        &json!({ "servers": servers, "notes": notes }),
    ))
}

/// Why what the servers ask for cannot be had, as far as it cannot.
async fn missing(
    configuration: &Configuration,
    explained: &[Explanation],
    environment: &Environment,
) -> Result<Vec<String>, Failure> {
    let loaded = |it: &&Explanation| it.state == EntryState::Loaded;
    let ids = explained
        .iter()
        .filter(loaded)
        .filter_map(|it| it.id.clone());
    let ids: Vec<_> = ids.collect();
    let stop = StopSign::default();
    let _stop_when_dropped = StopOnDrop(stop.clone());
    let mut expansion = Expansion::new(environment.variables.clone(), stop.clone());
    let configuration = configuration.clone();
    let mut reading = tokio::task::spawn_blocking(move || {
        let expanded = ids
            .iter()
            .filter_map(|id| configuration.expand(id, &mut expansion));
        expanded
            .filter_map(|it| it.err().map(|held| held.to_string()))
            .collect()
    });
    let mut signals = listen()?;
    let read = tokio::select! {
        read = &mut reading => read,
        () = signals.stop() => {
            stop.raise();
            reading.await
        }
    };
    read.map_err(|error| Failure::unavailable(format!("reading failed: {error}")))
}
