//! The user's configuration file as something to change: its text, a backup, the new text.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use mcp_config::{
    Configuration, Context, Explanation, FieldOrigin, Layers, TrustStore, write_keeping_mode,
    write_private,
};
use mcp_definitions::HashKey;
use serde_json::Value;

use crate::environment::Environment;
use crate::outcome::Failure;
use crate::{redaction, sources};

/// The file as it is.
pub(crate) struct UserFile {
    path: PathBuf,
    folder: PathBuf,
    /// Empty when there is no file.
    pub(crate) text: String,
    exists: bool,
}

impl UserFile {
    /// Reads the file that the options name, or the user's own.
    pub(crate) fn read(config: Option<&Path>, environment: &Environment) -> Result<Self, Failure> {
        let path = sources::user_file(config, environment)?;
        let cwd = environment.cwd.as_deref().unwrap_or(Path::new(""));
        let folder = cwd.join(path.parent().unwrap_or(Path::new("")));
        let (text, exists) = match fs::read_to_string(&path) {
            Ok(text) => (text, true),
            Err(error) if error.kind() == ErrorKind::NotFound => (String::new(), false),
            Err(error) => {
                return Err(Failure::usage(format!(
                    "failed to read {}: {error}; it stays as it is",
                    path.display()
                )));
            }
        };
        Ok(UserFile {
            path,
            folder,
            text,
            exists,
        })
    }

    /// What its text is read with.
    pub(crate) fn context<'a>(&'a self, environment: &'a Environment) -> Context<'a> {
        Context {
            path: &self.path,
            folder: &self.folder,
            home: environment.home(),
        }
    }

    /// Puts another text in its place; where the old one is kept now.
    pub(crate) fn replace(&self, text: &str) -> Result<Option<PathBuf>, Failure> {
        let backup = self.exists.then(|| {
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push(".bak");
            self.path.with_file_name(name)
        });
        let written = self.write(text, backup.as_deref());
        written.map(|()| backup).map_err(|error| {
            Failure::unavailable(format!(
                "failed to write {}: {error}; it stays as it was",
                self.path.display()
            ))
        })
    }

    fn write(&self, text: &str, backup: Option<&Path>) -> io::Result<()> {
        match backup {
            // It may hold secrets, whatever the file allows.
            Some(backup) => write_private(backup, &self.text)?,
            None => DirBuilder::new()
                .mode(0o700)
                .recursive(true)
                .create(&self.folder)?,
        }
        write_keeping_mode(&self.path, text)
    }
}

/// An entry as it may be shown.
pub(crate) struct Explained {
    pub(crate) text: String,
    pub(crate) json: Value,
}

/// What a file of this text says of a server.
pub(crate) fn explained(text: &str, cx: &Context<'_>, name: &str) -> Result<Explained, Failure> {
    // No project is looked at, so that the key is of no use.
    let trust = TrustStore::new(HashKey::new([0; 32]));
    let layers = Layers::new().user_text(text, *cx);
    let configuration = Configuration::read(&layers, &trust)
        .map_err(|error| Failure::usage(format!("failed to {error}")))?;
    redaction::learn_written(configuration.outlines());
    let all = configuration.explain(Some(name));
    let found = all.iter().find(|it| it.name == name);
    Ok(Explained {
        text: found.map(told).unwrap_or_default(),
        json: found.map(Explanation::to_json).unwrap_or_default(),
    })
}

/// What the entry itself gives.
fn told(explanation: &Explanation) -> String {
    let given = explanation
        .fields
        .iter()
        .filter(|field| matches!(field.origin, FieldOrigin::Entry(_)));
    let lines: Vec<_> = given
        .map(|field| format!("  {}: {}", field.key, field.value))
        .collect();
    match lines.is_empty() {
        true => format!("  {explanation}"),
        false => lines.join("\n"),
    }
}
