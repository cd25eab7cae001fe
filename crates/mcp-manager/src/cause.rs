//! Why a server is not there, in words and with what it left behind.

use std::time::Duration;

use mcp_client::{ClientError, Ended, HandshakeError};
use workspace::ExitStatus;

use crate::ManagerOptions;
use crate::status::age;

/// Why a connection failed or was lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// The reason, as a fragment that follows a colon.
    pub text: String,
    /// How the process ended, where there was one and it has.
    pub exit: Option<ExitStatus>,
    /// The last that it wrote to standard error.
    pub stderr_tail: String,
    /// The last line it printed, on whichever stream.
    pub last_output: Option<String>,
}

impl Cause {
    /// Words for `error`, `uptime` after the start of whatever failed.
    pub(crate) fn of(error: &ClientError, uptime: Duration, last_noise: Option<String>) -> Self {
        let ended: Option<&Ended> = match error {
            ClientError::Gone(ended) | ClientError::Disconnected(ended) => Some(ended),
            ClientError::Handshake { ended, .. } => Some(ended),
            _ => None,
        };
        let uptime = age(uptime);
        let text = match error {
            ClientError::Gone(ended) | ClientError::Disconnected(ended) => {
                format!("{ended} after {uptime}")
            }
            ClientError::Handshake {
                reason: HandshakeError::Exited,
                ended,
            } => {
                format!("{ended} before the handshake, after {uptime}")
            }
            ClientError::Handshake { reason, .. } => format!("no handshake: {reason}"),
            other => other.to_string(),
        };
        let stderr_tail = ended
            .map(|ended| ended.stderr_tail.clone())
            .unwrap_or_default();
        Cause {
            text,
            exit: ended.and_then(|ended| ended.exit.clone()),
            last_output: last_line(&stderr_tail).or(last_noise),
            stderr_tail,
        }
    }

    /// Without what is secret.
    pub(crate) fn redacted(self, options: &ManagerOptions) -> Self {
        Cause {
            text: options.redacted(self.text),
            exit: self.exit,
            stderr_tail: options.redacted(self.stderr_tail),
            last_output: self.last_output.map(|line| options.redacted(line)),
        }
    }

    /// The last lines of standard error, for a message that may be long.
    pub fn stderr_lines(&self, count: usize) -> Vec<&str> {
        let lines: Vec<_> = self
            .stderr_tail
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        lines[lines.len().saturating_sub(count)..].to_vec()
    }
}

fn last_line(text: &str) -> Option<String> {
    text.lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .map(str::to_owned)
}
