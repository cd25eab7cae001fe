//! When the next step of a stop is due; pure arithmetic.

use std::time::Duration;

use tokio::time::Instant;

use crate::closing::KILL_WAIT;
use crate::{Signal, StopGrace};

/// How long a killed group is given even if the time for the whole stop is over.
const SHORTEST_KILL_WAIT: Duration = Duration::from_millis(200);

const SHORTEST_POLL: Duration = Duration::from_millis(5);
const LONGEST_POLL: Duration = Duration::from_millis(50);

/// What has been done to a group so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    StdinClosed,
    Terminated,
    Killed,
}

/// What has to be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    Nothing,
    Signal(Signal),
    GiveUp,
}

/// A stop under way.
#[derive(Debug)]
pub(super) struct Stopping {
    pub(super) step: Step,
    term_at: Instant,
    kill_at: Instant,
    give_up_at: Instant,
    poll: Duration,
}

impl Stopping {
    /// Standard input has been closed.
    pub(super) fn by_closing_stdin(now: Instant, grace: StopGrace) -> Self {
        let give_up_at = now + grace.total;
        let last_chance = StopGrace::last_chance(now, give_up_at);
        let term_at = (now + grace.stdin_close).min(last_chance);
        let kill_at = (term_at + grace.term).min(last_chance);
        Self {
            step: Step::StdinClosed,
            term_at,
            kill_at,
            give_up_at: give_up_at.max(kill_at + SHORTEST_KILL_WAIT),
            poll: SHORTEST_POLL,
        }
    }

    /// `TERM` has been sent, without closing standard input first.
    pub(super) fn by_term(now: Instant, grace: StopGrace) -> Self {
        let without_stdin = StopGrace {
            stdin_close: Duration::ZERO,
            ..grace
        };
        Self {
            step: Step::Terminated,
            ..Self::by_closing_stdin(now, without_stdin)
        }
    }

    /// `KILL` has been sent.
    pub(super) fn by_kill(now: Instant) -> Self {
        Self {
            step: Step::Killed,
            term_at: now,
            kill_at: now,
            give_up_at: now + KILL_WAIT,
            poll: SHORTEST_POLL,
        }
    }

    /// When to look at the group again. Each call moves it, so a poll is never early twice.
    pub(super) fn next_look(&mut self, now: Instant) -> Instant {
        let look = now + self.poll;
        self.poll = (self.poll * 2).min(LONGEST_POLL);
        look.min(self.step_ends())
    }

    /// When the current step is over.
    pub(super) fn step_ends(&self) -> Instant {
        match self.step {
            Step::StdinClosed => self.term_at,
            Step::Terminated => self.kill_at,
            Step::Killed => self.give_up_at,
        }
    }

    /// Enters the next step if this one is over, and says what to do for it.
    pub(super) fn advance(&mut self, now: Instant) -> Due {
        if now < self.step_ends() {
            return Due::Nothing;
        }
        self.poll = SHORTEST_POLL;
        let (step, due) = match self.step {
            Step::StdinClosed => (Step::Terminated, Due::Signal(Signal::Term)),
            Step::Terminated => (Step::Killed, Due::Signal(Signal::Kill)),
            Step::Killed => (Step::Killed, Due::GiveUp),
        };
        self.step = step;
        due
    }
}

impl StopGrace {
    /// The latest moment for `KILL` in a stop between two moments: its last fifth.
    pub(crate) fn last_chance(start: Instant, end: Instant) -> Instant {
        end.checked_sub(end.saturating_duration_since(start) / 5)
            .unwrap_or(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What falls due in a stop of which nobody takes notice, in milliseconds after its start.
    fn schedule(mut stopping: Stopping, start: Instant) -> Vec<(u128, Due)> {
        let mut schedule = Vec::new();
        loop {
            let now = stopping.step_ends();
            let due = stopping.advance(now);
            schedule.push(((now - start).as_millis(), due));
            if due == Due::GiveUp {
                return schedule;
            }
        }
    }

    fn grace(stdin_close: u64, term: u64, total: u64) -> StopGrace {
        StopGrace {
            stdin_close: Duration::from_millis(stdin_close),
            term: Duration::from_millis(term),
            total: Duration::from_millis(total),
        }
    }

    #[test]
    fn the_steps_follow_the_grace_and_leave_the_last_fifth_to_kill() {
        use Due::{GiveUp, Signal as Send};
        use Signal::{Kill, Term};
        let start = Instant::now();
        let stop = |grace| schedule(Stopping::by_closing_stdin(start, grace), start);
        assert_eq!(
            stop(StopGrace::default()),
            [(2000, Send(Term)), (4000, Send(Kill)), (5000, GiveUp)]
        );
        assert_eq!(
            stop(grace(9000, 2000, 5000)),
            [(4000, Send(Term)), (4000, Send(Kill)), (5000, GiveUp)]
        );
        assert_eq!(
            stop(grace(0, 0, 0)),
            [(0, Send(Term)), (0, Send(Kill)), (200, GiveUp)]
        );
        assert_eq!(
            schedule(Stopping::by_term(start, StopGrace::default()), start),
            [(2000, Send(Kill)), (5000, GiveUp)]
        );
        assert_eq!(schedule(Stopping::by_kill(start), start), [(1000, GiveUp)]);
    }

    #[test]
    fn looks_grow_rarer_but_never_pass_the_end_of_the_step() {
        let start = Instant::now();
        let mut stopping = Stopping::by_closing_stdin(start, grace(60, 60, 1000));
        let looks: Vec<_> = (0..6)
            .map(|_| (stopping.next_look(start) - start).as_millis())
            .collect();
        assert_eq!(looks, [5, 10, 20, 40, 50, 50]);
        let late = start + Duration::from_millis(50);
        assert_eq!((stopping.next_look(late) - start).as_millis(), 60);
    }
}
