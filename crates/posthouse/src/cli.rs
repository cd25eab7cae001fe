//! The command line: what people type, and the help that teaches it.

mod arguments;

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand};

pub(crate) use self::arguments::{
    AddArgs, ConfigCommand, LogsArgs, OwnerArgs, SearchArgs, ServeArgs, TrustArgs,
};

/// The commands by what they are for. clap has no headings for subcommands.
const HELP: &str = "\
{about}

{usage-heading} {usage}

See it:
  try       Start three built-in servers, search, describe, call; changes nothing
Set up:
  add       Add a server to the configuration file
  remove    Remove one
  trust     Allow the servers of this folder's .mcp.json
  config    explain: where every field comes from; path: which file is read
Look:
  status    One line per server
  list      Tools, resources and prompts
  search    Find tools by plain words
  describe  Full schema of a tool and an example call
  logs      Output of a server, or the log of posthouse itself (-f follows)
  doctor    Check configuration, programs, executors and processes; say how to mend each
Act:
  call      Call a tool: posthouse call git/git_status repo_path=.
Run:
  serve     Speak MCP on stdin and stdout; --server NAME for one server, --all for every tool
Shell:
  completions  Completions for bash, zsh, fish, elvish or powershell
  man          Manual pages

Options:
{options}{after-help}";

const EXIT_STATUS: &str = "\
Exit status: 0 done, 1 the tool reported an error, 2 wrong usage or configuration,
3 server not available, 130 interrupted.";

/// Run each MCP server once, here, for every agent.
#[derive(Debug, Parser)]
#[command(name = "posthouse", version, help_template = HELP, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// The configuration file [default: ~/.config/posthouse/mcp.json]
    #[arg(
        short,
        long,
        value_name = "FILE",
        env = "POSTHOUSE_CONFIG",
        global = true
    )]
    pub(crate) config: Option<PathBuf>,
    /// Machine-readable output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// More on stderr (-vv for debug)
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    /// Errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Colours in the output
    #[arg(long, value_name = "WHEN", default_value_t, global = true)]
    pub(crate) color: ColorChoice,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start three built-in servers, search, describe, call; changes nothing
    #[command(after_help = "\
The three servers are part of this program: a clock, a read-only view of a folder made for the try, and
a store of notes. They need no network, are stopped at the end, and the folder is removed.")]
    Try,
    /// Add a server to the configuration file; everything else in it stays as it is
    #[command(after_help = "\
Examples:
  posthouse add time -- uvx mcp-server-time
  posthouse add git --about 'commits, branches, diffs' -- uvx mcp-server-git
  posthouse add db --env 'PGPASSWORD=${DB_PASSWORD}' -- pg-mcp
The file as it was is kept beside it, as mcp.json.bak. Relative paths are taken from this folder. ${…} is
filled in when the server is needed: write it in single quotes, so that the shell leaves it alone.")]
    Add(AddArgs),
    /// Remove a server from the configuration file; everything else in it stays as it is
    #[command(after_help = "\
Examples:
  posthouse remove time
The file as it was is kept beside it, as mcp.json.bak.")]
    Remove {
        /// The server, as the file names it
        name: String,
    },
    /// Allow the servers of this folder's .mcp.json
    #[command(after_help = "\
Examples:
  posthouse trust                shows each server that is not trusted yet, and asks
  posthouse trust git --yes      without asking
  posthouse trust --revoke       takes the trust in this folder's servers away
Until then nothing is started or looked up because of such a file. Any change of an entry takes the trust
in it away.")]
    Trust(TrustArgs),
    /// What the configuration says, and where
    #[command(after_help = "\
Examples:
  posthouse config explain
  posthouse config explain git --json
  posthouse config path")]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// One line per server: state, tools, place, cause, what happens next
    #[command(after_help = "\
Examples:
  posthouse status
  posthouse status git time --json
Servers that are needed are started for it and stopped again.")]
    Status {
        /// Only these servers
        servers: Vec<String>,
    },
    /// Tools, resources and prompts of each server
    #[command(after_help = "\
