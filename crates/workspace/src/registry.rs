//! Which workspace belongs to which executor.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::{ExecutorId, Workspace};

/// The workspaces of a host, by the name of their executor. Clones share the workspaces.
#[derive(Clone, Default)]
pub struct Registry {
    workspaces: BTreeMap<ExecutorId, Arc<dyn Workspace>>,
}

impl Registry {
    /// An empty registry.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a workspace under its own [`id`](Workspace::id), and returns the one it replaces,
    /// which the caller should shut down.
    pub fn insert(&mut self, workspace: Arc<dyn Workspace>) -> Option<Arc<dyn Workspace>> {
        self.workspaces.insert(workspace.id().clone(), workspace)
    }

    /// The workspace of this executor.
    #[must_use]
    pub fn get(&self, id: &ExecutorId) -> Option<Arc<dyn Workspace>> {
        self.workspaces.get(id).cloned()
    }

    /// The executors known, in order.
    pub fn ids(&self) -> impl Iterator<Item = &ExecutorId> {
        self.workspaces.keys()
    }

    /// Shuts every workspace down, in parallel; see [`Workspace::shutdown`].
    pub async fn shutdown_all(&self, deadline: Instant) {
        let mut shutdowns = JoinSet::new();
        for workspace in self.workspaces.values() {
            let workspace = Arc::clone(workspace);
            shutdowns.spawn(async move { workspace.shutdown(deadline).await });
        }
        while shutdowns.join_next().await.is_some() {}
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.workspaces.keys()).finish()
    }
}
