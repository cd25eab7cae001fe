//! `posthouse completions` and `posthouse man`: what a shell and `man` are given.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::exit::Exit;
use crate::outcome::Failure;
use crate::terminal;

/// Prints the completions for a shell.
pub(super) fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "posthouse", &mut script);
    terminal::print(String::from_utf8_lossy(&script).trim_end());
    Exit::Done
}

/// Writes the manual pages into a folder, one for each command, or prints the first.
pub(super) fn man(folder: Option<&Path>) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    command.build();
    let Some(folder) = folder else {
        let page = rendered(&command).map_err(|error| {
            Failure::unavailable(format!("cannot make the manual page: {error}"))
        })?;
        terminal::print(page.trim_end());
        return Ok(Exit::Done);
    };
    let mut written = Vec::new();
    let visible = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set() && command.get_name() != "help");
    for command in std::iter::once(&command).chain(visible) {
        // `posthouse-status`, once the command is built.
        let name = command.get_display_name();
        let name = name.unwrap_or_else(|| command.get_name());
        let path = folder.join(format!("{name}.1"));
        write(command, &path).map_err(|error| {
            Failure::usage(format!(
                "cannot write {}: {error}; name a folder that exists and can be written",
                path.display()
            ))
        })?;
        written.push(path);
    }
    let lines: Vec<_> = written
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    terminal::print(&lines.join("\n"));
    Ok(Exit::Done)
}

fn write(command: &clap::Command, path: &Path) -> std::io::Result<()> {
    std::fs::write(path, rendered(command)?)
}

fn rendered(command: &clap::Command) -> std::io::Result<String> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
