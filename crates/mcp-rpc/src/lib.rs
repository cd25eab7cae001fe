//! One JSON-RPC conversation, either side: a pure core and a thin tokio driver.
//!
//! [`Conversation`] pairs requests and responses and knows neither clock nor I/O. [`connect`] puts it
//! between a reader and a writer: the [`Peer`] sends, the [`Driver`] is the one task of a conversation,
//! and a [`Handler`] answers what the other side asks.

mod conversation;
mod driver;
mod error;
mod handler;
mod outbox;
mod peer;
mod pending;

pub use conversation::{Conversation, Event, Expired};
pub use driver::{Driver, DriverOptions, connect};
pub use error::{CloseReason, RpcError};
pub use handler::{Answer, Handler, Noise};
pub use outbox::Dropped;
pub use peer::Peer;
pub use pending::{Pending, ProgressSink, RequestOptions};
