//! The soaks: the same as a test does, so often that it takes minutes.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::command::Run;

/// Much more than any of them takes, and more for each time.
const LIMIT: Duration = Duration::from_secs(900);
const LIMIT_EACH: Duration = Duration::from_secs(5);

/// How often, unless the command line says it.
const COUNT: u32 = 200;
/// Tells the test.
const VARIABLE: &str = "POSTHOUSE_SOAK_COUNT";

/// Runs the soak that is named. True when it found nothing; an error is wrong usage.
pub(crate) fn main(words: &[String]) -> Result<bool> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["orphans"] => orphans(COUNT),
        ["orphans", count] => {
            let count = count.parse();
            orphans(count.with_context(|| format!("{} is not a count", words[1]))?)
        }
        [] => bail!("no soak given; there is orphans"),
        [name, ..] => bail!("there is no soak {name}; there is orphans"),
    }
}

/// `kill -9` at random moments, and a look at what is left.
fn orphans(count: u32) -> Result<bool> {
    // As in the gates: with the features that the whole workspace asks for.
    let run = Run::cargo(LIMIT + LIMIT_EACH * count)
        .args(["test", "--workspace", "--test", "killing", "--"])
        .args([
            "--exact",
            "--nocapture",
            "killing::lanes::nothing_survives_kill_9_at_any_moment",
        ])
        .env(VARIABLE, count.to_string());
    println!("{VARIABLE}={count} {}", run.line());
    let output = run.output()?;
    print!(
        "{}",
        if output.success {
            &output.stdout
        } else {
            &output.all
        }
    );
    Ok(output.success)
}
