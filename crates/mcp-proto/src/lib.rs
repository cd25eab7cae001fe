//! What is said: JSON-RPC 2.0 and the MCP wire types, and line framing; no I/O, no clock.
//!
//! A message's kind is decided by the fields it has, a result's type by the method that was sent, and
//! what this version does not know is kept byte for byte. Typed are the revisions 2025-11-25 and
//! 2026-07-28; older ones are accepted and use the types of 2025-11-25.

mod open_enum;
mod open_struct;

pub mod capabilities;
pub mod content;
pub mod error_object;
pub mod framing;
pub mod lifecycle;
pub mod list;
pub mod message;
pub mod meta;
pub mod methods;
pub mod notifications;
pub mod project;
pub mod prompt;
mod raw;
mod request_id;
pub mod resource;
mod revision;
pub mod tool;

pub use error_object::ErrorObject;
pub use message::{DecodeError, Message, Notification, Request, Response};
pub use raw::{Raw, RawObject};
pub use request_id::{ProgressToken, RequestId};
pub use revision::{Revision, UnknownRevision};
