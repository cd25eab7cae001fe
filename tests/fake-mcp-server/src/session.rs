//! The conversation: what the server knows of its peer and what it does about each line.

use std::collections::HashMap;
use std::future::pending;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use crate::legacy::{PING_ID, Phase};
use crate::message::Message;
use crate::modern::Listens;
use crate::outbox::Outbox;
use crate::reply::{Reply, error_response, notification, response};
use crate::tally::Tally;
use crate::{Exit, Mode, Options, big_numbers, junk, list, standard_error, tools};

/// The conversation with one peer.
pub(crate) struct Session {
    pub(crate) mode: Mode,
    pub(crate) options: Options,
    pub(crate) outbox: Outbox,
    pub(crate) tally: Tally,
    pub(crate) listens: Listens,
    pub(crate) phase: Phase,
    /// Whether `grow` was called.
    grown: bool,
    /// Mode `reverse`: the calls collected so far, by id.
    held: Vec<(String, Reply)>,
    /// Mode `ping-first`: the `initialize` that waits for the pong.
    pub(crate) awaiting_pong: Option<(String, Reply)>,
    /// Answers on their way that a cancellation stops, by id.
    cancellable: HashMap<String, AbortHandle>,
    tasks: JoinSet<()>,
}

impl Session {
    pub(crate) fn new(mode: Mode, options: Options, outbox: Outbox) -> Session {
        Session {
            mode,
            options,
            outbox,
            tally: Tally::new(),
            listens: Listens::default(),
            phase: Phase::Fresh,
            grown: false,
            held: Vec::new(),
            awaiting_pong: None,
            cancellable: HashMap::new(),
            tasks: JoinSet::new(),
        }
    }

    /// Reads and handles lines. The end is announced through the outbox, behind the answers
    /// queued so far, so this never returns by itself.
    pub(crate) async fn read_from(&mut self, reader: impl AsyncRead + Unpin) -> Exit {
        standard_error::flood(self.options.stderr_bytes);
        match self.mode {
            Mode::ExitAtOnce => {
                standard_error::print("fake-mcp-server: cannot start: the mode says so");
                self.outbox.exit(Exit::Code(3));
                return pending().await;
            }
            Mode::Junk | Mode::JunkFirst => self.outbox.bytes(junk::FIRST),
            _ => {}
        }

        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while let Ok(1..) = reader.read_until(b'\n', &mut line).await {
            self.handle(String::from_utf8_lossy(&line).trim());
            line.clear();
        }

        match self.mode {
            Mode::Stubborn => {}
            Mode::SlowDrain => {
                sleep(self.options.delay(self.mode)).await;
                self.outbox.exit(Exit::Closed);
            }
            _ => self.outbox.exit(Exit::Closed),
        }
        pending().await
    }

    fn handle(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        if self.mode == Mode::Junk {
            self.outbox.bytes(junk::BETWEEN);
            return;
        }
        let message = match Message::parse(line) {
            Ok(message) => message,
            Err((code, text)) => {
                self.outbox.line(error_response("null", code, text, None));
                return;
            }
        };
        self.tally.note(&message);
        match (&message.id, &message.method) {
            (Some(id), Some(method)) => {
                let reply = if self.mode == Mode::Modern {
                    self.answer_modern(id, method, &message)
                } else {
                    self.answer_legacy(id, method, &message)
                };
                self.deliver(id, reply);
                self.follow_up(method, &message);
            }
            (None, Some(method)) => self.notified(method, &message),
            (id, None) => {
                if id.as_deref() == Some(PING_ID)
                    && let Some((id, reply)) = self.awaiting_pong.take()
                {
                    self.deliver(&id, reply);
                }
            }
        }
    }

    pub(crate) fn list(&self, message: &Message) -> Reply {
        let cursor = message.text("cursor");
        list::answer(self.mode, &self.options, self.grown, cursor.as_deref())
    }

    pub(crate) fn call(&mut self, id: &str, message: &Message) -> Reply {
        let Some(name) = message.text("name") else {
            return Reply::invalid_params("tools/call without a name");
        };
        match (self.mode, name.as_str()) {
            (Mode::DieOnCall, "die") => return Reply::Exit(1),
            (Mode::ListChanged | Mode::Modern, "grow") => {
                self.grown = true;
                self.announce_tools();
                return Reply::tool_text("grown");
            }
            (Mode::Modern, "end_listen") => {
                self.end_listens();
                return Reply::tool_text("ended");
            }
            _ => {}
        }
        let context = tools::Context {
            mode: self.mode,
            options: &self.options,
            tally: &self.tally,
        };
        let reply = tools::call(&name, message, &context);
        match self.mode {
            _ if name == "count" => reply,
            Mode::Hang => Reply::Never,
            Mode::Slow => reply.after(self.options.delay(self.mode), false),
            Mode::Reverse => {
                self.held.push((id.to_owned(), reply));
                if self.held.len() >= self.options.reverse_batch {
                    for (id, reply) in std::mem::take(&mut self.held).into_iter().rev() {
                        self.deliver(&id, reply);
                    }
                }
                Reply::Never
            }
            _ => reply,
        }
    }

    fn notified(&mut self, method: &str, message: &Message) {
        match method {
            "notifications/initialized" if self.phase == Phase::Answered => {
                self.phase = Phase::Initialized;
                if self.mode == Mode::CrashLoop {
                    let (outbox, delay) = (self.outbox.clone(), self.options.delay(self.mode));
                    self.tasks.spawn(async move {
                        sleep(delay).await;
                        outbox.exit(Exit::Code(1));
                    });
                }
            }
            "notifications/cancelled" => {
                let id = message.raw("requestId").unwrap_or_default();
                self.listens.end(id);
                if let Some(task) = self.cancellable.remove(id) {
                    task.abort();
                }
            }
            _ => {}
        }
    }

    /// Says that the tool list has changed.
    pub(crate) fn announce_tools(&self) {
        if self.mode == Mode::Modern {
            self.listens.announce_tools(&self.outbox);
        } else {
            let method = "notifications/tools/list_changed";
            self.outbox.line(notification(method, None));
        }
    }

    fn deliver(&mut self, id: &str, reply: Reply) {
        match reply {
            Reply::Result(result) => {
                if self.mode == Mode::JunkFirst {
                    self.outbox.bytes(junk::BETWEEN);
                }
                self.outbox.line(self.response(id, &result));
            }
            Reply::Error {
                code,
                message,
                data,
            } => {
                let line = error_response(id, code, &message, data.as_deref());
                self.outbox.line(line);
            }
            Reply::Later(later) => {
                while self.tasks.try_join_next().is_some() {}
                let (outbox, line) = (self.outbox.clone(), self.response(id, &later.result));
                let task = self.tasks.spawn(async move {
                    for notification in later.notifications {
                        sleep(later.gap).await;
                        outbox.line(notification);
                    }
                    sleep(later.gap).await;
                    outbox.line(line);
                });
                if later.cancellable {
                    self.cancellable.insert(id.to_owned(), task);
                }
            }
            Reply::Never => {}
            Reply::Exit(code) => self.outbox.exit(Exit::Code(code)),
        }
    }

    fn response(&self, id: &str, result: &str) -> String {
        match self.mode {
            Mode::BigNumbers => big_numbers::response(id, result),
            _ => response(id, result),
        }
    }
}
