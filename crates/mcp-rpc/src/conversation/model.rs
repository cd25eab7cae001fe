//! The conversation against a model of sets and maps: whatever happens in whatever order, both say the
//! same.

mod steps;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::Index;

use self::steps::{Form, Step, step};
use super::*;

/// What must be true, kept in the plainest way.
#[derive(Default)]
struct Model {
    now: u64,
    given_out: Vec<i64>,
    waiting: BTreeMap<i64, Option<u64>>,
    serving: HashMap<RequestId, u32>,
    servers: u32,
    closed: bool,
    /// How often each waiter, named as its id, has had its outcome.
    outcomes: BTreeMap<i64, u32>,
}

impl Model {
    fn id(&self, at: Index) -> i64 {
        match self.given_out.is_empty() {
            true => 1,
            false => *at.get(&self.given_out),
        }
    }

    /// Whether somebody waited for `id`, who is now done.
    fn settle(&mut self, id: i64) -> bool {
        let waited = self.waiting.remove(&id).is_some();
        if waited {
            *self.outcomes.entry(id).or_default() += 1;
        }
        waited
    }
}

struct Run {
    start: Instant,
    model: Model,
    talk: Conversation<i64, u32>,
}

fn message(text: &str) -> Message {
    Message::decode(text.as_bytes()).unwrap()
}

fn written(id: i64, form: Form) -> String {
    match form {
        Form::Number => id.to_string(),
        Form::String => format!("\"{id}\""),
    }
}

fn their_id(text: &str) -> RequestId {
    Raw::parse(text).unwrap().decode().unwrap()
}

