//! A process's standard input, which both its writer and its executor can close.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::io::AsyncWrite;

use super::Alive;

type Sink = Box<dyn AsyncWrite + Send + Unpin>;

/// The writing half of a process's standard input.
///
/// [`close`](Self::close), shutting down and dropping all close the pipe, and so does a stop,
/// wherever this has been moved; afterwards writing fails with
/// [`BrokenPipe`](io::ErrorKind::BrokenPipe).
pub struct Stdin {
    shared: SharedStdin,
    _alive: Alive,
}

impl Stdin {
    pub(super) fn new(shared: SharedStdin, alive: Alive) -> Self {
        Self {
            shared,
            _alive: alive,
        }
    }

    /// Closes the pipe: the process reads an end of file once it has read what was written. May be
    /// called again.
    pub fn close(&mut self) {
        self.shared.close();
    }

    fn poll_sink<T>(
        &self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(Pin<&mut Sink>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        let mut slot = self.shared.lock();
        let Some(sink) = slot.sink.as_mut() else {
            return Poll::Ready(Err(io::Error::new(
                io::ErrorKind::BrokenPipe,
                "the standard input of the process is closed",
            )));
        };
        let result = poll(Pin::new(sink), cx);
        // Whoever closes the pipe has to wake a writer that waits for room in it: dropping the
        // sink alone would leave that task asleep for ever.
        slot.blocked_writer = result.is_pending().then(|| cx.waker().clone());
        result
    }
}

impl AsyncWrite for Stdin {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_sink(cx, |sink, cx| sink.poll_write(cx, buf))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_sink(cx, |sink, cx| sink.poll_write_vectored(cx, bufs))
    }

    fn is_write_vectored(&self) -> bool {
        let slot = self.shared.lock();
        slot.sink.as_ref().is_some_and(|s| s.is_write_vectored())
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_sink(cx, |sink, cx| sink.poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.shared.close();
        Poll::Ready(Ok(()))
    }
}

impl Drop for Stdin {
    fn drop(&mut self) {
        self.shared.close();
    }
}

impl fmt::Debug for Stdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stdin").field(&self.shared).finish()
    }
}

/// The sink itself, shared between the writer and the executor. The lock is held for one poll.
#[derive(Clone)]
pub(super) struct SharedStdin(Arc<Mutex<Slot>>);

struct Slot {
    sink: Option<Sink>,
    blocked_writer: Option<Waker>,
}

impl SharedStdin {
    pub(super) fn new(sink: Sink) -> Self {
        Self(Arc::new(Mutex::new(Slot {
            sink: Some(sink),
            blocked_writer: None,
        })))
    }

    pub(super) fn close(&self) {
        let (sink, writer) = {
            let mut slot = self.lock();
            (slot.sink.take(), slot.blocked_writer.take())
        };
        // Both run foreign code, so outside the lock.
        drop(sink);
        if let Some(writer) = writer {
            writer.wake();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedStdin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.lock().sink {
            Some(_) => "open",
            None => "closed",
        })
    }
}
