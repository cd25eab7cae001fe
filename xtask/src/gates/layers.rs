//! The gate `layers`: arrows between crates point down, and sources hold nothing they may not.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{Passed, no_findings, sources};
use crate::metadata::{Kind, Metadata, Package};

/// Where a crate stands: what it may depend on (dev-dependencies are free).
struct Floor {
    name: &'static str,
    /// Of our own crates.
    ours: Ours,
    /// Of others' crates, besides [`FREE`].
    others: &'static [&'static str],
    /// Whether [`FREE`] is allowed too. The pure crates of floor 1 say all they need.
    free: bool,
}

enum Ours {
    Only(&'static [&'static str]),
    Everything,
}

/// Others' crates that decide nothing about a layer.
const FREE: &[&str] = &[
    "async-trait",
    "bytes",
    "hmac",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "tokio-util",
    "tracing",
];

/// What `mcp-manager` alone is built from: the core that a host links.
const CORE_DEPENDENCY_ALLOWLIST: &[&str] = &[
    "mcp-proto",
    "mcp-rpc",
    "mcp-client",
    "mcp-definitions",
    "workspace",
];

/// The house, floor by floor, as in ARCHITECTURE.md. A crate that does not stand here fails the
/// gate, and so does a dependency that its line does not name.
const FLOORS: &[Floor] = &[
    pure("mcp-proto", &["memchr", "serde", "serde_json", "thiserror"]),
    pure("mcp-definitions", &["serde", "sha2", "thiserror"]),
    pure("tool-search", &["regex", "rust-stemmers", "serde_json"]),
    floor(
        "workspace",
        &[],
        &["bollard", "nix", "ssh2", "tokio", "url"],
    ),
    floor("mcp-rpc", &["mcp-proto"], &["tokio"]),
    floor(
        "dial-http",
        &["workspace"],
        &[
            "http-body-util",
            "hyper",
            "hyper-util",
            "memchr",
            "rustls",
            "tokio",
            "tokio-rustls",
        ],
    ),
    floor(
        "mcp-config",
        &["mcp-definitions"],
        &["jsonc-parser", "toml"],
    ),
    floor(
        "mcp-client",
        &["mcp-proto", "mcp-rpc", "workspace", "dial-http"],
        &["tokio"],
    ),
    floor("mcp-auth", &["dial-http"], &["ring", "tokio", "url"]),
    floor(
        "mcp-server",
        &["mcp-proto", "mcp-rpc"],
        &["http-body-util", "hyper", "hyper-util", "tokio"],
    ),
    floor(
        "mcp-manager",
        CORE_DEPENDENCY_ALLOWLIST,
        &["arc-swap", "tokio"],
    ),
    floor(
        "mcp-gateway",
        &[
            "mcp-proto",
            "mcp-definitions",
            "mcp-server",
            "mcp-manager",
            "tool-search",
        ],
        &["tokio"],
    ),
    Floor {
        name: "posthouse",
        ours: Ours::Everything,
        others: &[
            "clap",
            "clap_complete",
            "clap_mangen",
            "indicatif",
            "jiff",
            "nix",
            "rustls-native-certs",
            "tokio",
            "tracing-subscriber",
        ],
        free: true,
    },
    floor("xtask", &[], &["anyhow"]),
    floor("fake-mcp-server", &[], &["tokio"]),
    Floor {
        name: "tests",
        ours: Ours::Everything,
        others: &["anyhow", "nix", "tempfile", "tokio"],
        free: true,
    },
];

const fn floor(
    name: &'static str,
    ours: &'static [&'static str],
    others: &'static [&'static str],
) -> Floor {
    Floor {
        name,
        ours: Ours::Only(ours),
        others,
        free: true,
    }
}

const fn pure(name: &'static str, others: &'static [&'static str]) -> Floor {
    Floor {
        name,
        ours: Ours::Only(&[]),
        others,
        free: false,
    }
}

pub(super) fn run() -> Result<Passed> {
    let metadata = Metadata::ours()?;
    let floors: BTreeMap<&str, &Floor> = FLOORS.iter().map(|floor| (floor.name, floor)).collect();
    let ours: Vec<&str> = metadata
        .members()
        .map(|package| package.name.as_str())
        .collect();
    let mut findings = Vec::new();
    for package in metadata.members() {
        match floors.get(package.name.as_str()) {
            Some(floor) => check(package, floor, &ours, &mut findings),
            None => findings.push(format!(
                "{} stands on no floor: say in xtask what it may depend on",
                package.name
            )),
        }
    }
    let files = sources::check(&metadata, &mut findings)?;
    no_findings(&findings)?;
    Passed::figure(format!("{} crates, {files} files", ours.len()))
}

fn check(package: &Package, floor: &Floor, ours: &[&str], findings: &mut Vec<String>) {
    let names = package
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != Kind::Dev);
    for name in names.map(|dependency| dependency.name.as_str()) {
        let allowed = if ours.contains(&name) {
            match floor.ours {
                Ours::Only(list) => list.contains(&name),
                Ours::Everything => true,
            }
        } else {
            floor.others.contains(&name) || (floor.free && FREE.contains(&name))
        };
        if !allowed {
            findings.push(format!("{} may not depend on {name}", package.name));
        }
    }
}
