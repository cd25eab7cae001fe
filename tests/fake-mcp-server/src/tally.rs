//! What the server has received so far, as the tool `count` reports it.

use std::collections::BTreeMap;

use serde_json::json;

use crate::message::Message;

/// What the server has received so far.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Requests and notifications by method.
    received: BTreeMap<String, u64>,
    /// `tools/call` by the tool's name.
    calls: BTreeMap<String, u64>,
    /// The request ids of `notifications/cancelled`, as JSON text.
    cancelled: Vec<String>,
}

impl Tally {
    pub(crate) fn new() -> Tally {
        // The two that tests ask for are there from the start, so that none reads 0.
        let zero = |method: &str| (method.to_owned(), 0);
        Tally {
            received: ["tools/call", "tools/list"].map(zero).into(),
            calls: BTreeMap::new(),
            cancelled: Vec::new(),
        }
    }

    pub(crate) fn note(&mut self, message: &Message) {
        let Some(method) = &message.method else {
            return;
        };
        *self.received.entry(method.clone()).or_default() += 1;
        if method == "tools/call" {
            let name = message.text("name").unwrap_or_default();
            *self.calls.entry(name).or_default() += 1;
        }
        if method == "notifications/cancelled" {
            self.cancelled
                .extend(message.raw("requestId").map(str::to_owned));
        }
    }

    /// `{"received":{method:n},"calls":{tool:n},"cancelled":[id],"grandchildren":[pid]}`
    pub(crate) fn report(&self, grandchildren: &[u32]) -> String {
        let received = json!(self.received);
        let calls = json!(self.calls);
        let cancelled = self.cancelled.join(",");
        let grandchildren = json!(grandchildren);
        format!(
            r#"{{"received":{received},"calls":{calls},"cancelled":[{cancelled}],"grandchildren":{grandchildren}}}"#
        )
    }
}
