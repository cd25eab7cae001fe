//! An entry as read so far, and the definition that comes of it.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_definitions::{
    Command, ExecutorName, HttpServer, Lifecycle, Placement, ServerDefinition, ServerId,
    ServerKind, Sharing, ToolFilter,
};

use crate::Defaults;
use crate::field::{Field, Of};
use crate::node::Node;
use crate::problem::Problem;

/// What the `type` of an entry says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
    Sse,
}

/// An entry as read so far.
#[derive(Default)]
pub(crate) struct Draft {
    pub(crate) transport: Option<Transport>,
    pub(crate) command: Option<String>,
    /// Arguments from a `command` that is a list.
    pub(crate) args_of_command: Vec<String>,
    pub(crate) args: Option<Vec<String>>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) inherit_env: Vec<String>,
    pub(crate) cwd: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) executor_ids: Vec<ExecutorName>,
    pub(crate) placement: Option<Placement>,
    pub(crate) sharing: Option<Sharing>,
    pub(crate) lifecycle: Option<Lifecycle>,
    pub(crate) startup_timeout: Option<Duration>,
    pub(crate) tool_timeout: Option<Duration>,
    pub(crate) idle_timeout: Option<Duration>,
    pub(crate) required: bool,
    pub(crate) tool_filter: ToolFilter,
    pub(crate) about: Option<String>,
    pub(crate) not_ready_advice: Option<String>,
    pub(crate) curated: Vec<String>,
    enabled: Option<bool>,
    /// What is odd but not wrong, with its place.
    notes: Vec<(usize, String)>,
    /// The fields that were given, with their places.
    given: Vec<(&'static Field, usize)>,
    not_yet: Option<Problem>,
}

impl Draft {
    /// Notes that a field was given.
    pub(crate) fn give(&mut self, field: &'static Field, offset: usize) {
        self.given.push((field, offset));
    }

    /// Notes what is right in itself but not available in this version. It holds the entry only if
    /// the entry is enabled: a server that is switched off does not need it.
    pub(crate) fn not_yet(&mut self, problem: Problem) {
        self.not_yet.get_or_insert(problem);
    }

    /// Notes what is odd but not wrong.
    pub(crate) fn note(&mut self, note: Option<(usize, String)>) {
        self.notes.extend(note);
    }

    /// What is odd but not wrong, with its place.
    pub(crate) fn take_notes(&mut self) -> Vec<(usize, String)> {
        std::mem::take(&mut self.notes)
    }

    /// Takes what `enabled` or `disabled` says.
    pub(crate) fn set_enabled(&mut self, node: &Node<'_>, enabled: bool) -> Result<(), Problem> {
        if self.enabled.is_some_and(|before| before != enabled) {
            let what = "contradicts the other of \"enabled\" and \"disabled\"";
            return Err(node.problem(what, "keep one of them"));
        }
        self.enabled = Some(enabled);
        Ok(())
    }

    /// The definition, or the reason why there is none. `entry` is the place of the entry.
    pub(crate) fn finish(
        mut self,
        id: ServerId,
        entry: usize,
        defaults: &Defaults,
    ) -> Result<ServerDefinition, Problem> {
        self.check_transport(entry)?;
        let enabled = self.enabled.unwrap_or(true);
        let server = self.server(entry)?;
        if let Some(reason) = server.unavailable() {
            let remedy = "until it is, run it through a bridge that speaks stdio, for example \
                          \"command\": \"npx\", \"args\": [\"-y\", \"mcp-remote\", \"<url>\"]";
            self.not_yet(Problem::new(self.place_of("url", entry), reason, remedy));
        }
        if let Some(problem) = self.not_yet.take_if(|_| enabled) {
            return Err(problem);
        }
        self.check_executors()?;
        if self.executor_ids.is_empty() {
            self.executor_ids.push(ExecutorName::local());
        }
        Ok(ServerDefinition {
            executor_ids: self.executor_ids,
            placement: self.placement,
            sharing: self.sharing.unwrap_or_else(|| server.default_sharing()),
            // A file may list many servers of which a session needs few.
            lifecycle: self.lifecycle.unwrap_or(Lifecycle::Lazy),
            tool_filter: self.tool_filter,
            required: self.required,
            enabled,
            startup_timeout: self.startup_timeout.or(defaults.startup_timeout),
            tool_timeout: self.tool_timeout.or(defaults.tool_timeout),
            idle_timeout: self.idle_timeout.or(defaults.idle_timeout),
            about: self.about,
            not_ready_advice: self.not_ready_advice,
            curated: self.curated,
            ..ServerDefinition::new(id, server)
        })
    }

