//! From a configuration file, or the embedded servers, to what a manager and a gateway are made from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mcp_config::{ConfigError, Held, Loaded, Untrusted, Warning, write_private};
use mcp_definitions::{Command, Lifecycle, ServerDefinition, ServerKind, ServerSet};
use mcp_gateway::{Roster, RosterEntry};
use mcp_manager::{ManagerOptions, printable};
use mcp_proto::lifecycle::Implementation;
use tokio::task::spawn_blocking;

use crate::embedded;
use crate::environment::Environment;
use crate::expansion::{Expansion, StopSign};
use crate::outcome::Failure;
use crate::owner::socket;
use crate::redaction;
use crate::server_logs;
use crate::sources::Sources;

/// The most that is shown of the name of a server that nobody has trusted, in characters.
const MAX_FOREIGN_NAME: usize = 64;

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
    /// Entries of the project's file that are not used until somebody trusts them.
    pub(crate) untrusted: Vec<Untrusted>,
    /// Why the project's file is not used at all.
    pub(crate) broken_project: Option<Arc<ConfigError>>,
    /// Why what the user had trusted is not.
    trust_problem: Option<String>,
    /// The file to name; empty for the embedded servers.
    pub(crate) path: PathBuf,
    /// The files it was read from; none for the embedded servers.
    pub(crate) sources: Option<Sources>,
}

impl Setup {
    /// Reads the file that the options name, or the user's, and that of the project; `None` when
    /// `stopped` comes first.
    pub(crate) async fn of_files(
        config: Option<&Path>,
        environment: &Environment,
        stopped: impl Future<Output = ()>,
    ) -> Result<Option<Self>, Failure> {
        let sources = Sources::find(config, environment)?;
        let environment = environment.clone();
        let stop = StopSign::default();
        let raised = stop.clone();
        let mut reading = spawn_blocking(move || Setup::read(sources, &environment, stop));
        let read = tokio::select! {
            read = &mut reading => read,
            () = stopped => {
                raised.raise();
                drop(reading.await);
                return Ok(None);
            }
        };
        read.map_err(|error| Failure::unavailable(format!("reading failed: {error}")))?
            .map(Some)
    }

    /// Reads these files and fills in what they ask for. Blocks, for as long as the commands in them
    /// take, until `stop` is raised.
    pub(crate) fn read(
        sources: Sources,
        environment: &Environment,
        stop: StopSign,
    ) -> Result<Self, Failure> {
        let (configuration, trust) = sources.read(environment)?;
        let mut expansion = Expansion::new(environment.variables.clone(), stop);
        let loaded = configuration.expand_all(&mut expansion);
        redaction::learn(&loaded.secrets);
        write_resolved(&loaded, environment);
        let origins: BTreeMap<_, _> = loaded
            .servers
            .iter()
            .filter_map(|it| Some((it.id.clone(), loaded.place(&it.id)?)))
            .collect();
        Ok(Setup {
            options: ManagerOptions {
                origins,
                ..options(environment)
            },
            servers: loaded.servers,
            held: loaded.held,
            warnings: loaded.warnings,
            untrusted: loaded.untrusted,
            broken_project: loaded.broken_project,
            trust_problem: trust.problem.filter(|_| sources.project.is_some()),
            path: loaded.path,
            sources: Some(sources),
        })
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
            untrusted: Vec::new(),
            broken_project: None,
            trust_problem: None,
            path: PathBuf::new(),
            sources: None,
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

    /// What the files hold back and warn of, a line each.
    pub(crate) fn notices(&self) -> Vec<String> {
        let held = self.held.iter().map(|held| {
            let (name, place) = (&held.name, place(&held.path, held.line));
            format!("{name}: held ({place}): {}; {}", held.reason, held.remedy)
        });
        let untrusted = self.untrusted.iter().map(|entry| {
            // A stranger chose it, and models read it.
            let name = printable(&entry.name, MAX_FOREIGN_NAME);
            let place = place(&entry.path, entry.line);
            let until = match entry.changes_yours {
                true => "; until then yours is used",
                false => "",
            };
            format!("{name}: not trusted ({place}): look at it, then run `posthouse trust`{until}")
        });
        let broken = self.broken_project.iter().map(|error| {
            format!("warning: failed to {error}; no server of this project is used until then")
        });
        let trust = self
            .trust_problem
            .iter()
            .map(|why| format!("warning: {why}"));
        let warnings = self.warnings.iter().map(|warning| {
            let (place, message) = (place(&warning.path, warning.line), &warning.message);
            match &warning.name {
                Some(name) => format!("{name}: warning ({place}): {message}"),
                None => format!("warning ({place}): {message}"),
            }
        });
        held.chain(untrusted)
            .chain(broken)
            .chain(trust)
            .chain(warnings)
            .collect()
    }
}

fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", path.display())
}

/// Writes down what came of the files, for a person who looks for a mistake. It is of no use to us.
fn write_resolved(loaded: &Loaded, environment: &Environment) {
    let path = environment.resolved_file();
    let folder = path.parent().unwrap_or(Path::new(""));
    // The folder of the session is there; our own may have to be made.
    let made = match folder == environment.runtime_folder() {
        true => socket::folder(folder),
        false => Ok(()),
    };
    if let Err(error) = made.and_then(|()| write_private(&path, &loaded.dump())) {
        tracing::debug!("cannot write {}: {error}", path.display());
    }
}

fn options(environment: &Environment) -> ManagerOptions {
    ManagerOptions {
        environment: environment.variables.clone(),
        cwd: environment.cwd.clone(),
        redact: Some(Arc::new(|text| redaction::redacted(text).into_owned())),
        stderr_sinks: Some(Arc::new(server_logs::sink)),
        ..ManagerOptions::new(implementation())
    }
}
