//! The commands: each gives an outcome, which is printed here in the one form that was asked for.

mod absent;
mod call;
mod describe;
mod list;
mod search;
mod status;
mod try_it;

use mcp_server::{ServeOptions, serve, stdio};

use crate::cli::{Cli, Command};
use crate::engine::Engine;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::{Failure, Outcome};
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
    let setup = Setup::of_file(cli.global.config.as_deref(), environment)?;
    for notice in setup.notices() {
        if !cli.global.quiet && !matches!(cli.command, Command::Status { .. }) {
            terminal::remark(&notice);
        }
    }
    let mut signals = listen()?;
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
            Command::Try | Command::Serve(_) | Command::Owner(_) | Command::Embedded { .. } => {
                Err(Failure::usage("this command needs no configuration"))
            }
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

fn print(outcome: &Outcome, json: bool) {
    if json {
        terminal::print(outcome.json.get());
    } else if !outcome.text.is_empty() {
        terminal::print(&outcome.text);
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
