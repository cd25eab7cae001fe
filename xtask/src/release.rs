//! `cargo xtask verify-release`: what would be released is what is meant to be.

use std::time::Duration;

use anyhow::{Result, bail};

use crate::command::Run;
use crate::metadata::Metadata;

const LIMIT: Duration = Duration::from_secs(120);

/// What a package may hold, beside what cargo puts in itself. A wrong file in a release cannot be taken
/// back, so this is a list of what may be there, not of what may not.
const MAY_HOLD: &[&str] = &["src/", "examples/", "tests/", "benches/"];
const CARGOS_OWN: &[&str] = &[
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
];

/// Checks the files of every product crate, and that a tag, where `HEAD` has one, names the version.
pub(crate) fn main(words: &[String]) -> Result<bool> {
    if !words.is_empty() {
        bail!("verify-release takes no arguments");
    }
    let metadata = Metadata::ours()?;
    let mut findings = Vec::new();
    let mut files = 0;
    for package in metadata.members() {
        if !crate::place::root()
            .join("crates")
            .join(&package.name)
            .exists()
        {
            continue;
        }
        let listed = Run::cargo(LIMIT)
            .args([
                "package",
                "--list",
                "--allow-dirty",
                "--package",
                &package.name,
            ])
            .checked()?;
        for file in listed.stdout.lines() {
            files += 1;
            let is_meant = CARGOS_OWN.contains(&file)
                || MAY_HOLD.iter().any(|folder| file.starts_with(folder));
            if !is_meant {
                findings.push(format!(
                    "{}: {file} is not meant to be released",
                    package.name
                ));
            }
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let tags = Run::new("git", LIMIT)
        .args(["tag", "--points-at", "HEAD"])
        .checked()?;
    for tag in tags.stdout.lines().filter(|tag| tag.starts_with('v')) {
        if tag != format!("v{version}") {
            findings.push(format!(
                "the tag {tag} is not v{version}, the version of the workspace"
            ));
        }
    }
    for finding in &findings {
        println!("{finding}");
    }
    println!(
        "{files} files would be released as {version}, {} not meant to be",
        findings.len()
    );
    Ok(findings.is_empty())
}
