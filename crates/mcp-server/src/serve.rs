//! One session: the conversation with a host, and the changes it is told of.

use std::sync::Arc;
use std::time::Duration;

use mcp_rpc::{CloseReason, DriverOptions};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::ServerHandler;
use crate::intake::Intake;
use crate::session::Session;

/// How a session is served.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The longest line that a host may send, in bytes; a longer one is thrown away and refused.
    pub max_line: usize,
    /// How long requests may still run after the host has stopped sending.
    pub drain: Duration,
    /// Ends the session from our side when cancelled, as the end of input would: subscriptions end with
    /// their result, what runs is given [`drain`](ServeOptions::drain).
    pub stop: CancellationToken,
    /// Cancelled by the session when its input has ended; what runs is then given
    /// [`drain`](ServeOptions::drain).
    pub input_ended: CancellationToken,
}

impl Default for ServeOptions {
    fn default() -> Self {
        ServeOptions {
            max_line: 8 * 1024 * 1024,
            drain: Duration::from_secs(2),
            stop: CancellationToken::new(),
            input_ended: CancellationToken::new(),
        }
    }
}

/// Serves one session over a stream of lines, until the host closes its end, reading or writing fails, or
/// [`ServeOptions::stop`] is cancelled. Then nothing of the session is left. Nothing happens unless the
/// future is polled, and dropping it ends the session with everything that runs in it.
pub async fn serve<R, W>(
    handler: Arc<dyn ServerHandler>,
    reader: R,
    writer: W,
    options: ServeOptions,
) -> CloseReason
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let ServeOptions {
        max_line,
        drain,
        stop,
        input_ended,
    } = options;
    let session = Arc::new(Session::new(handler, input_ended.clone()));
    let reader = Intake::new(reader, stop.clone(), input_ended);
    let driver_options = DriverOptions {
        max_line,
        drain,
        answer_garbage: true,
        // A host that was suspended must find its session again: most never open a second one.
        write_limit: None,
        ..DriverOptions::default()
    };
    let (peer, driver) = mcp_rpc::connect(reader, writer, session.clone(), driver_options);
    let reason = tokio::select! {
        reason = driver => reason,
        never = session.announce_changes(&peer) => match never {},
    };
    match reason {
        CloseReason::Eof if stop.is_cancelled() => CloseReason::Local,
        reason => reason,
    }
}
