//! A process's standard output, which ends even if a descendant holds the pipe open.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::watch;
use tokio::task::coop;

use super::{Alive, BoxRead};
use crate::ExitStatus;

/// Reads `inner` until it ends, or until it is silent and the process has been gone for a while.
pub(super) struct Stdout {
    inner: BoxRead,
    /// Resolves when the linger after the exit is over; `None` once it has.
    over: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    _alive: Alive,
}

impl Stdout {
    pub(super) fn new(
        inner: BoxRead,
        mut status: watch::Receiver<Option<ExitStatus>>,
        linger: Duration,
        alive: Alive,
    ) -> Self {
        let over = async move {
            // An error means that the executor went away, after which nothing will report an exit.
            let _ = status.wait_for(Option::is_some).await;
            drop(status);
            if !linger.is_zero() {
                tokio::time::sleep(linger).await;
            }
        };
        Self {
            inner,
            over: Some(Box::pin(over)),
            _alive: alive,
        }
    }
}

impl AsyncRead for Stdout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Poll::Ready(result) = Pin::new(&mut self.inner).poll_read(cx, buf) {
            return Poll::Ready(result);
        }
        if !coop::has_budget_remaining() {
            // The runtime made the stream say "nothing" to let other tasks run, and wakes us: that
            // is not silence.
            return Poll::Pending;
        }
        if let Some(over) = &mut self.over {
            match over.as_mut().poll(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(()) => self.over = None,
            }
        }
        // Nothing was read: that is the end of the stream.
        Poll::Ready(Ok(()))
    }
}
