//! Three ways to show many servers to one host, over one [`Manager`](mcp_manager::Manager): each server
//! as it was, all of them under one roof, or one small `mcp` tool.
//!
//! A [`Gateway`] holds what the surfaces share; [`Gateway::session`] makes the handler of one host's
//! session. [`Directory`] finds and describes tools, for the `mcp` tool and for whoever shows them to
//! people.

mod directory;
mod facade_list;
mod facade_names;
mod failure;
mod forward;
mod gateway;
mod repair;
mod roster;
mod surface;
mod texts;

pub use directory::{Directory, Found, LookupError};
pub use facade_names::{MAX_NAME, facade_names};
pub use gateway::{FIRST_LIST_HOLD, Gateway, GatewayOptions, Reload, UnknownServer};
pub use roster::{Roster, RosterEntry};
pub use surface::Surface;
pub use texts::{facade_instructions, mcp_instructions, mcp_tool};