impl Run {
    fn at(&self, moment: u64) -> Instant {
        self.start + Duration::from_secs(moment)
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Open(after) => self.open(after),
            Step::Answer(at, form, is_ok) => {
                let id = self.model.id(at);
                let outcome = match is_ok {
                    true => r#""result":{}"#,
                    false => r#""error":{"code":1,"message":"no"}"#,
                };
                let event = self.receive(&format!(r#"{{"id":{},{outcome}}}"#, written(id, form)));
                match (self.model.settle(id), event) {
                    (true, Event::Answered { waiter, outcome }) => {
                        assert_eq!((waiter, outcome.is_ok()), (id, is_ok));
                    }
                    (false, Event::Stray(_)) => {}
                    (waited, event) => panic!("waited: {waited}, but {event:?}"),
                }
            }
            Step::AnswerNobody(id) => self.expect_stray(&format!(r#"{{"id":{id},"result":{{}}}}"#)),
            Step::GiveUp(at, form) => {
                let id = self.model.id(at);
                let given_up = self.talk.give_up(&their_id(&written(id, form)));
                assert_eq!(given_up, self.model.settle(id).then_some(id));
            }
            Step::Abandon(at) => {
                let id = self.model.id(at);
                assert_eq!(self.talk.abandon(id), self.model.settle(id).then_some(id));
            }
            Step::Progress(at, form) => {
                let id = self.model.id(at);
                let token = written(id, form);
                let event = self.receive(&format!(
                    r#"{{"method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
                ));
                match (self.model.waiting.contains_key(&id), event) {
                    (true, Event::Progress { id: found, .. }) => assert_eq!(found, id),
                    (false, Event::Stray(_)) => {}
                    (waits, event) => panic!("waits: {waits}, but {event:?}"),
                }
            }
            Step::Wait(time) => self.wait(time),
            Step::Ask(id) => self.ask(id),
            Step::Served(id) => {
                let id = their_id(id);
                let wanted = self.model.serving.remove(&id).is_some();
                assert_eq!(self.talk.served(&id), wanted);
            }
            Step::Cancel(id) => {
                let event = self.receive(&format!(
                    r#"{{"method":"notifications/cancelled","params":{{"requestId":{id},"reason":7}}}}"#
                ));
                match (self.model.serving.remove(&their_id(id)), event) {
                    (Some(served), Event::Cancelled { server }) => assert_eq!(server, served),
                    (None, Event::Stray(_)) => {}
                    (served, event) => panic!("served by {served:?}, but {event:?}"),
                }
            }
            Step::CancelNothing(params) => self.expect_stray(&format!(
                r#"{{"method":"notifications/cancelled","params":{params}}}"#
            )),
            Step::Tell => assert!(matches!(
                self.receive(r#"{"method":"notifications/message"}"#),
                Event::Notification(_)
            )),
            Step::Close => self.close(),
        }
    }

    fn receive(&mut self, text: &str) -> Event<i64, u32> {
        self.talk.receive(message(text))
    }

    fn expect_stray(&mut self, text: &str) {
        let event = self.receive(text);
        assert!(matches!(event, Event::Stray(_)), "{text}: {event:?}");
    }

    fn open(&mut self, after: Option<u8>) {
        let id = self.model.given_out.len() as i64 + 1;
        let deadline = after.map(|after| self.model.now + u64::from(after));
        let opened = self.talk.open(id, deadline.map(|at| self.at(at)));
        if self.model.closed {
            return assert_eq!(opened, Err(id));
        }
        assert_eq!(opened, Ok(id));
        self.model.given_out.push(id);
        self.model.waiting.insert(id, deadline);
    }

    fn wait(&mut self, time: u8) {
        self.model.now += u64::from(time);
        let now = self.model.now;
        let over: Vec<_> = self
            .model
            .waiting
            .iter()
            .filter(|(_, deadline)| deadline.is_some_and(|deadline| deadline <= now))
            .map(|(id, _)| *id)
            .collect();
        let expired = self.talk.expire(self.at(now));
        let found: Vec<_> = expired.iter().map(|it| (it.id, it.waiter)).collect();
        assert_eq!(found, over.iter().map(|id| (*id, *id)).collect::<Vec<_>>());
        for id in over {
            self.model.settle(id);
        }
        // Just after a look the next one is exact.
        let next = self.model.waiting.values().copied().flatten().min();
        assert_eq!(self.talk.next_deadline(), next.map(|at| self.at(at)));
    }

    fn ask(&mut self, text: &str) {
        let event = self.receive(&format!(r#"{{"id":{text},"method":"ping"}}"#));
        let Event::Request(request) = event else {
            panic!("no request: {event:?}")
        };
        assert_eq!(request.id, their_id(text));
        self.model.servers += 1;
        let server = self.model.servers;
        let taken = self.talk.serve(request.id.clone(), server);
        match self.model.serving.contains_key(&request.id) {
            true => assert_eq!(taken, Err(server)),
            false => {
                assert_eq!(taken, Ok(()));
                self.model.serving.insert(request.id, server);
            }
        }
    }

    fn close(&mut self) {
        let waiting: Vec<_> = self.model.waiting.keys().copied().collect();
        assert_eq!(self.talk.close(), waiting);
        for id in waiting {
            self.model.settle(id);
        }
        self.model.closed = true;
    }

    fn check(&self) {
        let (model, talk) = (&self.model, &self.talk);
        assert_eq!(talk.serving(), model.serving.len());
        assert_eq!(talk.waiting(), model.waiting.len());
        assert_eq!(talk.is_closed(), model.closed);
        let due = model.waiting.values().copied().flatten().min();
        if let Some(due) = due {
            assert!(talk.next_deadline().is_some_and(|at| at <= self.at(due)));
        }
        for id in -1..=model.given_out.len() as i64 + 1 {
            let waits = model.waiting.contains_key(&id).then_some(&id);
            assert_eq!(talk.waiter(id), waits);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_waiter_has_one_outcome_whatever_happens(steps in proptest::collection::vec(step(), 1..80)) {
        let mut run = Run {
            start: Instant::now(),
            model: Model::default(),
            talk: Conversation::default(),
        };
        for step in &steps {
            run.take(step);
            run.check();
        }
        run.close();
        run.check();
        assert_eq!(run.talk.next_deadline(), None);
        let all = run.model.given_out.iter().map(|id| (*id, 1)).collect();
        assert_eq!(run.model.outcomes, all);
    }
}
