//! The progress of one request: under the host's token, until the answer, and never silent for long.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_proto::ProgressToken;
use mcp_proto::notifications::Progress;
use mcp_rpc::Peer;
use tokio::time::{Instant, sleep_until};

/// Hosts give up on calls that say nothing for a minute, so that one is repeated earlier (D42).
const SILENCE: Duration = Duration::from_secs(20);

/// Reports the progress of one request, for as long as it runs; clones report the same one.
#[derive(Clone)]
pub struct ProgressReporter {
    token: ProgressToken,
    peer: Peer,
    state: Arc<Mutex<State>>,
}

struct State {
    last: Option<Progress>,
    at: Instant,
    /// Nothing may be reported after the answer (protocol.md §4.10).
    is_over: bool,
}

impl ProgressReporter {
    pub(crate) fn new(token: ProgressToken, peer: Peer) -> Self {
        let state = State {
            last: None,
            at: Instant::now(),
            is_over: false,
        };
        ProgressReporter {
            token,
            peer,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Tells the host how far the request is; does nothing once it has been answered or cancelled.
    /// Every call must name a greater `progress` than the one before. Never waits: dropped when the host
    /// reads too slowly.
    pub fn report(&self, progress: Progress) {
        let mut state = self.state();
        // Sent under the lock, so that the answer cannot overtake it.
        if !state.is_over {
            self.peer.progress(&self.token, &progress);
            state.at = Instant::now();
            state.last = Some(progress);
        }
    }

    pub(crate) fn token(&self) -> &ProgressToken {
        &self.token
    }

    /// Repeats the last report, by a hair further on, whenever there was none for a while.
    pub(crate) async fn break_silence(&self) -> Infallible {
        loop {
            let due = self.state().at + SILENCE;
            if Instant::now() < due {
                sleep_until(due).await;
                continue;
            }
            let last = self.state().last.clone();
            self.report(match last {
                Some(last) => Progress {
                    progress: further(last.progress),
                    ..last
                },
                None => Progress {
                    progress: 0.0,
                    total: None,
                    message: None,
                },
            });
        }
    }

    pub(crate) fn finish(&self) {
        self.state().is_over = true;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Progress must grow with every report, and the next one of the handler must still be greater.
fn further(progress: f64) -> f64 {
    (progress + 1e-9).max(progress.next_up())
}
