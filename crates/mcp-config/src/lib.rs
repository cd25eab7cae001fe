//! Configuration files to server definitions: parsing, validation, diagnostics.
//!
//! A file is JSON with comments and trailing commas, and holds the `mcpServers` object that other
//! hosts write, so that their entries work as they are. A file that cannot be read at all is a
//! [`ConfigError`]. Anything wrong inside one entry holds that entry alone: it is listed in
//! [`Loaded::held`] with its line, the reason and the remedy, and the others load.
//!
//! Nothing here reads the environment or looks for a home folder: both come in as a [`Context`].
//! No value of `env`, `headers`, `args` or `url` ever stands in an error, a warning or a `Debug`
//! form.

mod command_line;
mod context;
mod defaults;
mod document;
mod draft;
mod duration;
mod entry;
mod error;
mod expansion;
mod field;
mod foreign_key;
mod held;
mod loaded;
mod near_miss;
mod node;
mod paths;
mod position;
mod problem;
mod tool_patterns;
mod top_level;
mod warning;

pub use context::Context;
pub use defaults::Defaults;
pub use error::ConfigError;
pub use held::Held;
pub use loaded::{Loaded, load, parse};
pub use position::Position;
pub use warning::Warning;

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;
