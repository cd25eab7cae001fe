//! The embedded servers: small, useful, and examples of how to write a server on `mcp-server`. They need
//! no network and no account, so that `posthouse try` shows everything with nothing installed.

use std::path::PathBuf;
use std::sync::Arc;

use mcp_server::ServerHandler;

mod clock;
mod folder;
mod note;
mod notes;
mod path_pattern;

pub(crate) use clock::clock;
pub(crate) use folder::folder;
pub(crate) use notes::notes;

/// The names of the embedded servers.
pub(crate) const NAMES: [&str; 3] = ["clock", "folder", "notes"];

/// The embedded server of that name; `root` is what `folder` shows. `None` for a name that is none of
/// [`NAMES`].
pub(crate) fn server(name: &str, root: PathBuf) -> Option<Arc<dyn ServerHandler>> {
    match name {
        "clock" => Some(Arc::new(clock())),
        "folder" => Some(Arc::new(folder(root))),
        "notes" => Some(Arc::new(notes())),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
