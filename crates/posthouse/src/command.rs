//! The commands: each gives an outcome, which is printed here in the one form that was asked for.

mod absent;
mod add;
mod call;
mod completions;
mod config;
mod describe;
mod doctor;
mod list;
mod logs;
mod remove;
mod search;
mod status;
mod trust;
mod try_it;

use mcp_server::{ServeOptions, serve, stdio};

use crate::cli::{Cli, Command};
use crate::engine::Engine;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::{Failure, Outcome};
use crate::redaction::{redacted, redacted_json};
use crate::setup::Setup;
use crate::signals::Signals;
use crate::{embedded, front, owner, terminal};

/// Runs the command and prints what it came to.
pub(crate) async fn run(cli: &Cli, environment: &Environment) -> Exit {
    let result = match &cli.command {
        Command::Embedded { name, root } => run_embedded(name, root.clone()).await,
        Command::Serve(args) => front::serve(cli, args, environment).await,
        Command::Owner(args) => owner::process::run(cli, args, Environment::read()).await,
        Command::Try => try_it::run(cli, environment).await,
        Command::Trust(args) => printed(trust::run(args, &cli.global, environment), cli),
        Command::Config { command } => {
            printed(config::run(command, &cli.global, environment).await, cli)
        }
        Command::Add(args) => printed(add::run(args, &cli.global, environment), cli),
        Command::Remove { name } => printed(remove::run(name, &cli.global, environment), cli),
        Command::Logs(args) => logs::run(cli, args, environment).await,
        Command::Doctor => doctor::run(cli, environment).await,
        Command::Completions { shell } => Ok(completions::completions(*shell)),
        Command::Man { folder } => completions::man(folder.as_deref()),
        _ => look_or_act(cli, environment).await,
    };
    match result {
        Ok(exit) => exit,
        Err(failure) => {
            terminal::complain(&failure.message);
            failure.exit
        }
    }
}

/// The commands that start what they need, print, and stop it.
async fn look_or_act(cli: &Cli, environment: &Environment) -> Result<Exit, Failure> {
    let mut signals = listen()?;
    let config = cli.global.config.as_deref();
    let Some(setup) = Setup::of_files(config, environment, signals.stop()).await? else {
        return Ok(Exit::Interrupted);
    };
    for notice in setup.notices() {
        if !cli.global.quiet && !matches!(cli.command, Command::Status { .. }) {
            terminal::remark(&notice);
        }
    }
    let engine = Engine::start(&setup, environment);
    let manager = &engine.manager;
    let command = async {
        match &cli.command {
            Command::Status { servers } => status::run(manager, &setup, servers, &cli.global).await,
            Command::List { servers } => list::run(manager, servers, &cli.global).await,
            Command::Search(args) => search::run(manager, args, &cli.global).await,
            Command::Describe { tool } => describe::run(manager, tool, &cli.global).await,
            Command::Call { tool, arguments } => {
                call::run(manager, tool, arguments, &cli.global).await
            }
            _ => Err(Failure::usage("this command starts no server")),
        }
    };
    let result = tokio::select! {
        result = command => result,
        () = signals.stop() => {
            engine.stop(&mut signals).await;
            return Ok(Exit::Interrupted);
        }
    };
    if let Ok(outcome) = &result {
        print(outcome, cli.global.json);
    }
    engine.stop(&mut signals).await;
    result.map(|outcome| outcome.exit)
}

/// For commands that start no server.
fn printed(result: Result<Outcome, Failure>, cli: &Cli) -> Result<Exit, Failure> {
    let outcome = result?;
    print(&outcome, cli.global.json);
    Ok(outcome.exit)
}

fn print(outcome: &Outcome, json: bool) {
    match (json, outcome.is_result) {
        (true, true) => terminal::print(outcome.json.get()),
        (true, false) => terminal::print(&redacted_json(outcome.json.get())),
        (false, _) if outcome.text.is_empty() => {}
        (false, true) => terminal::print(&outcome.text),
        (false, false) => terminal::print(&redacted(&outcome.text)),
    }
}

fn listen() -> Result<Signals, Failure> {
    Signals::listen()
        .map_err(|error| Failure::unavailable(format!("cannot listen for signals: {error}")))
}

async fn run_embedded(name: &str, root: std::path::PathBuf) -> Result<Exit, Failure> {
    let Some(handler) = embedded::server(name, root) else {
        return Err(Failure::usage(format!(
            "there is no embedded server {name:?}; there are: {}",
            embedded::NAMES.join(", ")
        )));
    };
    let (reader, writer) = stdio().map_err(|error| Failure::unavailable(error.to_string()))?;
    serve(handler, reader, writer, ServeOptions::default()).await;
    Ok(Exit::Done)
}
