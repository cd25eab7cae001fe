//! Two drivers, calls both ways, a pipe that cuts and delays as it likes: every call has one outcome, and
//! it is its own.

mod plan;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_proto::{ErrorObject, Notification, Request, error_object};
use proptest::prelude::*;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use self::plan::{Call, Deed, Patience, Plan, plan};
use super::choppy::Choppy;
use crate::{
    Answer, CloseReason, DriverOptions, Handler, Noise, Peer, RequestOptions, RpcError, connect,
};

/// Does the deeds, and notes which it was asked for.
#[derive(Default)]
struct Doer {
    asked: Mutex<HashMap<usize, usize>>,
    running: Arc<AtomicUsize>,
    noise: AtomicUsize,
}

struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Handler for Doer {
    fn request(&self, request: Request, _: &Peer) -> Answer {
        let params = request.params.unwrap();
        let [tag, time, _]: [usize; 3] = params.decode().unwrap();
        *self.asked.lock().unwrap().entry(tag).or_default() += 1;
        let time = Duration::from_millis(time as u64);
        self.running.fetch_add(1, Ordering::SeqCst);
        let running = Running(self.running.clone());
        match &*request.method {
            "now" => Answer::Now(Ok(params)),
            "fail" => Answer::Now(Err(ErrorObject::new(7, tag.to_string()))),
            "panic" => panic!("as asked"),
            method => {
                let panics = method == "panic-later";
                Answer::later(async move {
                    let _running = running;
                    sleep(time).await;
                    assert!(!panics, "as asked");
                    Ok(params)
                })
            }
        }
    }

    fn notification(&self, _: Notification, _: &Peer) {}

    fn noise(&self, noise: Noise<'_>) {
        // An answer may cross a cancellation; a line that is no message cannot be.
        if !matches!(noise, Noise::Stray(_)) {
            self.noise.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// The call's parameters; the padding is made of digits, so that they are three numbers.
fn params(tag: usize, call: &Call) -> String {
    let time = match call.deed {
        Deed::Later(time) | Deed::PanicLater(time) => time,
        _ => 0,
    };
    let padding = " ".repeat(call.padding);
    format!("[{tag},{time},{padding}0]")
}

/// Whether the handler was certainly asked.
async fn make(peer: Peer, tag: usize, call: Call, end: Option<u64>) -> bool {
    let begin = Instant::now();
    sleep(Duration::from_millis(call.at)).await;
    let sent = Instant::now();
    let method = match call.deed {
        Deed::Now => "now",
        Deed::Later(_) => "later",
        Deed::Fail => "fail",
        Deed::Panic => "panic",
        Deed::PanicLater(_) => "panic-later",
    };
    let text = params(tag, &call);
    let mut options = RequestOptions::default();
    let mut leaves = Duration::from_secs(3600);
    match call.patience {
        Patience::Endless => {}
        Patience::Deadline(time) => {
            options.deadline = Some((sent + Duration::from_millis(time)).into_std());
        }
        Patience::GoesAway(time) => leaves = Duration::from_millis(time),
    }
    let request = peer.request(method, |out, _| out.extend(text.bytes()), options);
    let outcome = timeout(leaves, request).await;
    let took = sent.elapsed().as_millis() as u64;
    match (outcome, call.deed, call.patience) {
        (Ok(Ok(result)), Deed::Now | Deed::Later(_), _) => {
            assert_eq!(result.get(), text);
            true
        }
        (Ok(Err(RpcError::Error(error))), Deed::Fail, _) => {
            assert_eq!((error.code, &*error.message), (7, &*tag.to_string()));
            true
        }
        (Ok(Err(RpcError::Error(error))), Deed::Panic | Deed::PanicLater(_), _) => {
            assert_eq!(error.code, error_object::INTERNAL_ERROR);
            true
        }
        (Ok(Err(RpcError::Timeout)), _, Patience::Deadline(time)) => {
            assert!((time..=time + 1).contains(&took), "{took} of {time}");
            false
        }
        (Ok(Err(RpcError::Closed(_))), ..) => {
            let now = begin.elapsed().as_millis() as u64;
            assert!(end.is_some_and(|end| now >= end), "closed too early");
            false
        }
        (Err(_), _, Patience::GoesAway(_)) => false,
        (outcome, ..) => panic!("{call:?}: {outcome:?} after {took} ms"),
    }
}

struct Side {
    peer: Peer,
    doer: Arc<Doer>,
    driver: JoinHandle<CloseReason>,
}

impl Side {
    fn start(stream: tokio::io::DuplexStream, cuts: &[Vec<(usize, u64)>]) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        let doer = Arc::new(Doer::default());
        let (peer, driver) = connect(
            Choppy::new(reader, cuts[0].clone()),
            Choppy::new(writer, cuts[1].clone()),
            doer.clone(),
            DriverOptions {
                // However slow the pipe is, no line is cut off.
                flush: Duration::from_secs(3600),
                ..DriverOptions::default()
            },
        );
        Side {
            peer,
            doer,
            driver: tokio::spawn(driver),
        }
    }
}

async fn carry_out(plan: Plan) {
    let (left, right) = tokio::io::duplex(plan.pipe);
    let left = Side::start(left, &plan.cuts[..2]);
    let right = Side::start(right, &plan.cuts[2..]);
    let end = plan.end.map(|(_, at)| at);
    let mut calls = Vec::new();
    for (tag, call) in plan.calls.iter().cloned().enumerate() {
        let (own, other) = match call.from_left {
            true => (&left, &right),
            false => (&right, &left),
        };
        let make = make(own.peer.clone(), tag, call, end);
        calls.push((tag, other.doer.clone(), tokio::spawn(make)));
    }
    if let Some((by_left, at)) = plan.end {
        sleep(Duration::from_millis(at)).await;
        if by_left { &left } else { &right }.peer.close();
    }
    for (tag, doer, call) in calls {
        let was_asked = call.await.unwrap();
        let asked = doer.asked.lock().unwrap().get(&tag).copied().unwrap_or(0);
        assert!(
            asked <= 1 && (asked == 1 || !was_asked),
            "asked {asked} times"
        );
    }
    if plan.end.is_none() {
        // Until the last cancellation has arrived, a byte at a time.
        sleep(Duration::from_secs(3600)).await;
        for side in [&left, &right] {
            let state = side.peer.shared.lock();
            assert_eq!(state.conversation.waiting(), 0);
            assert_eq!(state.conversation.serving(), 0);
            assert_eq!(side.doer.running.load(Ordering::SeqCst), 0);
        }
        left.peer.close();
    }
    let reasons = [left.driver.await.unwrap(), right.driver.await.unwrap()];
    for side in [&left.doer, &right.doer] {
        assert_eq!(side.noise.load(Ordering::SeqCst), 0);
        assert_eq!(side.running.load(Ordering::SeqCst), 0, "a task is left");
    }
    let (closer, other) = match plan.end {
        Some((false, _)) => (&reasons[1], &reasons[0]),
        _ => (&reasons[0], &reasons[1]),
    };
    assert!(matches!(closer, CloseReason::Local), "{closer}");
    // It may have been writing just then.
    let saw_the_end = matches!(other, CloseReason::Eof | CloseReason::Write(_));
    assert!(saw_the_end, "{other}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_call_has_one_outcome_and_it_is_its_own(plan in plan()) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let done = async { timeout(Duration::from_secs(4 * 3600), carry_out(plan)).await };
        assert!(runtime.block_on(done).is_ok(), "somebody waits for ever");
    }
}
