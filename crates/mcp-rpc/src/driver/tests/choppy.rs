//! A stream that reads and writes in pieces, with pauses in between.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Goes through its cuts over and over: at most so many bytes, then a pause of so many milliseconds.
pub(super) struct Choppy<T> {
    inner: T,
    cuts: Vec<(usize, u64)>,
    next: usize,
    pause: Option<Pin<Box<Sleep>>>,
}

impl<T> Choppy<T> {
    pub(super) fn new(inner: T, cuts: Vec<(usize, u64)>) -> Self {
        Choppy {
            inner,
            cuts,
            next: 0,
            pause: None,
        }
    }

    /// How many bytes the next piece may have.
    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        Poll::Ready(self.cuts[self.next % self.cuts.len()].0)
    }

    fn cut(&mut self) {
        let (_, pause) = self.cuts[self.next % self.cuts.len()];
        self.next += 1;
        self.pause = (pause > 0).then(|| Box::pin(sleep(Duration::from_millis(pause))));
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Choppy<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let size = ready!(self.poll_piece(cx)).min(buffer.remaining());
        let mut piece = vec![0; size];
        let mut piece = ReadBuf::new(&mut piece);
        ready!(Pin::new(&mut self.inner).poll_read(cx, &mut piece))?;
        buffer.put_slice(piece.filled());
        self.cut();
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Choppy<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let size = ready!(self.poll_piece(cx)).min(bytes.len());
        let written = ready!(Pin::new(&mut self.inner).poll_write(cx, &bytes[..size]))?;
        self.cut();
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