Examples:
  posthouse list
  posthouse list git
  posthouse list --json      every tool as its server describes it")]
    List {
        /// Only these servers
        servers: Vec<String>,
    },
    /// Find tools by plain words
    #[command(after_help = "\
Examples:
  posthouse search what time is it in Tokyo
  posthouse search --server git commit
  posthouse search --regex '^git_(log|diff)$'")]
    Search(SearchArgs),
    /// Full schema of a tool and an example call
    #[command(after_help = "\
Examples:
  posthouse describe git/git_status
  posthouse describe git git_status
  posthouse describe git_status      where one server has it")]
    Describe {
        /// The tool: <server>/<tool>, server and tool apart, or the tool alone where one server has it
        #[arg(required = true, num_args = 1..=2, value_name = "TOOL")]
        tool: Vec<String>,
    },
    /// Call a tool
    #[command(after_help = "\
Examples:
  posthouse call git/git_status repo_path=.
  posthouse call time/convert_time source_timezone=UTC time=12:00 target_timezone=Asia/Tokyo
  posthouse call files/read_multiple_files paths='[\"a.txt\",\"b.txt\"]'
  posthouse call files/write_file '{\"path\": \"a.txt\", \"content\": \"x\"}'
A value is read as the tool's schema types it: text as it stands, numbers, true and false, JSON for lists
and objects. Exit status 1 says that the tool reported an error.")]
    Call {
        /// The tool: <server>/<tool>, server and tool apart, or the tool alone where one server has it
        tool: String,
        /// The arguments: key=value, or one JSON object
        arguments: Vec<String>,
    },
    /// Speak MCP on stdin and stdout, for a host to start
    #[command(after_help = "\
In a host's configuration:
  {\"mcpServers\": {\"tools\": {\"command\": \"posthouse\", \"args\": [\"serve\"]}}}
Without an option the host gets one small tool, `mcp`, behind which all servers stand. With --server it
gets that server as it was, under its own names; with --all every tool, named <server>__<tool>.")]
    Serve(ServeArgs),
    /// The process that holds the servers of a front
    #[command(hide = true)]
    Owner(OwnerArgs),
    /// Output of a server, or the log of posthouse itself
    #[command(after_help = "\
Examples:
  posthouse logs             what posthouse itself has logged
  posthouse logs git         what the server git wrote to its standard error
  posthouse logs git -f      the same, and what comes
The files are under ~/.local/state/posthouse/logs, or where XDG_STATE_HOME says.")]
    Logs(LogsArgs),
    /// Check configuration, programs, executors and processes; say how to mend each
    #[command(after_help = "\
Examples:
  posthouse doctor
  posthouse doctor --json
Nothing is started or changed. Exit status: 0 nothing wrong, 1 something to mend.")]
    Doctor,
    /// Completions for a shell
    #[command(after_help = "\
Examples:
  posthouse completions bash > ~/.local/share/bash-completion/completions/posthouse
  posthouse completions fish > ~/.config/fish/completions/posthouse.fish")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Manual pages, printed or written into a folder
    #[command(after_help = "\
Examples:
  posthouse man | man -l -
  posthouse man ~/.local/share/man/man1")]
    Man {
        /// The folder, which must exist
        folder: Option<PathBuf>,
    },
    /// One of the embedded servers, on stdin and stdout
    #[command(hide = true)]
    Embedded {
        /// Which
        name: String,
        /// The folder that `folder` shows
        #[arg(long, default_value = ".")]
        root: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent_and_every_command_is_in_the_help() {
        Cli::command().debug_assert();
        let help = Cli::command().render_help().to_string();
        for command in Cli::command()
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
        {
            assert!(
                help.contains(&format!("\n  {}", command.get_name())),
                "{}",
                command.get_name()
            );
            let own = command.clone().render_help().to_string();
            let teaches = [
                "Examples:\n  posthouse ",
                "The three servers",
                "In a host's configuration:",
            ];
            assert!(teaches.iter().any(|text| own.contains(text)), "{own}");
        }
        assert!(help.contains("Exit status: 0 done"));
    }
}
