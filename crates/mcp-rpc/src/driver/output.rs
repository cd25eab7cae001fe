//! The writing half: one buffer of whole lines, and the limit for an other side that reads nothing.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::AsyncWrite;
use tokio::time::{Sleep, sleep};

use crate::CloseReason;
use crate::peer::Shared;

/// How often what was queued meanwhile is taken in one poll: reading and deadlines must have their turn
/// too, however fast it is written.
const TAKES: usize = 16;

/// A burst must not keep its memory for ever.
const KEPT: usize = 1024 * 1024;

/// Writes what is queued.
pub(super) struct Output<W> {
    writer: W,
    buffer: Vec<u8>,
    written: usize,
    limit: Option<Duration>,
    /// Rings when the other side has read nothing for too long. Kept while it is not needed.
    alarm: Option<Pin<Box<Sleep>>>,
    is_stalled: bool,
}

impl<W: AsyncWrite + Unpin> Output<W> {
    pub(super) fn new(writer: W, limit: Option<Duration>) -> Self {
        Output {
            writer,
            buffer: Vec::new(),
            written: 0,
            limit,
            alarm: None,
            is_stalled: false,
        }
    }

    /// Writes what is queued; ready when everything is written, or when nothing more can be.
    pub(super) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        shared: &Shared,
    ) -> Poll<Result<(), CloseReason>> {
        match self.poll_lines(cx, shared) {
            Poll::Ready(Ok(())) => {
                self.is_stalled = false;
                Poll::Ready(Ok(()))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(CloseReason::Write(Arc::new(error)))),
            Poll::Pending => self.poll_limit(cx).map(Err),
        }
    }

    fn poll_lines(&mut self, cx: &mut Context<'_>, shared: &Shared) -> Poll<io::Result<()>> {
        let mut takes = TAKES;
        loop {
            if self.written == self.buffer.len() {
                if takes == 0 {
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                takes -= 1;
                self.take(shared);
                if self.buffer.is_empty() {
                    return Pin::new(&mut self.writer).poll_flush(cx);
                }
            }
            let unwritten = &self.buffer[self.written..];
            match std::task::ready!(Pin::new(&mut self.writer).poll_write(cx, unwritten)) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(count) => {
                    self.written += count;
                    self.is_stalled = false;
                }
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn take(&mut self, shared: &Shared) {
        self.buffer.clear();
        self.written = 0;
        if self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
        }
        let was_full = shared.lock().outbox.take(&mut self.buffer);
        if was_full {
            shared.room.notify_waiters();
        }
    }

    /// Ready when nothing was read for too long. The time begins anew with every byte that is.
    fn poll_limit(&mut self, cx: &mut Context<'_>) -> Poll<CloseReason> {
        let Some(limit) = self.limit else {
            return Poll::Pending;
        };
        let alarm = self.alarm.get_or_insert_with(|| Box::pin(sleep(limit)));
        if !self.is_stalled {
            alarm.set(sleep(limit));
            self.is_stalled = true;
        }
        std::task::ready!(alarm.as_mut().poll(cx));
        Poll::Ready(CloseReason::NotReading(limit))
    }
}
