//! Many servers: each a [`Connection`] with its life, and the [`Manager`] that knows them all.
//!
//! Starting never waits for a server: handles exist at once, discovery goes on behind them, and what
//! is known is told by [`Manager::health`] and in words by [`render_status_lines`]. One server that
//! hangs, crashes or lies costs the others nothing.

mod cause;
mod changes;
mod connection;
mod generation;
mod health;
mod manager;
mod metadata_cache;
mod options;
mod status;
mod tool_error;

pub use cause::Cause;
pub use connection::{Connection, ConnectionState};
pub use generation::Generation;
pub use health::{ListOutcome, Observation, ServerHealth, ServerState, ToolsSource, assess};
pub use manager::Manager;
/// What calls are made of and lists consist of, so that a host needs this crate alone.
pub use mcp_client::{CallOptions, DiscoveredTool, Params, ProgressSink, ToolCall};
pub use metadata_cache::{CacheError, CachedLists, MetadataCache, RecordError};
pub use options::{
    DEFAULT_STARTUP_TIMEOUT, DEFAULT_TOOL_TIMEOUT, ManagerOptions, READY_TIMEOUT, RESET_AFTER,
    Redact, StderrSinks,
};
pub use status::{format_server_line, printable, render_status_lines, summary_line};
pub use tool_error::{ErrorCode, ErrorKind, ToolError};
