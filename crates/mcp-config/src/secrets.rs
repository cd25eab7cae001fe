//! Values that may not appear in what we write.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

use mcp_definitions::{ServerDefinition, ServerKind};

/// Values that may not appear in what we write: in logs, errors, and what a server wrote to its
/// standard error. `Debug` shows only how many there are.
///
/// Values shorter than [`Secrets::SHORTEST`], small numbers, `true` and `false` are left out:
/// striking every `1` from a text would not hide it, and would ruin the text.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secrets(BTreeSet<String>);

/// What stands in place of a secret.
const STRUCK: &str = "[redacted]";

impl Secrets {
    /// The shortest value that counts, in bytes.
    pub const SHORTEST: usize = 4;

    /// The values that a definition itself says are secret: those of headers, of variables and
    /// options that are named so, and what a URL has beside its address. Values that a file asked
    /// for elsewhere come with [`crate::ExpandedServer`], where these are included.
    pub fn of(definition: &ServerDefinition) -> Self {
        let mut secrets = Self::default();
        match &definition.server {
            ServerKind::Stdio(command) => {
                for (name, value) in &command.env {
                    if is_secret_name(name) {
                        secrets.add(value);
                    }
                }
                secrets.add_arguments(&command.args);
            }
            ServerKind::Http(server) | ServerKind::Sse(server) => {
                for (name, value) in &server.headers {
                    if !is_harmless_header(name) {
                        secrets.add_header(value);
                    }
                }
                secrets.add_url(&server.url);
            }
        }
        secrets
    }

    /// Adds a value.
    pub fn add(&mut self, value: &str) {
        // A value of several lines is seen line by line.
        for line in value.lines().map(str::trim) {
            // A port, or a number of seconds.
            let number = line.len() <= 5 && line.bytes().all(|byte| byte.is_ascii_digit());
            if line.len() >= Self::SHORTEST && !number && !matches!(line, "true" | "false") {
                self.0.insert(line.to_owned());
            }
        }
    }

    /// Adds those of another.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }

    /// The values, for whoever redacts by other means.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with every secret struck out.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found: Vec<&str> = self.iter().filter(|value| text.contains(value)).collect();
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        // One value may stand within another.
        found.sort_by_key(|value| std::cmp::Reverse(value.len()));
        let redacted = found
            .iter()
            .fold(text.to_owned(), |text, value| text.replace(value, STRUCK));
        Cow::Owned(redacted)
    }

    /// `--token x` and `--token=x`.
    fn add_arguments(&mut self, args: &[String]) {
        let mut follows = false;
        for argument in args {
            if follows && !argument.starts_with('-') {
                self.add(argument);
            }
            follows = false;
            if argument.starts_with('-') {
                match argument.split_once('=') {
                    Some((name, value)) if is_secret_name(name) => self.add(value),
                    Some(_) => {}
                    None => follows = is_secret_name(argument),
                }
            }
            if argument.contains("://") {
                self.add_url(argument);
            }
        }
    }

    fn add_header(&mut self, value: &str) {
        self.add(value);
        // `Bearer TOKEN`: the token alone too.
        if let Some((_, token)) = value.split_once(' ') {
            self.add(token);
        }
    }

    /// User, password, query and fragment; a path only as a whole, as some hosts put a token there.
    fn add_url(&mut self, url: &str) {
        let Some((_, rest)) = url.split_once("://") else {
            return;
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        if let Some((user, _)) = authority.rsplit_once('@') {
            self.add(user);
            user.split(':').for_each(|part| self.add(part));
        }
        let Some((path, after)) = rest.split_once(['?', '#']) else {
            self.add_path(rest);
            return;
        };
        self.add_path(path);
        self.add(after);
        for pair in after.split(['&', '#']) {
            if let Some((_, value)) = pair.split_once('=') {
                self.add(value);
            }
        }
    }

    /// Parts of a path that look made up by a machine.
    fn add_path(&mut self, path: &str) {
        for part in path.split('/') {
            let digits = part.bytes().filter(u8::is_ascii_digit).count();
            if part.len() >= 16 && digits >= 2 {
                self.add(part);
            }
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} not shown]", self.0.len())
    }
}

/// Words that names of secrets hold.
const SECRET_WORDS: &[&str] = &[
    "token",
    "secret",
    "pass",
    "pwd",
    "auth",
    "cred",
    "bearer",
    "cookie",
    "private",
    "pat",
    "dsn",
    "connection",
    "session",
    "signature",
];

fn is_secret_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    // `PATH` holds `pat`; a word of three letters must stand alone.
    let mut parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    parts.any(|part| {
        let is = |word: &&str| match word.len() {
            0..=3 => part == *word,
            _ => part.contains(word),
        };
        // `apiKey` too.
        part.ends_with("key") || SECRET_WORDS.iter().any(is)
    })
}

fn is_harmless_header(name: &str) -> bool {
    const HARMLESS: &[&str] = &["accept", "accept-language", "content-type", "user-agent"];
    HARMLESS.contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests;
