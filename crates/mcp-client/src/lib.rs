//! One session with one MCP server: its transport, era probe and handshake, requests, lists and calls.
//!
//! [`Client::start`] returns as soon as the server's process runs; the handshake goes on behind it and
//! [`Client::ready`] waits for it. Which era the server speaks is found out and need not be known.
//! Nothing here retries a call, reconnects, or knows a second server: that is the manager's.

mod call;
mod client;
mod error;
mod handshake;
mod inbound;
mod list;
mod options;
mod pager;
mod params;
mod session;
mod tool_set;
mod transport;

pub use call::{CallOptions, ToolCall};
pub use client::{Client, Diagnostics};
pub use error::{ClientError, Ended};
pub use handshake::{Handshake, HandshakeError, HandshakeInput, HandshakeStep};
pub use list::ItemList;
pub use mcp_rpc::ProgressSink;
pub use options::{ClientOptions, DEFAULT_REQUEST_TIMEOUT, ListLimits, ProbeTimes};
pub use pager::{ListError, Next, Pager};
pub use params::Params;
pub use session::{Era, Session};
pub use tool_set::{DiscoveredTool, ToolSet};
pub use transport::{Channel, StdioTransport, Transport};
