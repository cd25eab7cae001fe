//! The gates that only compile: format, clippy, rustdoc.

use std::time::Duration;

use anyhow::Result;

use super::Passed;
use crate::command::Run;
use crate::metadata::Metadata;
use crate::place;

const LIMIT: Duration = Duration::from_secs(1800);

pub(super) fn format() -> Result<Passed> {
    Run::cargo(LIMIT)
        .args(["fmt", "--all", "--check", "--", "--color", "never"])
        .checked()?;
    let mut files = 0;
    for folder in ["crates", "tests", "xtask"] {
        files += place::files(&place::root().join(folder), "rs")?.len();
    }
    Passed::figure(format!("{files} files"))
}

pub(super) fn clippy() -> Result<Passed> {
    let args = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    Run::cargo(LIMIT).args(args).checked()?;
    Passed::figure(format!("{} crates", Metadata::ours()?.members().count()))
}

pub(super) fn rustdoc() -> Result<Passed> {
    let args = ["doc", "--workspace", "--no-deps"];
    Run::cargo(LIMIT)
        .args(args)
        .env("RUSTDOCFLAGS", "-D warnings")
        .checked()?;
    Passed::figure(format!("{} crates", Metadata::ours()?.members().count()))
}
