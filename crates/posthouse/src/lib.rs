//! The `posthouse` binary as a library: arguments, environment, terminal, signals, and the wiring of the
//! crates below. Only here is the environment read.

mod cli;
mod command;
mod embedded;
mod engine;
mod environment;
mod exit;
mod expansion;
mod front;
mod logs;
mod outcome;
mod owner;
mod redaction;
mod reload;
mod server_logs;
mod setup;
mod signals;
mod sources;
mod terminal;
mod tool_arguments;
mod trust_file;
mod try_folder;
mod user_file;
mod waiting;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::environment::Environment;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let mut cli = Cli::parse();
    let environment = Environment::read();
    cli.global.color = environment.colour(cli.global.color);
    let logs = logs::start(&cli, &environment);
    // One thread carries everything: a message then wakes nobody on another core.
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            terminal::complain(&format!("cannot start: {error}"));
            return exit::Exit::Unavailable.into();
        }
    };
    let exit = runtime.block_on(command::run(&cli, &environment));
    // A thread that still waits for a terminal's input must not hold us.
    runtime.shutdown_background();
    if let Some(logs) = logs {
        logs.finish();
    }
    exit.into()
}
