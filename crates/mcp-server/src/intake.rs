//! The end of input, made here or noticed: what a session reads from.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// A reader that ends when it is told to, and tells when it has ended.
pub(crate) struct Intake<R> {
    reader: R,
    stop: Pin<Box<WaitForCancellationFutureOwned>>,
    ended: CancellationToken,
}

impl<R> Intake<R> {
    /// Ends early when `stop` is cancelled; cancels `ended` at the end, whoever made it.
    pub(crate) fn new(reader: R, stop: CancellationToken, ended: CancellationToken) -> Self {
        Intake {
            reader,
            stop: Box::pin(stop.cancelled_owned()),
            ended,
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Intake<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.stop.as_mut().poll(cx).is_ready() {
            self.ended.cancel();
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.reader).poll_read(cx, buffer);
        let at_end = matches!(read, Poll::Ready(Ok(()))) && buffer.filled().len() == before;
        if at_end {
            self.ended.cancel();
        }
        read
    }
}
