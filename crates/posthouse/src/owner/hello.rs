//! The first line each way between a front and an owner; after it the stream carries plain MCP lines.
//!
//! Neither side minds keys that it does not know, so that the two may be of different versions.

use std::io;
use std::path::PathBuf;

use mcp_gateway::Surface;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use crate::exit::Exit;
use crate::outcome::Failure;
use crate::redaction::redacted;

/// The version of the exchange: raised only when an older side would misunderstand a newer one.
const VERSION: u32 = 1;
/// The longest first line, in bytes.
const MAX_LINE: u64 = 1024 * 1024;

/// What a front says of its session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hello {
    posthouse: u32,
    /// `mcp`, `facade` or `pass-through`.
    surface: String,
    /// The server to show as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    /// The folder that the host works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cwd: Option<PathBuf>,
}

impl Hello {
    pub(crate) fn new(surface: &Surface, cwd: Option<PathBuf>) -> Self {
        let (surface, server) = match surface {
            Surface::Mcp => ("mcp", None),
            Surface::Facade => ("facade", None),
            Surface::PassThrough(name) => ("pass-through", Some(name.clone())),
        };
        Hello {
            posthouse: VERSION,
            surface: surface.to_owned(),
            server,
            cwd,
        }
    }

    /// How the servers are to be shown, or what the owner does not understand.
    pub(crate) fn surface(&self) -> Result<Surface, Failure> {
        if self.posthouse != VERSION {
            return Err(Failure::unavailable(format!(
                "the front speaks version {} of the exchange with its owner, and the owner {VERSION}; \
                 run the same posthouse for both",
                self.posthouse
            )));
        }
        match (self.surface.as_str(), &self.server) {
            ("mcp", None) => Ok(Surface::Mcp),
            ("facade", None) => Ok(Surface::Facade),
            ("pass-through", Some(name)) => Ok(Surface::PassThrough(name.clone())),
            (other, _) => Err(Failure::usage(format!("there is no surface {other:?}"))),
        }
    }
}

/// What an owner answers to a [`Hello`], and says when it is ready to be connected to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Welcome {
    posthouse: u32,
    /// Why there is no session, in words for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// How the front is to end then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit: Option<u8>,
}

impl Welcome {
    /// Everything is well.
    pub(crate) fn yes() -> Self {
        Welcome {
            posthouse: VERSION,
            error: None,
            exit: None,
        }
    }

    /// There is no session.
    pub(crate) fn no(failure: &Failure) -> Self {
        Welcome {
            posthouse: VERSION,
            error: Some(redacted(&failure.message).into_owned()),
            exit: Some(failure.exit as u8),
        }
    }

    /// What the front makes of it.
    pub(crate) fn accept(self) -> Result<(), Failure> {
        match self.error {
            None => Ok(()),
            Some(message) if self.exit == Some(Exit::Usage as u8) => Err(Failure::usage(message)),
            Some(message) => Err(Failure::unavailable(message)),
        }
    }
}

/// Writes one line.
pub(crate) async fn write<T: Serialize>(
    writer: &mut (impl AsyncWrite + Unpin),
    value: &T,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    writer.write_all(&line).await?;
    writer.flush().await
}

/// Reads one line; what comes after it stays in the reader.
pub(crate) async fn read<T: DeserializeOwned>(
    reader: &mut (impl AsyncBufRead + Unpin),
) -> io::Result<T> {
    let mut line = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut line).await?;
    if line.is_empty() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(serde_json::from_slice(&line)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hello_reads_back_and_unknown_keys_are_ignored() {
        for surface in [
            Surface::Mcp,
            Surface::Facade,
            Surface::PassThrough("git".into()),
        ] {
            let hello = Hello::new(&surface, Some("/src".into()));
            let line = serde_json::to_string(&hello).unwrap();
            let back: Hello = serde_json::from_str(&line).unwrap();
            assert_eq!(back, hello);
            assert_eq!(back.surface().unwrap(), surface);
        }
        let newer = r#"{"posthouse":1,"surface":"mcp","view":"x","roots":[],"env":{}}"#;
        assert_eq!(
            serde_json::from_str::<Hello>(newer)
                .unwrap()
                .surface()
                .unwrap(),
            Surface::Mcp
        );
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for (line, error) in [
            (r#"{"posthouse":2,"surface":"mcp"}"#, "version 2"),
            (
                r#"{"posthouse":1,"surface":"hologram"}"#,
                "no surface \"hologram\"",
            ),
            (r#"{"posthouse":1,"surface":"pass-through"}"#, "no surface"),
        ] {
            let refused = serde_json::from_str::<Hello>(line)
                .unwrap()
                .surface()
                .unwrap_err();
            assert!(refused.message.contains(error), "{}", refused.message);
        }
    }
}
