//! An entry as read so far, and the definition that comes of it.

use std::collections::BTreeMap;
use std::time::Duration;

use mcp_definitions::{
    Command, ExecutorName, HttpServer, Lifecycle, Placement, ServerDefinition, ServerId,
    ServerKind, Sharing, ToolFilter,
};

use crate::blueprint::{Blueprint, Given, Texts};
use crate::field::{Field, Of};
use crate::layer::At;
use crate::node::Node;
use crate::problem::Problem;
use crate::text::Text;

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
    pub(crate) command: Option<Text>,
    /// Arguments from a `command` that is a list.
    pub(crate) args_of_command: Vec<Text>,
    pub(crate) args: Option<Vec<Text>>,
    pub(crate) env: BTreeMap<String, Text>,
    pub(crate) env_file: Option<Text>,
    pub(crate) inherit_env: Vec<String>,
    pub(crate) cwd: Option<Text>,
    pub(crate) url: Option<Text>,
    pub(crate) headers: BTreeMap<String, Text>,
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
    notes: Vec<(At, String)>,
    /// The fields that were given.
    given: Vec<Given>,
    not_yet: Option<Problem>,
}

impl Draft {
    /// Notes that a field was given.
    pub(crate) fn give(&mut self, field: &'static Field, at: At, replaced: Option<At>) {
        self.given.push(Given {
            field,
            at,
            replaced,
        });
    }

    /// Notes what is right in itself but not available in this version. It holds the entry only if
    /// the entry is enabled: a server that is switched off does not need it.
    pub(crate) fn not_yet(&mut self, problem: Problem) {
        self.not_yet.get_or_insert(problem);
    }

    /// Notes what is odd but not wrong.
    pub(crate) fn note(&mut self, note: Option<(At, String)>) {
        self.notes.extend(note);
    }

    /// What is odd but not wrong, with its place.
    pub(crate) fn take_notes(&mut self) -> Vec<(At, String)> {
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

    /// The blueprint, or the reason why there is none. `entry` is the place of the entry.
    pub(crate) fn finish(
        mut self,
        id: ServerId,
        name: &str,
        entry: At,
    ) -> Result<Blueprint, Problem> {
        self.check_transport(entry)?;
        let enabled = self.enabled.unwrap_or(true);
        let (server, texts) = self.server()?;
        if let Some(reason) = server.unavailable() {
            let remedy = "until it is, run it through a bridge that speaks stdio, for example \
                          \"command\": \"npx\", \"args\": [\"-y\", \"mcp-remote\", \"<url>\"]";
            self.not_yet(Problem::new(self.place_of("url", entry), reason, remedy));
        }
        if let Some(problem) = self.not_yet.take_if(|_| enabled) {
            return Err(problem);
        }
        self.check_executors(entry)?;
        if self.executor_ids.is_empty() {
            self.executor_ids.push(ExecutorName::local());
        }
        let definition = ServerDefinition {
            executor_ids: self.executor_ids,
            placement: self.placement,
            sharing: self.sharing.unwrap_or_else(|| server.default_sharing()),
            // A file may list many servers of which a session needs few.
            lifecycle: self.lifecycle.unwrap_or(Lifecycle::Lazy),
            tool_filter: self.tool_filter,
            required: self.required,
            enabled,
            startup_timeout: self.startup_timeout,
            tool_timeout: self.tool_timeout,
            idle_timeout: self.idle_timeout,
            about: self.about,
            not_ready_advice: self.not_ready_advice,
            curated: self.curated,
            ..ServerDefinition::new(id, server)
        };
        Ok(Blueprint {
            name: name.to_owned(),
            at: entry,
            definition,
            texts,
            given: self.given,
        })
    }

    fn find(&self, key: &str) -> Option<At> {
        let given = self.given.iter().find(|given| given.field.key == key);
        given.map(|given| given.at)
    }

    fn place_of(&self, key: &str, otherwise: At) -> At {
        self.find(key).unwrap_or(otherwise)
    }

    /// Refuses fields that do not go together: nobody could say which of them was meant.
    fn check_transport(&self, entry: At) -> Result<(), Problem> {
        let (main, other) = match (&self.command, &self.url) {
            (Some(command), Some(url)) => {
                let remedy = if command.at.layer == url.at.layer {
                    "keep \"command\" to start a server, or \"url\" to reach one that runs"
                } else {
                    "the project's entry adds to yours of the same name; rename one of them"
                };
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
        if let Some(given) = self.given.iter().find(|given| given.field.of == other) {
            let what = format!(
                "{:?} is not supported together with \"{main_key}\"",
                given.field.key
            );
            return Err(Problem::new(given.at, what, "remove it"));
        }
        Ok(())
    }

    fn check_executors(&self, entry: At) -> Result<(), Problem> {
        if self.executor_ids.len() > 1 && self.placement.is_none() {
            let remedy = "add \"placement\": \"each\" for a server on each of them, or \"failover\" \
                          for one that moves to the next when its executor is lost";
            let what =
                "\"executors\" names several, and \"placement\" does not say what that means";
            return Err(Problem::new(
                self.place_of("executors", entry),
                what,
                remedy,
            ));
        }
        Ok(())
    }

    fn server(&mut self) -> Result<(ServerKind, Texts), Problem> {
        let texts = Texts {
            args: self.arguments()?,
            command: self.command.take(),
            env: std::mem::take(&mut self.env),
            env_file: self.env_file.take(),
            cwd: self.cwd.take(),
            url: self.url.take(),
            headers: std::mem::take(&mut self.headers),
        };
        let values = |map: &BTreeMap<String, Text>| {
            map.iter()
                .map(|(name, text)| (name.clone(), text.unexpanded()))
                .collect()
        };
        let value = |text: &Option<Text>| text.as_ref().map(Text::unexpanded);
        let server = if let Some(url) = value(&texts.url) {
            let server = HttpServer {
                url,
                headers: values(&texts.headers),
            };
            match self.transport {
                Some(Transport::Sse) => ServerKind::Sse(server),
                _ => ServerKind::Http(server),
            }
        } else {
            ServerKind::Stdio(Command {
                command: value(&texts.command).unwrap_or_default(),
                args: texts.args.iter().map(Text::unexpanded).collect(),
                env: values(&texts.env),
                inherit_env: std::mem::take(&mut self.inherit_env),
                cwd: value(&texts.cwd),
            })
        };
        Ok((server, texts))
    }

    /// The arguments, from `args` or from a `command` that is a list.
    fn arguments(&mut self) -> Result<Vec<Text>, Problem> {
        let of_command = std::mem::take(&mut self.args_of_command);
        let Some(args) = self.args.take() else {
            return Ok(of_command);
        };
        if of_command.is_empty() {
            return Ok(args);
        }
        let places = (self.find("command"), self.find("args"));
        match places {
            // `args` of an upper layer replace what is below, wherever that stood.
            (Some(command), Some(at)) if at.layer > command.layer => Ok(args),
            (_, Some(at)) if !args.is_empty() => {
                let what = "\"args\" is given, and \"command\" holds arguments too";
                let remedy = "write the program alone in \"command\"";
                Err(Problem::new(at, what, remedy))
            }
            _ => Ok(of_command),
        }
    }
}
