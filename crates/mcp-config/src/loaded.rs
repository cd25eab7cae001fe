//! What comes of a configuration once every value is filled in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use mcp_definitions::{HashKey, ServerId, ServerSet};

use crate::expander::Nothing;
use crate::layer::Place;
use crate::{
    ConfigError, Configuration, Context, Defaults, Held, Layers, Secrets, TrustStore, Untrusted,
    Warning,
};

/// What comes of a configuration: the servers it defines, and what was not right in it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The user's file, as messages name it; the project's when there is no other.
    pub path: PathBuf,
    /// The servers, enabled and disabled ones, in the order of the files.
    pub servers: ServerSet,
    /// The entries that are not loaded: those that are not right, in the order of the files, then
    /// those that ask for values which cannot be had.
    pub held: Vec<Held>,
    /// What was passed over or changed, in the order of the files.
    pub warnings: Vec<Warning>,
    /// Entries of the project's file that are not used because nobody has trusted them.
    pub untrusted: Vec<Untrusted>,
    /// Why the project's file is not used at all. A reload should be refused then.
    pub broken_project: Option<Arc<ConfigError>>,
    /// What entries of the user's file get when they do not say otherwise; already part of
    /// `servers`.
    pub defaults: Defaults,
    /// What may not appear in what we write.
    pub secrets: Secrets,
    pub(crate) files: Vec<PathBuf>,
    pub(crate) places: BTreeMap<ServerId, Place>,
}

impl Loaded {
    /// The line on which a loaded server's entry begins.
    pub fn line(&self, id: &ServerId) -> Option<usize> {
        self.places.get(id).map(|place| place.line)
    }

    /// Where a loaded server's entry begins, as `path:line`.
    pub fn place(&self, id: &ServerId) -> Option<String> {
        self.places.get(id).map(ToString::to_string)
    }
}

/// Reads the file `cx.path` alone. Blocks on the file system. An entry that asks for a value is
/// held: see [`Configuration`] for giving them.
///
/// # Errors
/// When the file is broken as a whole: see [`Configuration::read`].
pub fn load(cx: &Context<'_>) -> Result<Loaded, ConfigError> {
    alone(&Layers::new().user(*cx))
}

/// Reads a text as the file `cx.path`, which is not touched. As [`load`] otherwise.
///
/// # Errors
/// As [`load`], but for reading.
pub fn parse(text: &str, cx: &Context<'_>) -> Result<Loaded, ConfigError> {
    alone(&Layers::new().user_text(text, *cx))
}

fn alone(layers: &Layers<'_>) -> Result<Loaded, ConfigError> {
    // The key is of no use without a project's file.
    let trust = TrustStore::new(HashKey::new([0; 32]));
    Ok(Configuration::read(layers, &trust)?.expand_all(&mut Nothing))
}

#[cfg(test)]
mod tests;
