//! The executor that is this machine.

mod census;
mod dial;
mod group;
mod guard;
mod login_shell;
mod program;
mod spawn;
mod stderr_pump;
mod stopping;
mod strays;
mod supervisor;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

use guard::Guard;

use crate::closing::Closing;
use crate::coverage;
use crate::{BoxStream, DialTarget, ExecutorId, Process, ProcessSpec, Workspace, WorkspaceError};

/// What a [`Local`] is given; it reads nothing from the environment.
#[derive(Clone, Default)]
pub struct LocalOptions {
    /// The environment of every process, before that of its spec; see
    /// [`inherited_environment`](crate::inherited_environment).
    pub base_env: BTreeMap<String, String>,
    /// Where programs without a slash are searched: directories separated by colons.
    pub search_path: String,
    /// The working directory of a process whose spec names none; without one, that of this
    /// process.
    pub cwd: Option<PathBuf>,
}

impl fmt::Debug for LocalOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values may hold secrets, such as a proxy's password.
        f.debug_struct("LocalOptions")
            .field("base_env", &self.base_env.keys())
            .field("search_path", &self.search_path)
            .field("cwd", &self.cwd)
            .finish()
    }
}

/// This machine.
///
/// Each process gets a group of its own, and one task that owns it until the group is empty. When
/// a process exits by itself, what it leaves in its group is stopped as well. So are descendants
/// that leave the group (`setsid`): they are known by a variable that they inherit,
/// `POSTHOUSE_REAP`.
///
/// Nothing outlives this process either, however it ends: with the first process, a reaper is
/// started, a small shell script that waits for our end and then stops everything. What it cannot
/// do here is said by [`coverage`](Self::coverage). A command that starts a container, such as
/// `docker run`, gets a label, and an id file if there is a
/// [runtime directory](Self::with_runtime_dir), and its container is removed with it.
///
/// Dropping this starts stopping everything in the background; use
/// [`shutdown`](Workspace::shutdown) to wait for it.
pub struct Local {
    id: ExecutorId,
    options: Arc<LocalOptions>,
    guard: Arc<Guard>,
    tasks: TaskTracker,
    closing: Closing,
}

impl Local {
    /// An executor for this machine.
    #[must_use]
    pub fn new(options: LocalOptions) -> Self {
        Self {
            id: ExecutorId::local(),
            guard: Guard::new(&options.search_path, None),
            options: Arc::new(options),
            tasks: TaskTracker::new(),
            closing: Closing::default(),
        }
    }

    /// Where small files go that are of use to this process only, such as containers' ids: a
    /// directory of this user, made when it is needed. Call it before anything is started.
    #[must_use]
    pub fn with_runtime_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.guard = Guard::new(&self.options.search_path, Some(directory.into()));
        self
    }

    /// What may outlive a server or this process on this system, one plain sentence each.
    ///
    /// Looks at the file system, so it may block.
    #[must_use]
    pub fn coverage(&self) -> Vec<String> {
        coverage::sentences(&coverage::System::look(&self.options.search_path))
    }
}

#[async_trait]
impl Workspace for Local {
    fn id(&self) -> &ExecutorId {
        &self.id
    }

    async fn start_process(&self, spec: ProcessSpec) -> Result<Process, WorkspaceError> {
        // Counts as a task, so a shutdown that starts now waits for what is spawned below.
        let _starting = self.tasks.token();
        self.closing.refuse_if_begun(&self.id)?;
        let (options, guard) = (self.options.clone(), self.guard.clone());
        let looked_up = self
            .tasks
            .spawn_blocking(move || spawn::prepare(spec, &options, &guard))
            .await;
        let launch = match looked_up {
            Ok(launch) => launch?,
            Err(error) => return Err(WorkspaceError::Io(error.into())),
        };
        self.closing.refuse_if_begun(&self.id)?;
        // From here on nothing is awaited: dropping this future cannot lose a started process.
        launch.start(&self.tasks, &self.closing)
    }

    async fn dial(&self, target: DialTarget) -> Result<BoxStream, WorkspaceError> {
        self.closing.refuse_if_begun(&self.id)?;
        dial::dial(&target).await
    }

    async fn probe(&self) -> Result<(), WorkspaceError> {
        self.closing.refuse_if_begun(&self.id)
    }

    async fn shutdown(&self, deadline: Instant) {
        self.closing.run(&self.tasks, &self.id, deadline).await;
        // Last, as it guards until then.
        self.guard.end().await;
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.closing.begin();
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local")
            .field("options", &self.options)
            .field("tasks", &self.tasks.len())
            .finish_non_exhaustive()
    }
}
