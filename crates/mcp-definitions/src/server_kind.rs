//! How a server is reached.

use crate::{Command, HttpServer, Sharing};

/// How a server is reached: started here, or dialled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerKind {
    /// A command spoken to over its standard input and output.
    Stdio(Command),
    /// Streamable HTTP. Not available in this version: see [`ServerKind::unavailable`].
    Http(HttpServer),
    /// The HTTP+SSE transport of the oldest revision. Not available in this version either.
    Sse(HttpServer),
}

impl ServerKind {
    /// The transport's name as configuration files write it in `type`.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Stdio(_) => "stdio",
            Self::Http(_) => "http",
            Self::Sse(_) => "sse",
        }
    }

    /// Who shares an instance when nobody says otherwise: a command starts in somebody's folder,
    /// so it is one per folder; a URL leads to the same place from everywhere.
    pub const fn default_sharing(&self) -> Sharing {
        match self {
            Self::Stdio(_) => Sharing::Folder,
            Self::Http(_) | Self::Sse(_) => Sharing::User,
        }
    }

    /// Why this version cannot run such a server; `None` when it can.
    pub const fn unavailable(&self) -> Option<&'static str> {
        match self {
            Self::Stdio(_) => None,
            Self::Http(_) => Some("streamable HTTP is not available in this version"),
            Self::Sse(_) => Some("HTTP with SSE is not available in this version"),
        }
    }
}
