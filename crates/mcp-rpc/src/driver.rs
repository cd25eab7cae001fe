//! The thin shell: one task that reads, writes and keeps the deadlines of one conversation.

mod lines;

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use mcp_proto::framing::{LineFramer, MAX_LINE};
use mcp_proto::message::{write_error, write_result};
use mcp_proto::{ErrorObject, Raw, RequestId};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep_until};
use tokio_util::io::poll_read_buf;

use self::lines::Lines;
use crate::handler::Handler;
use crate::peer::Peer;
use crate::{CloseReason, RpcError};

const READ_CHUNK: usize = 64 * 1024;

/// How a conversation is driven.
#[derive(Clone, Debug)]
pub struct DriverOptions {
    /// The longest line that is read, in bytes.
    pub max_line: usize,
    /// How many requests of the other side may be served at a time; more are refused.
    pub max_serving: usize,
    /// Whether a line that is no JSON is answered with an error, as a server does, or skipped.
    pub answer_garbage: bool,
    /// How long requests being served may go on after the other side has stopped sending.
    pub drain: Duration,
}

impl Default for DriverOptions {
    fn default() -> Self {
        DriverOptions {
            max_line: MAX_LINE,
            max_serving: 1024,
            answer_garbage: false,
            drain: Duration::ZERO,
        }
    }
}

/// The task of one conversation: nothing moves unless it is polled. It ends, and every waiter with it,
/// when the other side closes, when reading or writing fails, or after [`Peer::close`]; then the writer
/// has been dropped and no task of the conversation is left.
pub struct Driver<R, W, H> {
    peer: Peer,
    handler: Arc<H>,
    options: DriverOptions,
    reader: R,
    framer: LineFramer,
    writer: W,
    writing: Vec<u8>,
    written: usize,
    tasks: JoinSet<()>,
    alarm: Pin<Box<Sleep>>,
    alarm_at: Option<std::time::Instant>,
    draining: Option<Pin<Box<Sleep>>>,
    ended: Option<CloseReason>,
}

/// Sets up a conversation over a reader and a writer of lines.
pub fn connect<R, W, H>(
    reader: R,
    writer: W,
    handler: Arc<H>,
    options: DriverOptions,
) -> (Peer, Driver<R, W, H>)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    H: Handler,
{
    let peer = Peer::new();
    let driver = Driver {
        peer: peer.clone(),
        handler,
        reader,
        framer: LineFramer::new(options.max_line),
        options,
        writer,
        writing: Vec::new(),
        written: 0,
        tasks: JoinSet::new(),
        alarm: Box::pin(sleep_until(Instant::now())),
        alarm_at: None,
        draining: None,
        ended: None,
    };
    (peer, driver)
}

impl<R, W, H> Future for Driver<R, W, H>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    H: Handler,
{
    type Output = CloseReason;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<CloseReason> {
        let this = &mut *self;
        let reason = match &this.ended {
            Some(reason) => reason.clone(),
            None => {
                let reason = std::task::ready!(this.poll_conversation(cx));
                this.peer.end(&reason);
                this.tasks.abort_all();
                this.ended.insert(reason).clone()
            }
        };
        while std::task::ready!(this.tasks.poll_join_next(cx)).is_some() {}
        Poll::Ready(reason)
    }
}

impl<R, W, H> Drop for Driver<R, W, H> {
    fn drop(&mut self) {
        // Dropped before its end: nobody may wait for an answer that cannot come.
        self.peer.end(&CloseReason::Local);
    }
}

