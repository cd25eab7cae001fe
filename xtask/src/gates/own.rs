//! The gates that run our own tests: test, doctest, examples, search.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::{Passed, missing_data};
use crate::command::{Output, Run};
use crate::metadata::Metadata;
use crate::place;

const LIMIT: Duration = Duration::from_secs(2400);

/// Test targets, as package and name, that a gate of their own runs.
const ELSEWHERE: [(&str, &str); 5] = [
    ("tests", "killing"),
    ("tests", "public_servers"),
    ("tests", "real_clients"),
    ("tests", "schema"),
    ("tool-search", "quality"),
];

/// Every test of the workspace but those [`ELSEWHERE`].
pub(super) fn all() -> Result<Passed> {
    let nextest = Run::cargo(LIMIT)
        .args(["nextest", "--version"])
        .output()
        .is_ok_and(|output| output.success);
    let mut passed = 0;
    if nextest {
        let elsewhere =
            ELSEWHERE.map(|(package, target)| format!("(package({package}) & binary({target}))"));
        let filter = format!("not ({})", elsewhere.join(" | "));
        passed += count(
            &Run::cargo(LIMIT)
                .args([
                    "nextest",
                    "run",
                    "--workspace",
                    "--no-fail-fast",
                    "-E",
                    &filter,
                ])
                .checked()?,
        );
    } else {
        for args in without_nextest()? {
            passed += count(&Run::cargo(LIMIT).arg("test").args(args).checked()?);
        }
    }
    ensure!(passed > 0, "no test ran");
    Passed::figure(format!("{passed} tests"))
}

/// `cargo test` can leave out packages but no targets, so packages with such a target are run apart,
/// target by target.
fn without_nextest() -> Result<Vec<Vec<String>>> {
    let metadata = Metadata::ours()?;
    let split = |name: &str| ELSEWHERE.iter().any(|(package, _)| *package == name);
    let mut all: Vec<String> = ["--workspace", "--lib", "--bins", "--tests"]
        .map(str::to_owned)
        .into();
    let mut runs = Vec::new();
    for package in metadata.members().filter(|package| split(&package.name)) {
        all.extend(["--exclude".to_owned(), package.name.clone()]);
        let mut one = vec!["--package".to_owned(), package.name.clone()];
        for (kind, target) in &package.targets {
            match kind.as_str() {
                "lib" => one.push("--lib".to_owned()),
                "bin" => one.extend(["--bin".to_owned(), target.clone()]),
                "test" if !ELSEWHERE.contains(&(package.name.as_str(), target.as_str())) => {
                    one.extend(["--test".to_owned(), target.clone()]);
                }
                _ => {}
            }
        }
        runs.push(one);
    }
    runs.insert(0, all);
    Ok(runs)
}

/// Every example in the documentation.
pub(super) fn doc() -> Result<Passed> {
    let output = Run::cargo(LIMIT)
        .args(["test", "--workspace", "--doc"])
        .checked()?;
    Passed::figure(format!("{} examples", count(&output)))
}

/// Every configuration in `examples/` loads, by a test of mcp-config; every example program builds.
pub(super) fn examples() -> Result<Passed> {
    let configurations = place::files(&place::root().join("examples"), "json")?.len();
    let output = Run::cargo(LIMIT)
        .args(["test", "--package", "mcp-config", "--tests", "examples"])
        .checked()?;
    ensure!(
        configurations == 0 || count(&output) > 0,
        "mcp-config has no test with `examples` in its name, so nothing loads the {configurations} files of examples/"
    );
    Run::cargo(LIMIT)
        .args(["build", "--workspace", "--examples"])
        .checked()?;
    let metadata = Metadata::ours()?;
    let programs = metadata
        .members()
        .flat_map(|package| &package.targets)
        .filter(|(kind, _)| kind == "example");
    Passed::figure(format!(
        "{configurations} configurations, {} programs",
        programs.count()
    ))
}

/// Search quality on labelled queries.
pub(super) fn search() -> Result<Passed> {
    measured(
        "TOOL_SEARCH_DATA",
        "search quality",
        &["--release", "--package", "tool-search", "--test", "quality"],
        "recall",
    )
}

/// Everything we write, against the official schemas of five revisions.
pub(super) fn schema() -> Result<Passed> {
    measured(
        "MCP_SCHEMA_DIR",
        "messages against the official schemas",
        &["--package", "tests", "--test", "schema"],
        "types",
    )
}

/// Runs a test that reads the data which `variable` names, and shows the lines of its output in which
/// the word of its figures stands.
fn measured(variable: &str, unchecked: &str, target: &[&str], word: &str) -> Result<Passed> {
    if let Some(unchecked) = missing_data(variable, unchecked)? {
        return Passed::figure(unchecked);
    }
    let output = Run::cargo(LIMIT)
        .arg("test")
        .args(target)
        .args(["--", "--nocapture"])
        .checked()?;
    let tests = count(&output);
    ensure!(tests > 0, "no test ran\n{}", output.all);
    let figures = output
        .stdout
        .lines()
        .map(str::trim_end)
        .filter(|line| line.contains(word));
    Ok(Passed {
        figure: format!("{tests} tests"),
        notes: figures.map(str::to_owned).collect(),
    })
}

/// How many tests passed, from the closing lines of `cargo test` and nextest. Each is the word
/// `passed` after a number, on a line of its own kind.
pub(super) fn count(output: &Output) -> usize {
    count_in(&output.all)
}

fn count_in(text: &str) -> usize {
    let closing = |line: &&str| line.starts_with("test result:") || line.starts_with("Summary [");
    let lines = text.lines().map(str::trim_start).filter(closing);
    lines
        .filter_map(|line| {
            line.split(" passed")
                .next()?
                .rsplit(' ')
                .next()?
                .parse::<usize>()
                .ok()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::count_in;

    #[test]
    fn closing_lines_are_counted() {
        let cargo =
            "test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: ok. 0 passed; 0 failed";
        assert_eq!(count_in(cargo), 3);
        let nextest = "     Summary [   0.005s] 12 tests run: 12 passed, 1 skipped";
        assert_eq!(count_in(nextest), 12);
        assert_eq!(count_in("10 passed somewhere else"), 0);
    }
}
