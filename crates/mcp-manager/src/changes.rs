//! How often lists became others: over all servers, and for each by its name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mcp_proto::list::ListKind;
use tokio::sync::watch;

/// The counters of a manager. Those of a server outlive its connection, so that whoever watches it goes
/// on after a reload.
#[derive(Default)]
pub(crate) struct Changes {
    all: Counters,
    named: Mutex<HashMap<String, Arc<Counters>>>,
}

#[derive(Default)]
struct Counters {
    tools: watch::Sender<u64>,
    resources: watch::Sender<u64>,
    prompts: watch::Sender<u64>,
}

impl Counters {
    fn of(&self, kind: ListKind) -> &watch::Sender<u64> {
        match kind {
            ListKind::Tools => &self.tools,
            ListKind::Resources | ListKind::ResourceTemplates => &self.resources,
            ListKind::Prompts => &self.prompts,
        }
    }

    fn tick(&self, kind: ListKind) {
        self.of(kind).send_modify(|count| *count += 1);
    }
}

impl Changes {
    fn named(&self, name: &str) -> Arc<Counters> {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        named.entry(name.to_owned()).or_default().clone()
    }

    /// A list of this server is another.
    pub(crate) fn tick(&self, name: &str, kind: ListKind) {
        self.named(name).tick(kind);
        self.all.tick(kind);
    }

    /// Counts over all servers.
    pub(crate) fn watch(&self, kind: ListKind) -> watch::Receiver<u64> {
        self.all.of(kind).subscribe()
    }

    /// Counts for one server.
    pub(crate) fn watch_named(&self, name: &str, kind: ListKind) -> watch::Receiver<u64> {
        self.named(name).of(kind).subscribe()
    }
}
