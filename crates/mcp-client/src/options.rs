//! How a client behaves, with the defaults in one place.

use std::time::Duration;

use mcp_proto::capabilities::ClientCapabilities;
use mcp_proto::lifecycle::Implementation;

use crate::Era;

/// How long a request may take when nobody says otherwise. The only place that knows the number.
pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How a client behaves.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    /// Who we are towards the server.
    pub client_info: Implementation,
    /// What we offer the server. What is not offered is refused at once when it is asked for.
    pub capabilities: ClientCapabilities,
    /// The longest a request may take; zero is [`DEFAULT_REQUEST_TIMEOUT`]. A call brings its own.
    pub request_timeout: Duration,
    /// How long the era probe waits.
    pub probe: ProbeTimes,
    /// The era that the server is known to speak: its handshake is tried first.
    pub era: Option<Era>,
    /// How much of a list is read.
    pub list_limits: ListLimits,
    /// What a caller can do while the server is not ready, in a whole sentence.
    pub not_ready_advice: Option<String>,
}

impl ClientOptions {
    /// The defaults, for a client of this name and version.
    pub fn new(client_info: Implementation) -> Self {
        ClientOptions {
            client_info,
            capabilities: ClientCapabilities::default(),
            request_timeout: Duration::ZERO,
            probe: ProbeTimes::default(),
            era: None,
            list_limits: ListLimits::default(),
            not_ready_advice: None,
        }
    }

    /// Puts the fallback in where no request timeout was given.
    pub(crate) fn resolve(mut self) -> Self {
        if self.request_timeout.is_zero() {
            self.request_timeout = DEFAULT_REQUEST_TIMEOUT;
        }
        self
    }
}

/// How long the era probe waits before `initialize` is sent on the same pipe. A server that is slow to
/// start says nothing at all; one that is up and ignores the probe has printed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeTimes {
    /// After the first output, on whichever stream.
    pub after_output: Duration,
    /// At most.
    pub at_most: Duration,
}

impl Default for ProbeTimes {
    fn default() -> Self {
        ProbeTimes {
            after_output: Duration::from_secs(3),
            at_most: Duration::from_secs(6),
        }
    }
}

/// How much of one list is read over all its pages. Beyond it the list is an error, never cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListLimits {
    /// Most pages.
    pub max_pages: usize,
    /// Most items.
    pub max_items: usize,
    /// Most bytes of JSON.
    pub max_bytes: usize,
}

impl Default for ListLimits {
    fn default() -> Self {
        ListLimits {
            max_pages: 20,
            max_items: 50_000,
            max_bytes: 64 * 1024 * 1024,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_mcp_client_defaults() {
        let options = ClientOptions::new(Implementation::new("host", "1"));
        assert_eq!(
            options.clone().resolve().request_timeout,
            DEFAULT_REQUEST_TIMEOUT
        );
        let given = ClientOptions {
            request_timeout: Duration::from_millis(5),
            ..options
        };
        assert_eq!(given.resolve().request_timeout, Duration::from_millis(5));
    }
}
