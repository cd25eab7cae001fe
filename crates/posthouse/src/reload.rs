//! Reading the configuration again while hosts are connected.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use mcp_gateway::{Reload, Roster};
use mcp_manager::Manager;

use crate::environment::Environment;
use crate::setup::Setup;

/// Reads the same file again. A file that cannot be read changes nothing.
pub(crate) struct FileReload {
    pub(crate) path: PathBuf,
    pub(crate) environment: Arc<Environment>,
}

#[async_trait]
impl Reload for FileReload {
    async fn reload(&self, manager: &Manager) -> Result<(Roster, String), String> {
        let setup = Setup::of_file(Some(&self.path), &self.environment)
            .map_err(|failure| format!("{}; everything stays as it was", failure.message))?;
        let roster = setup.roster();
        let mut done = format!(
            "read {} again: {} servers",
            self.path.display(),
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
