//! The configuration as resolved, without anything secret, for a file that helps to find mistakes.

use std::collections::BTreeMap;

use mcp_definitions::{ExecutorName, ServerDefinition, ServerKind};
use serde_json::{Map, Value, json};

use crate::{Loaded, shown};

impl Loaded {
    /// The configuration as it was resolved, as JSON: every server with its place, and all that was
    /// held, warned of or not trusted. Of `env` and `headers` only the names are there, of a URL
    /// its host, and an argument only when it cannot be a secret.
    pub fn dump(&self) -> String {
        let servers: Map<String, Value> = self
            .servers
            .iter()
            .map(|server| (server.id.to_string(), self.server(server)))
            .collect();
        let texts = |texts: Vec<String>| Value::from(texts);
        let value = json!({
            "files": self.files.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
            "servers": servers,
            "held": texts(self.held.iter().map(ToString::to_string).collect()),
            "untrusted": texts(self.untrusted.iter().map(ToString::to_string).collect()),
            "brokenProject": self.broken_project.as_ref().map(|error| format!("failed to {error}")),
            "warnings": texts(self.warnings.iter().map(ToString::to_string).collect()),
        });
        format!("{value:#}\n")
    }

    fn server(&self, server: &ServerDefinition) -> Value {
        let names = |map: &BTreeMap<String, String>| Value::from_iter(map.keys().cloned());
        // A program or folder may come from a variable.
        let text = |text: &str| Value::from(self.secrets.redact(text).into_owned());
        let mut object = Map::new();
        let mut put = |key: &str, value: Value| {
            object.insert(key.to_owned(), value);
        };
        put("from", self.place(&server.id).into());
        put("type", server.server.as_str().into());
        match &server.server {
            ServerKind::Stdio(command) => {
                put("command", text(&command.command));
                let args = command.args.iter().map(|it| text(shown::argument(it)));
                put("args", args.collect());
                put("env", names(&command.env));
                put("inheritEnv", command.inherit_env.clone().into());
                put("cwd", command.cwd.as_deref().map_or(Value::Null, text));
            }
            ServerKind::Http(http) | ServerKind::Sse(http) => {
                put("url", text(&http.shown_url()));
                put("headers", names(&http.headers));
            }
        }
        let executors = server.executor_ids.iter().map(ExecutorName::as_str);
        put("executors", Value::from_iter(executors));
        put("placement", server.placement.map(|it| it.as_str()).into());
        put("sharing", server.sharing.as_str().into());
        put("lifecycle", server.lifecycle.as_str().into());
        put("enabled", server.enabled.into());
        put("required", server.required.into());
        put(
            "startupTimeout",
            server.startup_timeout.map(shown::duration).into(),
        );
        put(
            "toolTimeout",
            server.tool_timeout.map(shown::duration).into(),
        );
        put(
            "idleTimeout",
            server.idle_timeout.map(shown::duration).into(),
        );
        let filter = &server.tool_filter;
        put(
            "tools",
            json!({ "include": filter.include, "exclude": filter.exclude }),
        );
        put("about", server.about.clone().into());
        Value::Object(object)
    }
}