impl<R, W, H> Driver<R, W, H>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
    H: Handler,
{
    fn poll_conversation(&mut self, cx: &mut Context<'_>) -> Poll<CloseReason> {
        // First of all: whatever changes the state from here on wakes us again.
        let close_requested = {
            let mut state = self.peer.shared.lock();
            state.driver = Some(cx.waker().clone());
            state.close_requested
        };
        if self.draining.is_none()
            && let Poll::Ready(reason) = self.poll_read(cx)
        {
            // Those who wait for the other side fail at once; what it asked for is still served.
            self.peer.end(&reason);
            if !matches!(reason, CloseReason::Eof) {
                return Poll::Ready(reason);
            }
            self.draining = Some(Box::pin(sleep_until(Instant::now() + self.options.drain)));
        }
        self.poll_alarm(cx);
        while let Poll::Ready(Some(_)) = self.tasks.poll_join_next(cx) {}
        let idle = match self.poll_write(cx) {
            Poll::Ready(Ok(())) => true,
            Poll::Ready(Err(error)) => return Poll::Ready(CloseReason::Write(Arc::new(error))),
            Poll::Pending => false,
        };
        if close_requested && idle {
            return Poll::Ready(CloseReason::Local);
        }
        if let Some(limit) = &mut self.draining
            && ((idle && self.tasks.is_empty()) || limit.as_mut().poll(cx).is_ready())
        {
            return Poll::Ready(CloseReason::Eof);
        }
        Poll::Pending
    }

    /// Reads and handles until nothing more has arrived; ready when reading has ended.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<CloseReason> {
        loop {
            let space = self.framer.space();
            // Only what arrives is written to: clearing the room first would cost more than the read.
            space.reserve(READ_CHUNK);
            match poll_read_buf(Pin::new(&mut self.reader), cx, space) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(error)) => return Poll::Ready(CloseReason::Read(Arc::new(error))),
                Poll::Ready(Ok(read)) => {
                    let mut lines = Lines {
                        peer: &self.peer,
                        handler: &*self.handler,
                        options: &self.options,
                        tasks: &mut self.tasks,
                    };
                    while let Some(frame) = self.framer.next_frame() {
                        lines.take(frame);
                    }
                    if read == 0 {
                        if let Some(frame) = self.framer.finish() {
                            lines.take(frame);
                        }
                        return Poll::Ready(CloseReason::Eof);
                    }
                }
            }
        }
    }

    /// Writes what is queued; ready when everything is written.
    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            if self.written == self.writing.len() {
                self.writing.clear();
                self.written = 0;
                // A burst must not keep its memory for ever.
                if self.writing.capacity() > 1024 * 1024 {
                    self.writing = Vec::new();
                }
                self.peer
                    .shared
                    .lock()
                    .take_outbox(&mut self.writing, &self.peer.shared.room);
                if self.writing.is_empty() {
                    return Pin::new(&mut self.writer).poll_flush(cx);
                }
            }
            let unwritten = &self.writing[self.written..];
            match std::task::ready!(Pin::new(&mut self.writer).poll_write(cx, unwritten)) {
                Ok(0) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Ok(count) => self.written += count,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// Lets requests expire. A request whose deadline is not the earliest costs no timer.
    fn poll_alarm(&mut self, cx: &mut Context<'_>) {
        loop {
            let rings = self.alarm_at.is_some() && self.alarm.as_mut().poll(cx).is_ready();
            let (expired, next) = {
                let mut state = self.peer.shared.lock();
                let expired = match rings {
                    true => state.conversation.expire(Instant::now().into_std()),
                    false => Vec::new(),
                };
                for expired in expired
                    .iter()
                    .filter(|expired| expired.waiter.is_cancellable())
                {
                    state.write_cancelled(expired.id, "no answer in time");
                }
                (expired, state.conversation.next_deadline())
            };
            for expired in expired {
                expired.waiter.resolve(Err(RpcError::Timeout));
            }
            if next == self.alarm_at && !rings {
                return;
            }
            self.alarm_at = next;
            let Some(at) = next else { return };
            self.alarm.as_mut().reset(Instant::from_std(at));
        }
    }
}

impl Peer {
    /// Ends the conversation: whoever waits fails at once.
    fn end(&self, reason: &CloseReason) {
        let waiting = {
            let mut state = self.shared.lock();
            state.closed.get_or_insert_with(|| reason.clone());
            state.conversation.close()
        };
        self.shared.room.notify_waiters();
        for ticket in waiting {
            ticket.resolve(Err(RpcError::Closed(reason.clone())));
        }
    }

    /// Sends the answer to a request, unless it is no longer wanted.
    fn finish(&self, id: &RequestId, outcome: &Result<Raw, ErrorObject>) {
        self.shared.enqueue(|state| {
            if state.conversation.served(id) {
                match outcome {
                    Ok(result) => write_result(&mut state.outbox, id, result),
                    Err(error) => write_error(&mut state.outbox, Some(id), error),
                }
            }
        });
    }
}

#[cfg(test)]
mod tests;
