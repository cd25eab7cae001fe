//! The arguments of the commands that have several.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct OwnerArgs {
    /// Where to listen for fronts
    #[arg(long)]
    pub(crate) socket: PathBuf,
    /// Hold the built-in servers
    #[arg(long)]
    pub(crate) demo: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// What to call it
    pub(crate) name: String,
    /// A variable for it; may be given again
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) env: Vec<String>,
    /// What it is for, in a few words
    #[arg(long, value_name = "TEXT")]
    pub(crate) about: Option<String>,
    /// The program and its arguments, after --
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Only these servers
    pub(crate) servers: Vec<String>,
    /// Do not ask
    #[arg(short, long, conflicts_with = "revoke")]
    pub(crate) yes: bool,
    /// Take the trust away
    #[arg(long)]
    pub(crate) revoke: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// What became of each server's entry, and where each of its fields comes from
    Explain {
        /// Only this server, and whether what it asks for can be had
        server: Option<String>,
    },
    /// The file that is read for your servers, and that `add` and `remove` change
    Path,
}

#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    /// The server, by the name that status shows
    pub(crate) server: Option<String>,
    /// Go on with what comes, until interrupted
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// How many lines at most to begin with
    #[arg(short = 'n', long, default_value_t = 100, value_name = "N")]
    pub(crate) lines: usize,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// The words
    #[arg(required_unless_present = "server")]
    pub(crate) query: Vec<String>,
    /// Only tools of this server; without words, all of them by name
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
    /// The words are one regular expression over names and descriptions
    #[arg(long)]
    pub(crate) regex: bool,
    /// How many tools at most
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) limit: u32,
    /// How many tools to leave out first
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Show this one server as it was
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    pub(crate) server: Option<String>,
    /// Show every tool of all servers, named <server>__<tool>
    #[arg(long)]
    pub(crate) all: bool,
    /// Serve the three built-in servers instead of a configuration
    #[arg(long)]
    pub(crate) demo: bool,
}
