//! The thin shell: one task that reads, writes and keeps the deadlines of one conversation.

mod lines;
mod options;
mod output;
mod serving;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use mcp_proto::framing::LineFramer;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, sleep_until};
use tokio_util::io::poll_read_buf;

use self::lines::Lines;
pub use self::options::DriverOptions;
use self::output::Output;
use crate::handler::Handler;
use crate::peer::Peer;
use crate::{CloseReason, RpcError};

const READ_CHUNK: usize = 64 * 1024;

/// How many messages are taken in at one poll: however fast the other side writes, ours is written and
/// deadlines are kept in between.
const WORK: usize = 256;

/// What a read costs of that, so that one endless line is interrupted too.
const READ_WORK: usize = 8;

/// How often what the other side had said is still read after it has stopped reading.
const LAST_READS: usize = 64;

/// The task of one conversation: nothing moves unless it is polled. It ends, and every waiter with it,
/// when the other side closes, when reading or writing fails, when the other side reads nothing for
/// [`DriverOptions::write_limit`], or after [`Peer::close`]; then the writer has been dropped and no task
/// of the conversation is left.
pub struct Driver<R, W, H> {
    peer: Peer,
    handler: Arc<H>,
    options: DriverOptions,
    reader: R,
    framer: LineFramer,
    output: Output<W>,
    tasks: JoinSet<()>,
    alarm: Pin<Box<Sleep>>,
    alarm_at: Option<std::time::Instant>,
    /// Runs since the other side has stopped sending.
    draining: Option<Pin<Box<Sleep>>>,
    /// Runs since we were told to close.
    closing: Option<Pin<Box<Sleep>>>,
    ended: Option<CloseReason>,
}

/// What reading has come to.
enum Reading {
    /// All that has arrived is taken in.
    Dry,
    /// More may have arrived; we are woken for it.
    Interrupted,
    /// Nothing is read until the other side has read some refusals.
    Held,
    Ended(CloseReason),
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
        output: Output::new(writer, options.write_limit),
        options,
        tasks: JoinSet::new(),
        alarm: Box::pin(sleep_until(Instant::now())),
        alarm_at: None,
        draining: None,
        closing: None,
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
        let (close_requested, mut is_held) = {
            let mut state = self.peer.shared.lock();
            state.driver = Some(cx.waker().clone());
            (state.close_requested, state.outbox.is_refusing_too_much())
        };
        if self.draining.is_none() && !is_held {
            match self.read(cx) {
                Reading::Dry | Reading::Interrupted => {}
                Reading::Held => is_held = true,
                Reading::Ended(reason) => {
                    // Those who wait for the other side fail at once; what it asked for is still served.
                    self.peer.end(&reason);
                    if !matches!(reason, CloseReason::Eof) {
                        return Poll::Ready(reason);
                    }
                    self.draining = Some(Box::pin(sleep(self.options.drain)));
                }
            }
        }
        self.poll_alarm(cx);
        self.join_finished(cx);
        let idle = match self.output.poll(cx, &self.peer.shared) {
            Poll::Ready(Ok(())) => true,
            Poll::Ready(Err(reason)) => {
                self.read_last_words(cx);
                return Poll::Ready(reason);
            }
            Poll::Pending => false,
        };
        if close_requested && (idle || is_over(&mut self.closing, self.options.flush, cx)) {
            return Poll::Ready(CloseReason::Local);
        }
        if let Some(limit) = &mut self.draining
            && ((idle && self.tasks.is_empty()) || limit.as_mut().poll(cx).is_ready())
        {
            return Poll::Ready(CloseReason::Eof);
        }
        if is_held && !self.peer.shared.lock().outbox.is_refusing_too_much() {
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }

    /// Reads and takes in what has arrived, up to a bound.
    fn read(&mut self, cx: &mut Context<'_>) -> Reading {
        let mut work = WORK;
        let mut lines = Lines {
            peer: &self.peer,
            handler: &*self.handler,
            options: &self.options,
            tasks: &mut self.tasks,
            is_held: false,
        };
        loop {
            while work > 0 && !lines.is_held {
                let Some(frame) = self.framer.next_frame() else {
                    break;
                };
                work = work.saturating_sub(lines.take(frame));
            }
            if lines.is_held {
                return Reading::Held;
            }
            if work == 0 {
                cx.waker().wake_by_ref();
                return Reading::Interrupted;
            }
            let space = self.framer.space();
            // Only what arrives is written to: clearing the room first would cost more than the read.
            space.reserve(READ_CHUNK);
            match poll_read_buf(Pin::new(&mut self.reader), cx, space) {
                Poll::Pending => return Reading::Dry,
                Poll::Ready(Err(error)) => {
                    return Reading::Ended(CloseReason::Read(Arc::new(error)));
                }
                Poll::Ready(Ok(0)) => {
                    if let Some(frame) = self.framer.finish() {
                        lines.take(frame);
                    }
                    return Reading::Ended(CloseReason::Eof);
                }
                Poll::Ready(Ok(_)) => work = work.saturating_sub(READ_WORK),
            }
        }
    }

    /// Takes in what the other side had sent before it went: it may hold answers.
    fn read_last_words(&mut self, cx: &mut Context<'_>) {
        if self.draining.is_some() {
            return;
        }
        for _ in 0..LAST_READS {
            if !matches!(self.read(cx), Reading::Interrupted) {
                return;
            }
        }
    }

    fn join_finished(&mut self, cx: &mut Context<'_>) {
        while let Poll::Ready(Some(joined)) = self.tasks.poll_join_next(cx) {
            if joined.is_err_and(|error| error.is_panic()) {
                // The request has been answered with an error.
                tracing::error!("a handler panicked while it served a request");
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
                    state.outbox.cancellation(expired.id, "no answer in time");
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

/// Whether a time, which begins with the first call, is over.
fn is_over(timer: &mut Option<Pin<Box<Sleep>>>, after: Duration, cx: &mut Context<'_>) -> bool {
    let timer = timer.get_or_insert_with(|| Box::pin(sleep(after)));
    timer.as_mut().poll(cx).is_ready()
}

#[cfg(test)]
mod tests;
