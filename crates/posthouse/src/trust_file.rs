//! The file that says which entries of projects' files the user has allowed.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use mcp_config::{TrustError, TrustStore, write_private};
use mcp_definitions::HashKey;

use crate::environment::Environment;
use crate::outcome::Failure;

/// The store, and where it is kept.
pub(crate) struct TrustFile {
    pub(crate) store: TrustStore,
    /// None without a home folder.
    path: Option<PathBuf>,
    /// Why what is in the file is not used.
    pub(crate) problem: Option<String>,
    /// Whether the file may be replaced: one that is only not understood may not.
    replaceable: bool,
}

impl TrustFile {
    /// Reads it. Whatever is wrong with the file, the store is one to go on with: it trusts nothing.
    pub(crate) fn read(environment: &Environment) -> Result<Self, Failure> {
        let path = environment
            .state_folder()
            .map(|folder| folder.join("trust.json"));
        let (store, problem, replaceable) = match path.as_deref().map(fs::read_to_string) {
            None => (None, None, true),
            Some(Err(error)) if error.kind() == ErrorKind::NotFound => (None, None, true),
            Some(Err(error)) => {
                let why =
                    format!("read the list of trusted servers: {error}; make it readable for you");
                (None, Some(why), false)
            }
            Some(Ok(text)) => match TrustStore::parse(&text) {
                Ok(store) => (Some(store), None, true),
                Err(error) => {
                    let replaceable = !matches!(error, TrustError::Newer(_));
                    (None, Some(error.to_string()), replaceable)
                }
            },
        };
        let problem = problem.map(|why| {
            let path = path.as_deref().unwrap_or(Path::new("")).display();
            format!("{path}: failed to {why}; until then no server of a project is trusted")
        });
        let store = match store {
            Some(store) => store,
            None => TrustStore::new(random_key().map_err(|error| {
                Failure::unavailable(format!(
                    "cannot read random bytes from /dev/urandom: {error}"
                ))
            })?),
        };
        Ok(TrustFile {
            store,
            path,
            problem,
            replaceable,
        })
    }

    /// Writes it, for its owner alone.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        let Some(path) = &self.path else {
            return Err(Failure::usage(
                "there is no home folder to keep the list of trusted servers in; set HOME or XDG_STATE_HOME",
            ));
        };
        if let Some(problem) = self.problem.as_ref().filter(|_| !self.replaceable) {
            return Err(Failure::usage(problem.clone()));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let made = DirBuilder::new().mode(0o700).recursive(true).create(folder);
        made.and_then(|()| write_private(path, &self.store.to_text()))
            .map_err(|error| {
                Failure::unavailable(format!(
                    "failed to write {}: {error}; nothing more is trusted than before",
                    path.display()
                ))
            })
    }
}

fn random_key() -> io::Result<HashKey> {
    let mut bytes = [0; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(HashKey::new(bytes))
}
