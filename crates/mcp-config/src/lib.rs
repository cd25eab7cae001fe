//! Configuration files to server definitions: parsing, layering, trust, validation, diagnostics.
//!
//! A file is JSON with comments and trailing commas, and holds the `mcpServers` object that other
//! hosts write, so that their entries work as they are. A file that cannot be read at all is a
//! [`ConfigError`]. Anything wrong inside one entry holds that entry alone: it is listed with its
//! line, the reason and the remedy, and the others load.
//!
//! [`Configuration::read`] lays a project's file over the user's, as far as it is trusted by a
//! [`TrustStore`]. [`Configuration::expand`] then fills in what entries ask for, such as `${TOKEN}`,
//! from an [`Expander`] that the caller has. [`load`] does without both.
//!
//! Nothing here reads the environment, looks for a home folder or starts a program: all of that
//! comes in, as a [`Context`] and an [`Expander`]. No value of `env`, `headers`, `args` or `url`
//! ever stands in an error, a warning or a `Debug` form; [`Untrusted::brings`] alone shows what a
//! stranger's file says, to the person who is to trust it.

mod blueprint;
mod building;
mod canonical;
mod command_line;
mod configuration;
mod context;
mod defaults;
mod document;
mod draft;
mod dump;
mod duration;
mod edit;
mod entry;
mod env_file;
mod error;
mod expander;
mod explain;
mod field;
mod files;
mod foreign_key;
mod held;
mod layer;
mod layers;
mod loaded;
mod merged;
mod near_miss;
mod node;
mod paths;
mod position;
mod private_file;
mod problem;
mod schema;
mod secrets;
mod shape;
mod shown;
mod source;
mod template;
mod text;
mod tool_patterns;
mod top_level;
mod trust_store;
mod untrusted;
mod value_file;
mod warning;

pub use configuration::{Configuration, ExpandedServer};
pub use context::Context;
pub use defaults::Defaults;
pub use edit::{EditError, add_server, remove_server};
pub use error::ConfigError;
pub use expander::{COMMAND_TIMEOUT, Expander, MAX_VALUE_BYTES, Variables};
pub use explain::{EntryState, ExplainedField, Explanation, FieldOrigin};
pub use held::Held;
pub use layer::Place;
pub use layers::Layers;
pub use loaded::{Loaded, load, parse};
pub use position::Position;
pub use private_file::{write_keeping_mode, write_private};
pub use schema::schema;
pub use secrets::Secrets;
pub use trust_store::{TrustError, TrustStore, Trusted};
pub use untrusted::Untrusted;
pub use warning::Warning;

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;
