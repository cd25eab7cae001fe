//! The ways to show servers to a host.

mod actions;
mod arguments;
mod facade;
mod mcp;
mod pass_through;

pub(crate) use facade::FacadeSurface;
pub(crate) use mcp::McpSurface;
pub(crate) use pass_through::PassThrough;

/// A way to show servers to a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Surface {
    /// One small tool, `mcp`, for hosts and agents that would load every schema.
    Mcp,
    /// All servers, tools named `<server>__<tool>`.
    Facade,
    /// One server as it was, for hosts that search tools themselves.
    PassThrough(String),
}