    fn place_of(&self, key: &str, otherwise: usize) -> usize {
        let given = self.given.iter().find(|(field, _)| field.key == key);
        given.map_or(otherwise, |&(_, offset)| offset)
    }

    /// Refuses fields that do not go together: nobody could say which of them was meant.
    fn check_transport(&self, entry: usize) -> Result<(), Problem> {
        let (main, other) = match (&self.command, &self.url) {
            (Some(_), Some(_)) => {
                let remedy =
                    "keep \"command\" to start a server, or \"url\" to reach one that runs";
                let what = "\"url\" is not supported together with \"command\"";
                return Err(Problem::new(self.place_of("url", entry), what, remedy));
            }
            (None, None) => {
                let (what, remedy) = match self.transport {
                    None => (
                        "it has neither \"command\" nor \"url\"",
                        "add the one that it needs",
                    ),
                    Some(Transport::Stdio) => ("it has no \"command\"", "add the program to start"),
                    Some(_) => ("it has no \"url\"", "add the URL of the server"),
                };
                return Err(Problem::new(entry, what, remedy));
            }
            (Some(_), None) => (Of::Command, Of::Url),
            (None, Some(_)) => (Of::Url, Of::Command),
        };
        let main_key = if main == Of::Command {
            "command"
        } else {
            "url"
        };
        if self
            .transport
            .is_some_and(|t| (t == Transport::Stdio) != (main == Of::Command))
        {
            let what = format!("\"type\" says something else than \"{main_key}\"");
            let remedy = "remove \"type\"; the other says enough";
            return Err(Problem::new(self.place_of("type", entry), what, remedy));
        }
        if let Some((field, offset)) = self.given.iter().find(|(field, _)| field.of == other) {
            let what = format!(
                "{:?} is not supported together with \"{main_key}\"",
                field.key
            );
            return Err(Problem::new(*offset, what, "remove it"));
        }
        Ok(())
    }

    fn check_executors(&self) -> Result<(), Problem> {
        if self.executor_ids.len() > 1 && self.placement.is_none() {
            let remedy = "add \"placement\": \"each\" for a server on each of them, or \"failover\" \
                          for one that moves to the next when its executor is lost";
            let what =
                "\"executors\" names several, and \"placement\" does not say what that means";
            return Err(Problem::new(self.place_of("executors", 0), what, remedy));
        }
        Ok(())
    }

    fn server(&mut self, entry: usize) -> Result<ServerKind, Problem> {
        if let Some(url) = self.url.take() {
            let server = HttpServer {
                url,
                headers: std::mem::take(&mut self.headers),
            };
            return Ok(match self.transport {
                Some(Transport::Sse) => ServerKind::Sse(server),
                _ => ServerKind::Http(server),
            });
        }
        let mut args = std::mem::take(&mut self.args_of_command);
        if let Some(more) = self.args.take().filter(|more| !more.is_empty()) {
            if !args.is_empty() {
                let what = "\"args\" is given, and \"command\" holds arguments too";
                let remedy = "write the program alone in \"command\"";
                return Err(Problem::new(self.place_of("args", entry), what, remedy));
            }
            args = more;
        }
        Ok(ServerKind::Stdio(Command {
            command: self.command.take().unwrap_or_default(),
            args,
            env: std::mem::take(&mut self.env),
            inherit_env: std::mem::take(&mut self.inherit_env),
            cwd: self.cwd.take(),
        }))
    }
}
