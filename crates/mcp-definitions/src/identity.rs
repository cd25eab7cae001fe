//! What makes one instance of a server the same server as another, as a hash.

use std::fmt;
use std::str::FromStr;

use crate::{
    Command, Digest, DigestError, ExecutorName, HashKey, HttpServer, ServerDefinition, ServerKind,
    SharingKey,
};

/// What makes one instance the same server as another: what is started or dialled, where, and for
/// whom.
///
/// A cached list belongs to an identity: another command line may offer other tools. What only
/// decides how the server is shown or run (names, filters, timeouts, lifecycle) is no part of it;
/// that is sound because lists are cached unfiltered. Neither is the id: a server that is renamed
/// is the same server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(Digest);

/// Changes when the same definition must get another identity, as when a cache is written
/// differently.
const FORMAT: &str = "1";

impl Identity {
    /// The identity of the instance of `definition`, whose values are expanded, on `executor` for
    /// `sharing`. `executor` is `None` for a server on the client's side.
    ///
    /// Only the executor it runs on counts: adding another to the list leaves this instance as it
    /// was. Values of variables that the server inherits by name do not count either.
    pub fn of(
        definition: &ServerDefinition,
        executor: Option<&ExecutorName>,
        sharing: &SharingKey,
        key: &HashKey,
    ) -> Self {
        let canonical = canonical(definition, executor, sharing);
        Self(key.digest("identity", canonical.as_bytes()))
    }

    /// The hash.
    pub const fn digest(&self) -> &Digest {
        &self.0
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Identity {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// The canonical JSON that is hashed. It holds secrets and is not kept.
fn canonical(
    definition: &ServerDefinition,
    executor: Option<&ExecutorName>,
    sharing: &SharingKey,
) -> String {
    let mut object = Object::new();
    object.text("format", FORMAT);
    object.text("type", definition.server.as_str());
    match &definition.server {
        ServerKind::Stdio(command) => of_command(&mut object, command),
        ServerKind::Http(server) | ServerKind::Sse(server) => of_url(&mut object, server),
    }
    if let Some(executor) = executor {
        object.text("executor", executor.as_str());
    }
    if let Some(plugin) = &definition.plugin {
        object.texts("plugin", [&plugin.name, &plugin.installed_at]);
    }
    match sharing {
        SharingKey::User => object.texts("sharing", ["user"]),
        SharingKey::Session(id) => object.texts("sharing", ["session", id]),
        SharingKey::Folder { cwd, roots } => {
            object.texts("sharing", ["folder", cwd]);
            object.texts("roots", roots);
        }
    }
    object.finish()
}

fn of_command(object: &mut Object, command: &Command) {
    let Command {
        command,
        args,
        env,
        inherit_env,
        cwd,
    } = command;
    object.text("command", command);
    object.texts("args", args);
    object.texts("env", env.iter().flat_map(|(name, value)| [name, value]));
    let mut names: Vec<_> = inherit_env.iter().collect();
    names.sort();
    names.dedup();
    object.texts("inheritEnv", names);
    if let Some(cwd) = cwd {
        object.text("cwd", cwd);
    }
}

fn of_url(object: &mut Object, server: &HttpServer) {
    let HttpServer { url, headers } = server;
    object.text("url", url);
    let pairs = headers.iter().flat_map(|(name, value)| [name, value]);
    object.texts("headers", pairs);
}

/// A JSON object of texts and lists of texts, written in one fixed order.
struct Object(String);

impl Object {
    fn new() -> Self {
        Self("{".to_owned())
    }

    fn text(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    fn texts<T: AsRef<str>>(&mut self, key: &str, values: impl IntoIterator<Item = T>) {
        self.key(key);
        self.0.push('[');
        for (place, value) in values.into_iter().enumerate() {
            if place > 0 {
                self.0.push(',');
            }
            self.string(value.as_ref());
        }
        self.0.push(']');
    }

    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.string(key);
        self.0.push(':');
    }

    fn string(&mut self, value: &str) {
        self.0.push('"');
        for character in value.chars() {
            match character {
                '"' | '\\' => self.0.extend(['\\', character]),
                c if c < ' ' => self.0.push_str(&format!("\\u{:04x}", u32::from(c))),
                c => self.0.push(c),
            }
        }
        self.0.push('"');
    }

    fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

#[cfg(test)]
mod tests;
