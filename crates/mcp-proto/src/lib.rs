//! What is said: JSON-RPC 2.0 and the MCP wire types, and line framing; no I/O, no clock.
//!
//! A message's kind is decided by the fields it has, a result's type by the method that was sent, and
//! what this version does not know is kept byte for byte. All five revisions share one set of types, a
//! superset; [`project`] leaves out what a peer's revision does not have.

mod open_enum;
mod open_struct;
mod open_union;

pub mod capabilities;
pub mod completion;
pub mod content;
pub mod elicitation;
pub mod error_object;
pub mod framing;
pub mod icon;
pub mod input;
pub mod lifecycle;
pub mod list;
pub mod logging;
pub mod message;
pub mod meta;
pub mod methods;
pub mod notifications;
mod one_or_many;
pub mod project;
pub mod prompt;
mod raw;
mod request_id;
pub mod resource;
pub mod result;
mod revision;
pub mod roots;
pub mod sampling;
pub mod shape;
pub mod task;
pub mod tool;

pub use error_object::ErrorObject;
pub use message::{DecodeError, Message, Notification, Request, Response};
pub use one_or_many::OneOrMany;
pub use raw::{Raw, RawObject};
pub use request_id::{ProgressToken, RequestId};
pub use revision::{Revision, UnknownRevision};
