//! The serving half: one session with one host, both eras, and a handler trait to write servers with.
//!
//! Implement [`ServerHandler`], declare tools with [`ToolSpec`], and hand both ends of a stream to
//! [`serve()`]; `examples/server.rs` is a whole server. [`serve()`] answers handshakes, pings and discovery by
//! itself, refuses what the server did not declare, decodes the envelope of each request and no more, and
//! tells the host of lists that changed. The handler decides what a server has and does.
//!
//! The era is decided message by message (protocol.md §6): a request that names a protocol version in its
//! `_meta` is of the modern era and needs no handshake, every other one is of the legacy era. Both may be
//! spoken in one session.

mod capability_gate;
mod changes;
mod description;
mod dispatch;
mod envelope;
mod handshake;
mod intake;
mod list;
mod not_found;
mod progress;
mod reply;
mod request_context;
mod serve;
mod server_handler;
mod session;
mod stdio;
mod subscription;
mod tool_failure;
mod tool_spec;

pub use description::{CacheScope, ClientDescription, ServerDescription};
pub use list::{List, PAGE};
pub use mcp_rpc::CloseReason;
pub use not_found::{unknown_prompt, unknown_resource, unknown_tool};
pub use progress::ProgressReporter;
pub use reply::Reply;
pub use request_context::RequestContext;
pub use serve::{ServeOptions, serve};
pub use server_handler::ServerHandler;
pub use stdio::{BoxRead, BoxWrite, stdio};
pub use tool_failure::{ToolFailure, arguments};
pub use tool_spec::{ArgumentType, ToolSpec};
