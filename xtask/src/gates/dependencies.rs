//! The gate `dependencies`: what we build on is free to use, comes from where it should, stands
//! there once, and is used.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use anyhow::Result;

use super::sources::text;
use super::{Passed, licences, no_findings};
use crate::command::Run;
use crate::metadata::{Kind, Metadata, PLATFORM, Package};
use crate::place;

/// What a host that links `mcp-manager` without features may pull in.
const MANAGER_LIMIT: usize = 70;

/// Crates that compile C or look for a C library. Names ending in `-sys` do, too.
const C_BUILDERS: &[&str] = &["bindgen", "cc", "cmake", "pkg-config", "vcpkg"];

/// Crates that the product holds in two versions, each with the reason. An entry that no longer
/// applies fails the gate, too.
const DUPLICATES: &[(&str, &str)] = &[];

/// What ours are published under.
const OUR_LICENCE: &str = "MIT OR Apache-2.0";

pub(super) fn run() -> Result<Passed> {
    let metadata = Metadata::full()?;
    let mut findings = Vec::new();
    for package in &metadata.packages {
        if metadata.is_member(package) {
            our_own(package, &mut findings);
            unused(package, &mut findings)?;
        } else {
            origin(package, &mut findings);
        }
    }
    let product = metadata.compiled_into("posthouse");
    duplicates(&product, &mut findings);
    let lean = manager(&metadata, &mut findings)?;
    no_findings(&findings)?;
    let others = product
        .iter()
        .filter(|package| !metadata.is_member(package))
        .count();
    Passed::figure(format!(
        "{others} crates of others in posthouse, {lean} below mcp-manager"
    ))
}

fn our_own(package: &Package, findings: &mut Vec<String>) {
    if package.license.as_deref() != Some(OUR_LICENCE) {
        findings.push(format!(
            "{}: its licence is not `{OUR_LICENCE}`",
            package.name
        ));
    }
    if package.publishable {
        findings.push(format!("{}: `publish = false` is missing", package.name));
    }
}

fn origin(package: &Package, findings: &mut Vec<String>) {
    let Package { name, version, .. } = package;
    match &package.license {
        Some(licence) if licences::allowed(licence) => {}
        Some(licence) => findings.push(format!(
            "{name} {version}: its licence `{licence}` is not on the list"
        )),
        None => findings.push(format!("{name} {version}: declares no licence")),
    }
    let from_registry = |source: &String| {
        source.starts_with("registry+")
            && source.trim_end_matches('/').ends_with("/crates.io-index")
    };
    if !package.source.as_ref().is_some_and(from_registry) {
        let source = package
            .source
            .as_deref()
            .unwrap_or("a path outside the workspace");
        findings.push(format!(
            "{name} {version}: comes from {source}, not from crates.io"
        ));
    }
}

fn duplicates(product: &[&Package], findings: &mut Vec<String>) {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in product {
        versions
            .entry(&package.name)
            .or_default()
            .insert(&package.version);
    }
    versions.retain(|_, of_one| of_one.len() > 1);
    for (name, of_one) in &versions {
        if !DUPLICATES.iter().any(|(explained, _)| explained == name) {
            let of_one: Vec<&str> = of_one.iter().copied().collect();
            findings.push(format!(
                "{name}: the product holds versions {}",
                of_one.join(" and ")
            ));
        }
    }
    for (name, _) in DUPLICATES
        .iter()
        .filter(|(name, _)| !versions.contains_key(name))
    {
        findings.push(format!(
            "{name}: explained as a duplicate, and there is only one version"
        ));
    }
}

/// Declared, and named in no source that could use it.
fn unused(package: &Package, findings: &mut Vec<String>) -> Result<()> {
    let source = package.folder.join("src");
    let build_script = package.folder.join("build.rs");
    let mut product = String::new();
    let mut everything = String::new();
    for path in place::files(&package.folder, "rs")? {
        // A package within this one's folder speaks for itself.
        let parents = path
            .ancestors()
            .skip(1)
            .take_while(|parent| *parent != package.folder);
        if parents
            .into_iter()
            .any(|parent| parent.join("Cargo.toml").exists())
        {
            continue;
        }
        let code = text::code(&place::read(&path)?);
        if path.starts_with(&source) && !text::is_test(path.strip_prefix(&source).unwrap_or(&path))
        {
            product.push_str(&text::without_test_modules(&code));
        }
        everything.push_str(&code);
    }
    let build = if build_script.exists() {
        place::read(&build_script)?
    } else {
        String::new()
    };
    let tables = [
        (Kind::Normal, &product, "dependencies"),
        (Kind::Dev, &everything, "dev-dependencies"),
        (Kind::Build, &build, "build-dependencies"),
    ];
    for (kind, code, table) in tables {
        let declared = package
            .dependencies
            .iter()
            .filter(|dependency| dependency.kind == kind);
        let unused = declared.filter(|dependency| !text::names_crate(code, &dependency.ident));
        let names: Vec<&str> = unused.map(|dependency| dependency.name.as_str()).collect();
        if !names.is_empty() {
            findings.push(format!(
                "{}: no source uses, of its {table}: {}",
                package.name,
                names.join(", ")
            ));
        }
    }
    Ok(())
}

/// How many crates a host gets with `mcp-manager` alone; none of them may need a C compiler.
fn manager(metadata: &Metadata, findings: &mut Vec<String>) -> Result<usize> {
    // Features of other crates in the workspace do not count, so `cargo tree` says what is pulled
    // in, not the metadata of the whole.
    let tree = [
        "tree",
        "--locked",
        "--package",
        "mcp-manager",
        "--no-default-features",
        "--edges",
        "normal,build",
    ];
    let print = ["--prefix", "none", "--format", "{p}", "--target", PLATFORM];
    let output = Run::cargo(Duration::from_secs(300))
        .args(tree)
        .args(print)
        .checked()?;
    let crates: BTreeSet<(&str, &str)> = output
        .stdout
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?.trim_start_matches('v')))
        })
        .filter(|(name, _)| *name != "mcp-manager")
        .collect();
    if crates.len() >= MANAGER_LIMIT {
        findings.push(format!(
            "mcp-manager pulls {} crates, not fewer than {MANAGER_LIMIT}",
            crates.len()
        ));
    }
    for (name, version) in &crates {
        let known = metadata
            .packages
            .iter()
            .find(|package| package.name == *name && package.version == *version);
        let links = known.and_then(|package| package.links.as_deref());
        if C_BUILDERS.contains(name) || name.ends_with("-sys") || links.is_some() {
            findings.push(format!(
                "mcp-manager pulls {name} {version}, which builds or links C"
            ));
        }
    }
    Ok(crates.len())
}
