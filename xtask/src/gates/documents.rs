//! The gate `documents`: what pages point at is there, and every crate has its page.

use std::path::Path;

use anyhow::Result;

use super::{Passed, no_findings};
use crate::metadata::Metadata;
use crate::place;

/// Where the page of each crate is.
const PAGES: &str = "docs/crates";

/// Checks every page.
pub(super) fn run() -> Result<Passed> {
    let mut findings = Vec::new();
    let mut anchors = 0;
    let pages = place::files(place::root(), "md")?;
    for page in &pages {
        let text = place::read(page)?;
        for span in text.split('`').skip(1).step_by(2) {
            if let Some((path, symbol)) = anchor(span) {
                anchors += 1;
                check_anchor(page, path, symbol, &mut findings);
            }
        }
        for target in links(&text) {
            let folder = page.parent().unwrap_or(place::root());
            if !folder.join(target).exists() {
                findings.push(format!("{}: there is no {target}", place::shown(page)));
            }
        }
    }
    for package in Metadata::ours()?.members() {
        let page = format!("{PAGES}/{}.md", package.name);
        let is_product = place::root().join("crates").join(&package.name).exists();
        if is_product && !place::root().join(&page).exists() {
            findings.push(format!(
                "{page}: every crate has a page that says what its code cannot"
            ));
        }
    }
    no_findings(&findings)?;
    Passed::figure(format!("{} pages, {anchors} anchors", pages.len()))
}

/// `crates/x/src/file.rs#symbol`, and nothing else.
fn anchor(span: &str) -> Option<(&str, &str)> {
    let (path, symbol) = span.split_once('#')?;
    let is_path = path.contains('/')
        && Path::new(path)
            .extension()
            .is_some_and(|end| end == "rs" || end == "sh");
    let is_symbol = !symbol.is_empty() && symbol.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_path && is_symbol).then_some((path, symbol))
}

fn check_anchor(page: &Path, path: &str, symbol: &str, findings: &mut Vec<String>) {
    let page = place::shown(page);
    match place::read(&place::root().join(path)) {
        Err(_) => findings.push(format!("{page}: there is no {path}")),
        Ok(text) => {
            let is_there = text
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == symbol);
            if !is_there {
                findings.push(format!("{page}: {path} has no {symbol}"));
            }
        }
    }
}

/// The targets of links to files of ours.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| {
        let target = rest.split(')').next()?.split('#').next()?;
        (!target.is_empty() && !target.contains("://")).then_some(target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_and_links_are_told_from_other_text() {
        assert_eq!(anchor("a/b.rs#c_d"), Some(("a/b.rs", "c_d")));
        for span in ["b.rs#c", "a/b.rs", "a/b.rs#c d", "a/b.md#c", "#c"] {
            assert_eq!(anchor(span), None, "{span}");
        }
        let text = "[a](b.md) [c](https://x) [d](#here) [e](f.md#g)";
        assert_eq!(links(text).collect::<Vec<_>>(), ["b.md", "f.md"]);
    }
}
