//! A manager with the places its servers run in, from start to stop.

use std::time::Duration;

use mcp_manager::Manager;
use tokio::time::{Instant, sleep_until, timeout};
use workspace::{Local, LocalOptions, Registry, inherited_environment};

use crate::environment::Environment;
use crate::setup::Setup;
use crate::signals::Signals;

/// The longest that stopping everything may take.
pub(crate) const STOP: Duration = Duration::from_secs(5);
/// Of that, what is left to the killed to go.
const KILLED: Duration = Duration::from_secs(1);

/// A running manager. End it with [`Engine::stop`].
pub(crate) struct Engine {
    pub(crate) manager: Manager,
    registry: Registry,
}

impl Engine {
    /// Makes the manager and lets it run; lazy servers wait until somebody asks for them.
    pub(crate) fn start(setup: &Setup, environment: &Environment) -> Self {
        let variables = environment
            .variables
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()));
        let local = Local::new(LocalOptions {
            base_env: inherited_environment(variables),
            search_path: environment.search_path().to_owned(),
            cwd: environment.cwd.clone(),
        });
        // Without a runtime folder, containers are found by their labels alone.
        let local = match environment.variables.get("XDG_RUNTIME_DIR") {
            Some(folder) if folder.starts_with('/') => {
                local.with_runtime_dir(format!("{folder}/posthouse"))
            }
            _ => local,
        };
        let mut registry = Registry::new();
        registry.insert(std::sync::Arc::new(local));
        let manager = Manager::new(
            setup.servers.clone(),
            registry.clone(),
            setup.options.clone(),
        );
        manager.start();
        Engine { manager, registry }
    }

    /// Stops every server in order and joins everything. A second signal kills at once.
    pub(crate) async fn stop(&self, signals: &mut Signals) {
        self.stop_by(Instant::now() + STOP, signals).await;
    }

    /// The same with less time: what is there shortly before `deadline` is killed.
    pub(crate) async fn stop_by(&self, deadline: Instant, signals: &mut Signals) {
        let orderly = async {
            self.manager.shutdown().await;
            self.registry.shutdown_all(deadline).await;
        };
        tokio::pin!(orderly);
        tokio::select! {
            () = &mut orderly => return,
            () = signals.stop() => {}
            () = sleep_until(deadline - KILLED) => {}
        }
        self.registry.shutdown_all(Instant::now()).await;
        // That they have ended is on its way to those who wait for it.
        drop(timeout(KILLED, orderly).await);
    }
}
