//! Holds a server: starts the command given, says what it says, and stops it when asked to.
//!
//! ```text
//! cargo run -p workspace --example hold -- sh -c 'echo ready; exec cat'
//! ```
//!
//! It stops the server in order when its own input ends, and at `SIGINT` or `SIGTERM`. Kill it with
//! `SIGKILL` at any moment: nothing of the server is left a few seconds later. The tests do just
//! that, and find what is left by the variable `HOLD_MARK`, which is handed on.

#![expect(clippy::print_stdout, reason = "an example speaks to its user")]

use std::env;
use std::error::Error;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;
use workspace::{Local, LocalOptions, ProcessSpec, Workspace, inherited_environment};

const MARK: &str = "HOLD_MARK";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let program = arguments.next().ok_or("usage: hold COMMAND [ARGUMENT…]")?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;

    let mut base_env = inherited_environment(env::vars());
    base_env.extend(env::var(MARK).map(|mark| (MARK.to_owned(), mark)));
    let local = Local::new(LocalOptions {
        base_env,
        search_path: env::var("PATH").unwrap_or_default(),
        cwd: None,
    })
    .with_runtime_dir(env::temp_dir().join("posthouse-hold"));

    let mut spec = ProcessSpec::new("held", program);
    spec.args = arguments.collect();
    println!("starting");
    let process = local.start_process(spec).await?;
    println!("started {}", process.handle.id().unwrap_or_default());

    let mut said = BufReader::new(process.stdout).lines();
    let mut input = tokio::io::stdin();
    let mut ignored = [0; 64];
    loop {
        tokio::select! {
            line = said.next_line() => match line? {
                Some(line) => println!("{line}"),
                None => break,
            },
            length = input.read(&mut ignored) => if length? == 0 {
                break;
            },
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
        }
    }
    println!("stopping");
    local
        .shutdown(Instant::now() + Duration::from_secs(5))
        .await;
    println!("stopped");
    // The read of standard input may still wait for its end, and the runtime for the read.
    std::process::exit(0)
}
