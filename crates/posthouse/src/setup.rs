//! From a configuration file, or the embedded servers, to what a manager and a gateway are made from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mcp_config::{Context, Held, Loaded, Warning};
use mcp_definitions::{Command, Lifecycle, ServerDefinition, ServerKind, ServerSet};
use mcp_gateway::{Roster, RosterEntry};
use mcp_manager::ManagerOptions;
use mcp_proto::lifecycle::Implementation;

use crate::embedded;
use crate::environment::Environment;
use crate::outcome::Failure;

/// Who we are towards hosts and servers.
pub(crate) fn implementation() -> Implementation {
    let mut implementation = Implementation::new("posthouse", env!("CARGO_PKG_VERSION"));
    implementation.title = Some("posthouse".to_owned());
    implementation
}

/// Everything that a configuration says.
pub(crate) struct Setup {
    pub(crate) servers: ServerSet,
    pub(crate) options: ManagerOptions,
    pub(crate) held: Vec<Held>,
    pub(crate) warnings: Vec<Warning>,
    /// The file it was read from; none for the embedded servers.
    pub(crate) path: Option<PathBuf>,
}

impl Setup {
    /// Reads the file that the options name, or the user's.
    pub(crate) fn of_file(
        config: Option<&Path>,
        environment: &Environment,
    ) -> Result<Self, Failure> {
        let path = match config {
            Some(path) => path.to_owned(),
            None => environment.user_file().ok_or_else(|| {
                Failure::usage("there is no home folder to find a configuration in; name the file with --config FILE")
            })?,
        };
        if config.is_none() && !path.exists() {
            return Err(Failure::usage(nothing_configured(&path)));
        }
        let cx = Context::of_file(&path, environment.home());
        let loaded =
            mcp_config::load(&cx).map_err(|error| Failure::usage(format!("failed to {error}")))?;
        Ok(Setup::of(loaded, environment))
    }

    fn of(loaded: Loaded, environment: &Environment) -> Self {
        let origins: BTreeMap<_, _> = loaded
            .servers
            .iter()
            .filter_map(|it| Some((it.id.clone(), loaded.place(&it.id)?)))
            .collect();
        Setup {
            options: ManagerOptions {
                origins,
                ..options(environment)
            },
            servers: loaded.servers,
            held: loaded.held,
            warnings: loaded.warnings,
            path: Some(loaded.path),
        }
    }

    /// The three embedded servers; `root` is what `folder` shows.
    pub(crate) fn demo(environment: &Environment, root: &Path) -> Result<Self, Failure> {
        let program = environment
            .program
            .as_ref()
            .and_then(|path| path.to_str())
            .ok_or_else(|| {
                Failure::unavailable(
                    "cannot find our own program to start the embedded servers with",
                )
            })?;
        let mut servers = ServerSet::new();
        for name in embedded::NAMES {
            let command = Command {
                command: program.to_owned(),
                args: ["embedded", name, "--root", &root.to_string_lossy()]
                    .map(str::to_owned)
                    .to_vec(),
                ..Command::default()
            };
            let id = name
                .parse()
                .map_err(|error| Failure::unavailable(format!("{error}")))?;
            let definition = ServerDefinition {
                lifecycle: Lifecycle::Lazy,
                ..ServerDefinition::new(id, ServerKind::Stdio(command))
            };
            servers
                .insert(definition)
                .map_err(|error| Failure::unavailable(error.to_string()))?;
        }
        Ok(Setup {
            servers,
            options: options(environment),
            held: Vec::new(),
            warnings: Vec::new(),
            path: None,
        })
    }

    /// What texts for models may be made from.
    pub(crate) fn roster(&self) -> Roster {
        let enabled = self.servers.iter().filter(|definition| definition.enabled);
        let entries = enabled.flat_map(|definition| {
            definition
                .instance_names()
                .into_iter()
                .map(|name| RosterEntry {
                    name,
                    about: definition.about.clone(),
                })
        });
        Roster {
            servers: entries.collect(),
            notices: self.notices(),
        }
    }

    /// What the file holds back and warns of, a line each.
    pub(crate) fn notices(&self) -> Vec<String> {
        let path = self
            .path
            .as_deref()
            .map(|path| path.display().to_string())
            .unwrap_or_default();
        let held = self.held.iter().map(|held| {
            format!(
                "{}: held ({path}:{}): {}; {}",
                held.name, held.line, held.reason, held.remedy
            )
        });
        let warnings = self.warnings.iter().map(|warning| match &warning.name {
            Some(name) => format!(
                "{name}: warning ({path}:{}): {}",
                warning.line, warning.message
            ),
            None => format!("warning ({path}:{}): {}", warning.line, warning.message),
        });
        held.chain(warnings).collect()
    }
}

fn options(environment: &Environment) -> ManagerOptions {
    ManagerOptions {
        environment: environment.variables.clone(),
        cwd: environment.cwd.clone(),
        ..ManagerOptions::new(implementation())
    }
}

fn nothing_configured(path: &Path) -> String {
    format!(
        "there is no configuration yet. Write {} with the servers you use, such as\n  \
         {{\"mcpServers\": {{\"time\": {{\"command\": \"uvx\", \"args\": [\"mcp-server-time\"]}}}}}}\n\
         (the `mcpServers` of a host's own file fit as they are), name another file with --config FILE, \
         or see it work first: posthouse try, posthouse serve --demo",
        path.display()
    )
}
