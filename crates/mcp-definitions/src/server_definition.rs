//! One server as somebody wants it.

use std::time::Duration;

use crate::{
    ExecutorName, Lifecycle, ListLimits, Placement, Plugin, ServerId, ServerKind, Sharing,
    ToolFilter,
};

/// One server as somebody wants it: what it is, where it runs, who shares it, what it may offer.
///
/// Files, plugins and hosts all hand in this one type. [`ServerDefinition::new`] gives the
/// library's defaults; a configuration file has its own (it starts servers lazily).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerDefinition {
    /// The server's id.
    pub id: ServerId,
    /// How it is reached.
    pub server: ServerKind,
    /// Where it runs. Empty only for servers on the client's side.
    pub executor_ids: Vec<ExecutorName>,
    /// What several executors mean; `None` with several is [`Placement::Each`].
    pub placement: Option<Placement>,
    /// Who may use one instance.
    pub sharing: Sharing,
    /// When it is started and when it may stop.
    pub lifecycle: Lifecycle,
    /// Original names of the tools it may offer: `None` is all of them, an empty list none.
    pub tool_names: Option<Vec<String>>,
    /// A further filter by patterns. A tool is offered when both agree: see
    /// [`ServerDefinition::offers`].
    pub tool_filter: ToolFilter,
    /// Whether a turn fails without it, instead of going on without its tools.
    pub required: bool,
    /// Whether it runs at all.
    pub enabled: bool,
    /// Longest wait for start, handshake and tool list together; `None`: the default of whoever
    /// runs it.
    pub startup_timeout: Option<Duration>,
    /// Longest wait for one call; `None`: the default of whoever runs it.
    pub tool_timeout: Option<Duration>,
    /// How long it may be unused before it is stopped; zero is never, `None` the default of
    /// whoever runs it.
    pub idle_timeout: Option<Duration>,
    /// A few words on what it is for, shown to models and people.
    pub about: Option<String>,
    /// What to do instead while it is not ready, appended to the error of a call.
    pub not_ready_advice: Option<String>,
    /// Original names of the tools worth naming first.
    pub curated: Vec<String>,
    /// The plugin that declared it; `None` for every other source.
    pub plugin: Option<Plugin>,
    /// How much of its lists is read.
    pub list_limits: ListLimits,
}

impl ServerDefinition {
    /// A definition with the library's defaults: eager, on this machine, shared as its kind asks.
    pub fn new(id: ServerId, server: ServerKind) -> Self {
        Self {
            sharing: server.default_sharing(),
            id,
            server,
            executor_ids: vec![ExecutorName::local()],
            placement: None,
            lifecycle: Lifecycle::default(),
            tool_names: None,
            tool_filter: ToolFilter::default(),
            required: false,
            enabled: true,
            startup_timeout: None,
            tool_timeout: None,
            idle_timeout: None,
            about: None,
            not_ready_advice: None,
            curated: Vec::new(),
            plugin: None,
            list_limits: ListLimits::default(),
        }
    }

    /// Whether a tool of this original name may be offered.
    pub fn offers(&self, tool: &str) -> bool {
        let named = match &self.tool_names {
            None => true,
            Some(names) => names.iter().any(|name| name == tool),
        };
        named && self.tool_filter.allows(tool)
    }

    /// The names under which its instances are shown: the id, or `<id>-<executor>` for each of
    /// several executors.
    pub fn instance_names(&self) -> Vec<String> {
        let several = self.executor_ids.len() > 1;
        if several && self.placement != Some(Placement::Failover) {
            let name = |executor| format!("{}-{executor}", self.id);
            self.executor_ids.iter().map(name).collect()
        } else {
            vec![self.id.to_string()]
        }
    }
}

#[cfg(test)]
mod tests;
