//! The manager against every way in which servers behave, each of them played in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod ending;
mod fake;
mod host;
mod lists;
mod losses;
mod reload;
mod starting;
mod status;
