//! What cargo knows of our crates and of those they depend on.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::Run;

/// The platform whose dependencies are judged; others bring crates that are never built here.
pub(crate) const PLATFORM: &str = "x86_64-unknown-linux-gnu";

const LIMIT: Duration = Duration::from_secs(300);

/// When a dependency is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Into the crate itself.
    Normal,
    /// Into its tests, benches and examples.
    Dev,
    /// Into its build script.
    Build,
}

/// A dependency as declared in a manifest.
pub(crate) struct Dependency {
    /// The package's name.
    pub(crate) name: String,
    /// The name that sources use for it, `_` for `-`.
    pub(crate) ident: String,
    /// When it is compiled.
    pub(crate) kind: Kind,
}

/// A package, ours or another's.
pub(crate) struct Package {
    /// Cargo's id for it.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// The SPDX expression, as declared.
    pub(crate) license: Option<String>,
    /// Where it comes from; nothing for a path.
    pub(crate) source: Option<String>,
    /// The folder of its manifest.
    pub(crate) folder: PathBuf,
    /// The native library it links, when it says so.
    pub(crate) links: Option<String>,
    /// Whether it could be published.
    pub(crate) publishable: bool,
    /// What its manifest declares.
    pub(crate) dependencies: Vec<Dependency>,
    /// Its targets: the kind (`lib`, `bin`, `test`, …) and the name.
    pub(crate) targets: Vec<(String, String)>,
}

/// One reading of `cargo metadata`.
pub(crate) struct Metadata {
    /// All packages; ours alone when read by [`Metadata::ours`].
    pub(crate) packages: Vec<Package>,
    /// The ids of ours.
    members: BTreeSet<String>,
    /// Who compiles whom into itself, by id (no dev or build edges); empty when read by
    /// [`Metadata::ours`].
    normal: BTreeMap<String, Vec<String>>,
}

impl Metadata {
    /// Our crates alone; needs no lockfile and no network.
    pub(crate) fn ours() -> Result<Self> {
        read(&["--no-deps"])
    }

    /// Every package of the lockfile that [`PLATFORM`] needs, with all features.
    pub(crate) fn full() -> Result<Self> {
        read(&["--locked", "--all-features", "--filter-platform", PLATFORM])
    }

    /// Our crates.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages
            .iter()
            .filter(|package| self.is_member(package))
    }

    /// Whether a package is ours.
    pub(crate) fn is_member(&self, package: &Package) -> bool {
        self.members.contains(&package.id)
    }

    /// What is compiled into `name`, itself included.
    pub(crate) fn compiled_into(&self, name: &str) -> Vec<&Package> {
        let start = self.members().find(|package| package.name == name);
        let mut ids: Vec<&str> = start
            .map(|package| package.id.as_str())
            .into_iter()
            .collect();
        let mut seen: BTreeSet<&str> = ids.iter().copied().collect();
        let mut next = 0;
        while let Some(id) = ids.get(next).copied() {
            next += 1;
            let below = self.normal.get(id).into_iter().flatten();
            ids.extend(below.map(String::as_str).filter(|id| seen.insert(id)));
        }
        self.packages
            .iter()
            .filter(|package| seen.contains(package.id.as_str()))
            .collect()
    }
}

fn read(more: &[&str]) -> Result<Metadata> {
    let output = Run::cargo(LIMIT)
        .args(["metadata", "--format-version", "1"])
        .args(more)
        .checked()?;
    let root: Value = serde_json::from_str(&output.stdout)
        .context("failed to read what cargo metadata printed")?;
    let nodes = list(&root["resolve"], "nodes");
    let normal = nodes
        .map(|node| (string(node, "id"), normal_below(node)))
        .collect();
    let members = list(&root, "workspace_members")
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    Ok(Metadata {
        packages: list(&root, "packages").map(package).collect(),
        members,
        normal,
    })
}

fn normal_below(node: &Value) -> Vec<String> {
    let is_normal =
        |dependency: &&Value| list(dependency, "dep_kinds").any(|kind| kind["kind"].is_null());
    list(node, "deps")
        .filter(is_normal)
        .map(|dependency| string(dependency, "pkg"))
        .collect()
}

fn package(value: &Value) -> Package {
    let manifest = PathBuf::from(string(value, "manifest_path"));
    let kinds = |target: &Value| {
        list(target, "kind")
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    Package {
        id: string(value, "id"),
        name: string(value, "name"),
        version: string(value, "version"),
        license: value["license"].as_str().map(str::to_owned),
        source: value["source"].as_str().map(str::to_owned),
        folder: manifest.parent().unwrap_or(Path::new("")).to_owned(),
        links: value["links"].as_str().map(str::to_owned),
        // Cargo writes `publish = false` as a list of no registries.
        publishable: value["publish"]
            .as_array()
            .is_none_or(|registries| !registries.is_empty()),
        dependencies: list(value, "dependencies").map(dependency).collect(),
        targets: list(value, "targets")
            .flat_map(|target| {
                kinds(target)
                    .into_iter()
                    .map(|kind| (kind, string(target, "name")))
            })
            .collect(),
    }
}

fn dependency(value: &Value) -> Dependency {
    let name = string(value, "name");
    let used_as = value["rename"].as_str().unwrap_or(&name);
    let kind = match value["kind"].as_str() {
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        _ => Kind::Normal,
    };
    Dependency {
        ident: used_as.replace('-', "_"),
        name,
        kind,
    }
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn string(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}
