//! The benchmarks: each is a bench target of the `tests` package and tells figures, never pass or fail.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::command::Run;

const LIMIT: Duration = Duration::from_secs(1800);

/// Every benchmark and what it compares.
const BENCHES: &[(&str, &str)] = &[(
    "stdio",
    "tool calls through mcp-client over stdio, beside the raw pipe",
)];

/// Runs the benchmark that is named, or lists them. An error is wrong usage, or a benchmark that
/// could not run.
pub(crate) fn main(words: &[String]) -> Result<bool> {
    match words {
        [] => {
            for (name, says) in BENCHES {
                println!("{name:<14}{says}");
            }
        }
        [name] if BENCHES.iter().any(|(known, _)| known == name) => {
            let run = Run::cargo(LIMIT).args(["bench", "-p", "tests", "--bench", name]);
            println!("{}", run.line());
            print!("{}", run.checked()?.stdout);
        }
        [name] => {
            let known: Vec<&str> = BENCHES.iter().map(|(known, _)| *known).collect();
            bail!(
                "there is no benchmark {name}; there are {}",
                known.join(", ")
            );
        }
        _ => bail!("one benchmark at a time: what runs beside another is not comparable"),
    }
    Ok(true)
}
