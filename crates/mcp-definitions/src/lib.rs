//! What is wanted, as plain data: which servers, where, shared how, and within which limits.
//!
//! Configuration files, plugins and hosts all hand in the same [`ServerDefinition`]. A
//! [`ServerSet`] is made of them, and making it is the one place that rejects duplicates; whoever
//! takes a `ServerSet` need not check again. Nothing here reads a file, the environment or a clock.

mod command;
mod digest;
mod executor_name;
mod glob;
mod hash_key;
mod http_server;
mod identity;
mod lifecycle;
mod list_limits;
mod placement;
mod plugin;
mod redaction;
mod server_definition;
mod server_id;
mod server_kind;
mod server_set;
mod sharing;
mod sharing_key;
mod tool_filter;

pub use command::Command;
pub use digest::{Digest, DigestError};
pub use executor_name::{ExecutorName, ExecutorNameError};
pub use hash_key::{HashKey, HashKeyError};
pub use http_server::HttpServer;
pub use identity::Identity;
pub use lifecycle::Lifecycle;
pub use list_limits::ListLimits;
pub use placement::Placement;
pub use plugin::Plugin;
pub use server_definition::ServerDefinition;
pub use server_id::{ServerId, ServerIdError};
pub use server_kind::ServerKind;
pub use server_set::{ServerSet, ServerSetError};
pub use sharing::Sharing;
pub use sharing_key::SharingKey;
pub use tool_filter::ToolFilter;
