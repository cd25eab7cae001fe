//! What our sources may not hold: the rules behind invariants that no lint can see.

use std::path::Path;

use anyhow::Result;

use crate::metadata::Metadata;
use crate::place;

pub(super) mod text;

/// A product file longer than this holds two things.
const MAX_LINES: usize = 600;

/// The two crates that may start processes.
const STARTS_PROCESSES: [&str; 2] = ["workspace", "posthouse"];

/// The one that may look at the environment, the home directory and the terminal.
const READS_ENVIRONMENT: &str = "posthouse";

const ENVIRONMENT: &[&str] = &[
    "std::env",
    "env::var",
    "env::args",
    "env::current_dir",
    "env::home_dir",
    "env::temp_dir",
    "home_dir(",
    "is_terminal",
    "IsTerminal",
];
const PROCESSES: &[&str] = &["Command::new(", "process::Command"];
/// Servers that people know. The product treats none of them specially.
const SERVER_NAMES: &[&str] = &["codeseek", "playwright", "context7", "chrome-devtools"];

/// Its only definition is the only place that knows how long a request may take.
const TIMEOUT_CONSTANT: &str = "const DEFAULT_REQUEST_TIMEOUT";

/// One file of ours.
struct Source {
    /// Its path, as people write it.
    shown: String,
    /// The crate it belongs to.
    package: String,
    /// Below `crates/`, and not only compiled for tests.
    product: bool,
    /// Below the `tests` package's folder or compiled for tests only.
    test: bool,
    /// As it stands.
    whole: String,
    /// Code alone: comments blanked, and in product files `#[cfg(test)]` modules too. Lines keep
    /// their numbers.
    code: String,
}

/// Checks every Rust file of ours; gives how many there are.
pub(super) fn check(metadata: &Metadata, findings: &mut Vec<String>) -> Result<usize> {
    let sources = read(metadata)?;
    for source in &sources {
        shape(source, findings);
        rules(source, findings);
    }
    counts(&sources, findings);
    Ok(sources.len())
}

fn read(metadata: &Metadata) -> Result<Vec<Source>> {
    let mut packages: Vec<(&Path, &str)> = metadata
        .members()
        .map(|package| (package.folder.as_path(), package.name.as_str()))
        .collect();
    // The innermost folder owns a file: one package may lie within another's folder.
    packages.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.components().count()));
    let crates = place::root().join("crates");
    let mut sources = Vec::new();
    for folder in ["crates", "tests", "xtask"] {
        for path in place::files(&place::root().join(folder), "rs")? {
            let owner = packages.iter().find(|(folder, _)| path.starts_with(folder));
            let whole = place::read(&path)?;
            let shown = place::shown(&path);
            let test = text::is_test(Path::new(&shown)) || folder == "tests";
            let product = path.starts_with(&crates) && !test;
            let code = if product {
                text::without_test_modules(&text::code(&whole))
            } else {
                text::code(&whole)
            };
            sources.push(Source {
                shown,
                package: owner
                    .map(|(_, name)| (*name).to_owned())
                    .unwrap_or_default(),
                product,
                test,
                whole,
                code,
            });
        }
    }
    Ok(sources)
}

/// How a file looks from outside.
fn shape(source: &Source, findings: &mut Vec<String>) {
    let shown = &source.shown;
    if !source.whole.trim_start().starts_with("//!") {
        findings.push(format!(
            "{shown}: does not open with `//!`, one sentence on what lives here"
        ));
    }
    let lines = source.whole.lines().count();
    if source.product && lines > MAX_LINES {
        findings.push(format!(
            "{shown}: {lines} lines, more than {MAX_LINES}: it holds two things"
        ));
    }
}

/// What no line of a file may hold.
fn rules(source: &Source, findings: &mut Vec<String>) {
    // xtask names in its own text what it looks for in others'.
    if source.package == "xtask" {
        return;
    }
    let package = source.package.as_str();
    let mut forbid = |words: &[&str], why: &str| {
        for (line, code) in source.code.lines().enumerate() {
            if let Some(word) = words.iter().find(|word| code.contains(**word)) {
                findings.push(format!("{}:{}: `{word}`: {why}", source.shown, line + 1));
            }
        }
    };
    if source.product && package != READS_ENVIRONMENT {
        forbid(
            ENVIRONMENT,
            "libraries do not read the environment, the home directory or the terminal",
        );
    }
    if source.product && !STARTS_PROCESSES.contains(&package) {
        forbid(PROCESSES, "only workspace and posthouse start processes");
    }
    if source.product {
        forbid(SERVER_NAMES, "no server is treated specially");
    }
    forbid(
        &["untagged"],
        "a kind is decided by which fields are present, never by trial",
    );
    forbid(&["#[ignore"], "a test runs or does not exist");
    if source.test {
        forbid(
            &["thread::sleep("],
            "a test waits for events, never for time",
        );
    }
}

/// What may stand once in the whole workspace.
fn counts(sources: &[Source], findings: &mut Vec<String>) {
    let others = || sources.iter().filter(|source| source.package != "xtask");
    let count = |what: &str, source: &Source| source.code.matches(what).count();
    let holding = |what: &str| -> Vec<&str> {
        others()
            .filter(|source| count(what, source) > 0)
            .map(|source| source.shown.as_str())
            .collect()
    };
    let lifted = ["expect(unsafe_code", "allow(unsafe_code"];
    let places: usize = lifted
        .iter()
        .map(|what| others().map(|source| count(what, source)).sum::<usize>())
        .sum();
    if places > 1 {
        let files = lifted.map(holding).concat().join(", ");
        findings.push(format!(
            "unsafe code is allowed in {places} places, at most 1 may be: {files}"
        ));
    }
    let defined: usize = others()
        .filter(|source| source.product)
        .map(|source| count(TIMEOUT_CONSTANT, source))
        .sum();
    if defined != 1 {
        let files = holding(TIMEOUT_CONSTANT).join(", ");
        findings.push(format!(
            "`{TIMEOUT_CONSTANT}` is defined {defined} times in crates/, not once: {files}"
        ));
    }
}

#[cfg(test)]
mod tests;
