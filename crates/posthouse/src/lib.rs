//! The `posthouse` binary as a library: arguments, environment, terminal, signals, and the wiring of the
//! crates below. Only here is the environment read.

mod cli;
mod command;
mod embedded;
mod engine;
mod environment;
mod exit;
mod front;
mod logs;
mod outcome;
mod owner;
mod reload;
mod setup;
mod signals;
mod terminal;
mod tool_arguments;
mod try_folder;
mod waiting;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::environment::Environment;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    logs::start(&cli);
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
    let exit = runtime.block_on(command::run(&cli, &Environment::read()));
    // A thread that still waits for a terminal's input must not hold us.
    runtime.shutdown_background();
    exit.into()
}
