//! Reading the configuration again while hosts are connected.

use std::sync::Arc;

use async_trait::async_trait;
use mcp_gateway::{Reload, Roster};
use mcp_manager::Manager;
use tokio::task::spawn_blocking;

use crate::environment::Environment;
use crate::expansion::{StopOnDrop, StopSign};
use crate::outcome::Failure;
use crate::setup::Setup;
use crate::sources::Sources;

/// Reads the same files again. A file that cannot be read changes nothing.
pub(crate) struct FileReload {
    pub(crate) sources: Sources,
    pub(crate) environment: Arc<Environment>,
}

#[async_trait]
impl Reload for FileReload {
    async fn reload(&self, manager: &Manager) -> Result<(Roster, String), String> {
        let kept = |why: String| format!("{why}; everything stays as it was");
        let setup = self.read().await.map_err(|failure| kept(failure.message))?;
        if let Some(error) = &setup.broken_project {
            // Servers that run may stand in it.
            return Err(kept(format!("failed to {error}")));
        }
        let roster = setup.roster();
        let mut done = format!(
            "read {} again: {} servers",
            setup.path.display(),
            setup.servers.len()
        );
        for notice in &roster.notices {
            done.push('\n');
            done.push_str(notice);
        }
        manager.reload(setup.servers, setup.options).await;
        Ok((roster, done))
    }
}

impl FileReload {
    /// Commands in the files may take a while, in which the servers are to go on.
    async fn read(&self) -> Result<Setup, Failure> {
        let sources = self.sources.again(&self.environment)?;
        let environment = self.environment.clone();
        let stop = StopSign::default();
        let _stop_when_dropped = StopOnDrop(stop.clone());
        let reading = spawn_blocking(move || Setup::read(sources, &environment, stop));
        reading
            .await
            .unwrap_or_else(|error| Err(Failure::unavailable(format!("reading failed: {error}"))))
    }
}
