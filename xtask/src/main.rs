//! The project's checks: `cargo xtask gates` runs every gate that a change must pass.

#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    reason = "what a person reads of the checks goes to stdout"
)]
#![expect(clippy::print_stderr, reason = "wrong usage is told on stderr")]

mod bench;
mod command;
mod gates;
mod install;
mod metadata;
mod place;
mod release;
mod soak;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask gates [--quick] [--list] [NAME…]
       cargo xtask bench [NAME]
       cargo xtask soak orphans [COUNT]
       cargo xtask verify-release

  gates            every gate, one line each; the whole output of one that fails
  gates --quick    those worth running before each commit
  gates NAME…      only those named
  gates --list     their names and what each checks
  bench NAME       one benchmark; without a name, which there are
  soak orphans     kill -9 at COUNT (200) random moments, and what is left then
  verify-release   what would be released is what is meant to be";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let told = match words.split_first() {
        Some((command, rest)) if command == "gates" => gates::main(rest),
        Some((command, rest)) if command == "bench" => bench::main(rest),
        Some((command, rest)) if command == "soak" => soak::main(rest),
        Some((command, rest)) if command == "verify-release" => release::main(rest),
        Some((command, _)) if matches!(command.as_str(), "help" | "--help" | "-h") => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some((command, _)) => Err(anyhow::anyhow!("there is no command {command}\n{USAGE}")),
        None => Err(anyhow::anyhow!("no command given\n{USAGE}")),
    };
    match told {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}
