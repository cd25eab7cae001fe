//! What keeps a server from outliving us: its nonce, its place with the reaper, its container.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::task::TaskTracker;

use super::census::Census;
use super::strays::Strays;
use crate::closing::Closing;
use crate::container::{self, Container, Engine, Marks, Owner, Prepared};
use crate::nonce::{ExecutorNonce, ServerNonce};
use crate::reaper::Reaper;
use crate::{StopGrace, process_table};

/// The end of an id file's name; the rest is the container's label.
const ID_FILE: &str = ".cid";

/// Shared by an executor and all that it started.
pub(super) struct Guard {
    reaper: Arc<Reaper>,
    census: Arc<Census>,
    /// Where the files with containers' ids go.
    runtime_dir: Option<PathBuf>,
    started: AtomicU64,
    swept: Mutex<BTreeSet<Engine>>,
}

/// One server under guard.
pub(super) struct Guarded {
    guard: Arc<Guard>,
    nonce: ServerNonce,
    container: Option<Container>,
}

/// A command on its way to be started.
pub(super) struct GuardedCommand<'a> {
    pub(super) name: &'a str,
    /// The program as it was given.
    pub(super) program: &'a str,
    /// Where it was found.
    pub(super) found: &'a Path,
    pub(super) cwd: &'a Path,
    /// Its whole environment.
    pub(super) env: &'a BTreeMap<&'a str, &'a str>,
}

impl Guard {
    pub(super) fn new(search_path: &str, runtime_dir: Option<PathBuf>) -> Arc<Self> {
        let nonce = ExecutorNonce::random();
        Arc::new(Self {
            census: Arc::new(Census::new(nonce.clone())),
            reaper: Reaper::new(nonce, search_path),
            runtime_dir,
            started: AtomicU64::new(0),
            swept: Mutex::default(),
        })
    }

    /// Takes a server under guard, and marks its arguments if they start a container. May block.
    pub(super) fn take(
        self: &Arc<Self>,
        command: &GuardedCommand<'_>,
        args: &mut Vec<String>,
    ) -> Guarded {
        self.reaper.ensure();
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let nonce = self.reaper.nonce().server(number);
        let container = self.mark(command, args, &nonce);
        Guarded {
            guard: self.clone(),
            nonce,
            container,
        }
    }

    fn mark(
        &self,
        command: &GuardedCommand<'_>,
        args: &mut Vec<String>,
        nonce: &ServerNonce,
    ) -> Option<Container> {
        let words: Vec<String> = [command.program.to_owned()]
            .into_iter()
            .chain(args.iter().cloned())
            .collect();
        if !container::is_conceivable(&words) {
            return None;
        }
        let owner = Owner::this_process();
        let label = owner.map_or_else(|| nonce.to_string(), |owner| owner.label(nonce));
        let id_file = self.id_file(command, &label);
        let marks = Marks {
            label: label.clone(),
            id_file: id_file.as_ref().map(|path| path.display().to_string()),
        };
        let run = match container::prepare(&words, &marks) {
            Prepared::Other => return None,
            Prepared::Unsure(reason) => {
                tracing::warn!(
                    process = command.name,
                    "its container may outlive it: {reason}"
                );
                return None;
            }
            Prepared::Run(run) => run,
        };
        let id_file = id_file.filter(|_| run.has_id_file);
        *args = run.words.into_iter().skip(1).collect();
        let engines = run.engines.into_iter().map(|mut words| {
            // As it was found, since it may be relative to a directory or a PATH that changes.
            if let (Some(first), Some(found)) = (words.first_mut(), command.found.to_str())
                && first == command.program
            {
                found.clone_into(first);
            }
            Engine::new(words, command.cwd.to_owned(), command.env)
        });
        Some(Container {
            engines: engines.collect(),
            label,
            id_file,
        })
    }

    /// Where the engine may write an id, if it may.
    fn id_file(&self, command: &GuardedCommand<'_>, label: &str) -> Option<PathBuf> {
        let directory = self.runtime_dir.as_ref()?;
        // A confined program cannot write where we want, and would not start.
        let real = command.found.canonicalize().ok()?;
        if real.file_name().is_some_and(|name| name == "snap") {
            return None;
        }
        if let Err(error) = make_private(directory) {
            tracing::warn!(%error, directory = %directory.display(), "no id files there");
            return None;
        }
        directory.to_str()?;
        Some(directory.join(format!("{label}{ID_FILE}")))
    }

    /// Ends the reaper, when nothing is left to guard.
    pub(super) async fn end(&self) {
        self.reaper.end().await;
    }
}

impl Guarded {
    /// What the server carries in its environment.
    pub(super) fn nonce(&self) -> &ServerNonce {
        &self.nonce
    }

    /// How long the server itself may take to stop, so that its container is gone in time too.
    pub(super) fn shortened(&self, mut grace: StopGrace) -> StopGrace {
        if self.container.is_some() {
            grace.total = grace.total * 3 / 4;
        }
        grace
    }

    /// Before the server is started: its container may be there at once.
    pub(super) fn starts(&self, tasks: &TaskTracker, closing: &Closing) {
        let Some(container) = &self.container else {
            return;
        };
        self.guard
            .reaper
            .guard_boxes(self.nonce.number(), container.reaper_words());
        for engine in &container.engines {
            self.guard.sweep(engine, tasks, closing);
        }
    }

    /// The server could not be started.
    pub(super) fn failed(&self) {
        self.guard.reaper.forget_boxes(self.nonce.number());
    }

    /// The server leads this group; who leaves it is known by what this returns.
    pub(super) fn leads(&self, group: i32) -> Strays {
        let start = process_table::entry(group).map_or(0, |leader| leader.start);
        self.guard.reaper.guard_group(group, start);
        self.guard.census.counts_from(start);
        Strays::new(self.guard.census.clone(), self.nonce.number(), group)
    }

    /// The group is empty, and nobody who left it is there either.
    pub(super) async fn ended(&self, group: i32) {
        self.guard.reaper.forget_group(group);
        self.remove_container().await;
    }

    /// Removes what the engine still has of the server.
    pub(super) async fn remove_container(&self) {
        if let Some(container) = &self.container {
            container.remove().await;
            self.guard.reaper.forget_boxes(self.nonce.number());
        }
    }
}

impl Guard {
    /// Removes the containers of dead owners in the background, once for each engine.
    fn sweep(&self, engine: &Engine, tasks: &TaskTracker, closing: &Closing) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = swept.insert(engine.clone());
        drop(swept);
        let Some(owner) = Owner::this_process().filter(|_| is_new) else {
            return;
        };
        if let Some(directory) = &self.runtime_dir {
            remove_files_of_the_dead(directory, &owner);
        }
        let (engine, closing) = (engine.clone(), closing.clone());
        tasks.spawn(async move {
            tokio::select! {
                () = engine.sweep(&owner) => {}
                () = closing.begun() => {}
            }
        });
    }
}

/// Makes a directory that nobody else can write to: what an id file names is removed.
fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)?;
    let found = fs::symlink_metadata(directory)?;
    let is_ours = found.is_dir() && found.uid() == nix::unistd::geteuid().as_raw();
    if !is_ours || found.mode() & 0o022 != 0 {
        return Err(io::Error::other("it is not a directory of this user alone"));
    }
    Ok(())
}

fn remove_files_of_the_dead(directory: &Path, owner: &Owner) {
    for file in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = file.file_name();
        let label = name.to_str().and_then(|name| name.strip_suffix(ID_FILE));
        if label.is_some_and(|label| owner.knows_dead_owner(label)) {
            let _ = fs::remove_file(file.path());
        }
    }
}
