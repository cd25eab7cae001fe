//! What is to be written: whole lines under one bound, with a rule per kind for when it is reached.

use std::collections::HashSet;

use mcp_proto::message::{
    write_error, write_id, write_notification, write_request, write_result, write_string,
};
use mcp_proto::notifications::Progress;
use mcp_proto::{ErrorObject, ProgressToken, Raw, RequestId, methods};

/// With so many unwritten bytes, requests and answers wait, and notifications that nothing depends on are
/// dropped. One frame may be larger: it passes when there is room for its first byte.
pub(crate) const HIGH_WATER: usize = 1024 * 1024;

/// With so many, progress and log lines are dropped: they never use up the room of answers.
const TALK_WATER: usize = HIGH_WATER / 4;

/// With so many unwritten refusals, nothing more is read: whoever asks so much must read some.
const MAX_REFUSALS: usize = 1024;

/// What was not sent because the other side reads too slowly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Notifications of progress; the next one says more.
    pub progress: u64,
    /// Other notifications: log lines first, then whatever neither protocol nor lists depend on.
    pub notifications: u64,
}

/// Lines that the driver has not taken yet.
#[derive(Default)]
pub(crate) struct Outbox {
    lines: Vec<u8>,
    /// The notifications of changes among the lines: another of the same words would say nothing more.
    changes: HashSet<Vec<u8>>,
    refusals: usize,
    dropped: Dropped,
}

/// What becomes of a notification when the other side reads too slowly.
enum Kind {
    /// Dropped early.
    Talk,
    /// Kept, but not twice.
    Change,
    /// Kept: the protocol depends on it.
    Essential,
    /// Dropped when nothing else has room either.
    Other,
}

impl Kind {
    fn of(method: &str) -> Kind {
        match method {
            methods::PROGRESS | methods::LOG_MESSAGE => Kind::Talk,
            methods::INITIALIZED
            | methods::ACKNOWLEDGED
            | methods::CANCELLED
            | methods::ELICITATION_COMPLETE
            | methods::TASK_STATUS => Kind::Essential,
            methods::RESOURCE_UPDATED => Kind::Change,
            other if other.ends_with("/list_changed") => Kind::Change,
            _ => Kind::Other,
        }
    }
}

impl Outbox {
    pub(crate) fn has_room(&self) -> bool {
        self.unwritten() < HIGH_WATER
    }

    /// In bytes.
    pub(crate) fn unwritten(&self) -> usize {
        self.lines.len()
    }

    /// Whether the other side must read before anything more of it is read.
    pub(crate) fn is_refusing_too_much(&self) -> bool {
        self.refusals >= MAX_REFUSALS
    }

    pub(crate) fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// A request. Whoever sends it has waited for room.
    pub(crate) fn request(
        &mut self,
        id: &RequestId,
        method: &str,
        params: impl FnOnce(&mut Vec<u8>),
    ) {
        let mut line = Unfinished::new(&mut self.lines);
        write_request(line.lines, id, method, params);
        line.is_whole = true;
    }

    /// An answer. Whoever sends it has waited for room.
    pub(crate) fn answer(&mut self, id: &RequestId, outcome: &Result<Raw, ErrorObject>) {
        match outcome {
            Ok(result) => write_result(&mut self.lines, id, result),
            Err(error) => write_error(&mut self.lines, Some(id), error),
        }
    }

    /// The answer to what is not served. It never waits: [`Outbox::is_refusing_too_much`] is the bound.
    pub(crate) fn refusal(&mut self, id: Option<&RequestId>, error: &ErrorObject) {
        self.refusals += 1;
        write_error(&mut self.lines, id, error);
    }

    pub(crate) fn notification(&mut self, method: &str, params: Option<&str>) {
        let (kind, start) = (Kind::of(method), self.lines.len());
        let is_dropped = match kind {
            Kind::Talk => start >= TALK_WATER,
            Kind::Other => start >= HIGH_WATER,
            Kind::Change | Kind::Essential => false,
        };
        if is_dropped {
            let count = match method {
                methods::PROGRESS => &mut self.dropped.progress,
                _ => &mut self.dropped.notifications,
            };
            *count += 1;
            return;
        }
        write_notification(&mut self.lines, method, params);
        if matches!(kind, Kind::Change) {
            let is_new = self.changes.insert(self.lines[start..].to_vec());
            // The other side will look again when it reads the first, which is later than now.
            if !is_new && start >= TALK_WATER {
                self.lines.truncate(start);
            }
        }
    }

    pub(crate) fn progress(&mut self, token: &ProgressToken, progress: &Progress) {
        match self.lines.len() < TALK_WATER {
            true => self.notification(methods::PROGRESS, Some(&progress.to_params(token))),
            false => self.dropped.progress += 1,
        }
    }

    /// Tells the other side that the answer to `id` is no longer wanted: once for a request at most, so
    /// that it needs no bound of its own.
    pub(crate) fn cancellation(&mut self, id: i64, reason: &str) {
        let mut params = br#"{"requestId":"#.to_vec();
        write_id(&mut params, &RequestId::Number(id));
        params.extend_from_slice(br#","reason":"#);
        write_string(&mut params, reason);
        params.push(b'}');
        let params = std::str::from_utf8(&params).ok();
        write_notification(&mut self.lines, methods::CANCELLED, params);
    }

    /// Takes what is to be written into `buffer`, which is empty; whether somebody may have waited for
    /// room.
    pub(crate) fn take(&mut self, buffer: &mut Vec<u8>) -> bool {
        let was_full = !self.has_room();
        self.refusals = 0;
        if !self.changes.is_empty() {
            self.changes.clear();
        }
        std::mem::swap(&mut self.lines, buffer);
        was_full
    }
}

/// A line that is taken back when whoever writes it panics: half a line would spoil the next.
struct Unfinished<'a> {
    lines: &'a mut Vec<u8>,
    start: usize,
    is_whole: bool,
}

impl<'a> Unfinished<'a> {
    fn new(lines: &'a mut Vec<u8>) -> Self {
        Unfinished {
            start: lines.len(),
            lines,
            is_whole: false,
        }
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.is_whole {
            self.lines.truncate(self.start);
        }
    }
}

#[cfg(test)]
mod tests;
