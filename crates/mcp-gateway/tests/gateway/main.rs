//! A gateway as a host sees it: literal lines in, over servers that behave or misbehave in memory.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod facade;
mod first_list;
mod host;
mod mcp_calls;
mod mcp_tool;
mod pass_through;
mod reload;
mod world;
