//! The task behind a recorded process, in place of a supervisor.

use std::future::pending;

use tokio::time::{Instant, sleep_until};

use super::RecordedControl;
use crate::closing::Closing;
use crate::process::{Demand, ProcessControl, Request};
use crate::{ExitStatus, Signal, StopGrace};

pub(super) struct Driver {
    pub(super) control: ProcessControl,
    pub(super) recorded: RecordedControl,
    pub(super) grace: StopGrace,
    pub(super) closing: Closing,
}

impl Driver {
    /// Runs until the process has an exit status.
    pub(super) async fn run(mut self) {
        let status = self.until_exit().await;
        self.control.report_exit(status);
        self.control.report_end();
    }

    async fn until_exit(&mut self) -> ExitStatus {
        let killed = || ExitStatus::Signal(Signal::Kill.name().to_owned());
        let mut exit = self.recorded.exit_asked();
        let mut obeyed = Demand::Run;
        let mut kill_at: Option<Instant> = None;
        loop {
            tokio::select! {
                // An exit that a test has asked for comes before everything that follows from it.
                biased;
                Ok(status) = exit.wait_for(Option::is_some) => {
                    if let Some(status) = status.clone() {
                        return status;
                    }
                }
                request = self.closing.next_request(&mut self.control, obeyed) => match request {
                    Request::Signal(request) => {
                        let signal = request.signal;
                        self.recorded.record_signal(signal);
                        request.answer(Ok(()));
                        if signal == Signal::Kill {
                            return killed();
                        }
                    }
                    Request::Demand(demand) => {
                        obeyed = demand;
                        self.control.close_stdin();
                        self.recorded.record_demand(demand);
                        if demand == Demand::Kill {
                            return killed();
                        }
                        if !self.recorded.ignores_stop() {
                            return ExitStatus::Code(0);
                        }
                        let now = Instant::now();
                        let last = StopGrace::last_chance(now, now + self.grace.total);
                        let due = now + self.grace.stdin_close + self.grace.term;
                        kill_at = Some(due.min(last));
                    }
                },
                () = sleep_until_or_forever(kill_at) => return killed(),
            }
        }
    }
}

async fn sleep_until_or_forever(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => pending().await,
    }
}
