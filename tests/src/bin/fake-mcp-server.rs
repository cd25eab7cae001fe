//! The fake server as a process: `fake-mcp-server MODE [--key value …]`, or the mode in
//! `MCP_TEST_FAKE_SERVER`. Without a mode it prints what there is and exits with code 2.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode, Stdio};

use fake_mcp_server::{Exit, Mode, Options, serve};
use tokio::signal::unix::{SignalKind, signal};

/// Names the mode when the arguments do not.
const MODE_VARIABLE: &str = "MCP_TEST_FAKE_SERVER";

fn main() -> ExitCode {
    let (mode, mut options) = match read_arguments() {
        Ok(read) => read,
        Err(reason) => {
            complain(&reason);
            return ExitCode::from(2);
        }
    };
    match run(mode, &mut options) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn run(mode: Mode, options: &mut Options) -> io::Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let exit = runtime.block_on(async {
        // Held, never awaited: the signal is caught and nothing happens.
        let _ignored = match mode {
            Mode::Stubborn => Some(signal(SignalKind::terminate())?),
            _ => None,
        };
        for _ in 0..options.grandchildren(mode) {
            options.grandchild_pids.push(start_grandchild()?);
        }
        let (stdin, stdout) = (tokio::io::stdin(), tokio::io::stdout());
        io::Result::Ok(serve(mode, options.clone(), stdin, stdout).await)
    });
    // The read of stdin has a thread of its own, which cannot be told to stop.
    runtime.shutdown_background();
    exit
}

/// A process that ignores SIGTERM and holds our stdout and stderr open, so that whoever waits for
/// their end waits for it too. It is in our process group, and it stays when we go.
fn start_grandchild() -> io::Result<u32> {
    let child = Command::new("sh")
        .args(["-c", "trap '' TERM; exec sleep 600"])
        .stdin(Stdio::null())
        .spawn()?;
    Ok(child.id())
}

fn read_arguments() -> Result<(Mode, Options), String> {
    let mut arguments = std::env::args().skip(1).peekable();
    let name = arguments
        .next_if(|first| !first.starts_with("--"))
        .or_else(|| std::env::var(MODE_VARIABLE).ok())
        .ok_or_else(usage)?;
    let mode = name
        .parse()
        .map_err(|error| format!("{error}\n{}", usage()))?;
    let mut options = Options::parse(arguments).map_err(|error| error.to_string())?;
    options.environment = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    Ok((mode, options))
}

fn usage() -> String {
    let mut text =
        format!("usage: fake-mcp-server MODE [--key value …], or {MODE_VARIABLE}=MODE\n");
    for mode in Mode::ALL {
        // Writing to a string cannot fail.
        writeln!(text, "  {mode:<20} {}", mode.summary()).ok();
    }
    write!(text, "keys: {}", Options::KEYS.join(", ")).ok();
    text
}

fn complain(reason: &str) {
    // With stderr closed there is nobody to tell.
    writeln!(io::stderr(), "fake-mcp-server: {reason}").ok();
}
