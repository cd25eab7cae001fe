//! The revisions up to 2025-11-25: the handshake, and the methods after it.

use serde_json::json;

use crate::message::Message;
use crate::reply::{Reply, notification};
use crate::session::Session;
use crate::{Mode, resources};

/// The id of the one request that the server ever sends, in mode `ping-first`.
pub(crate) const PING_ID: &str = r#""fake-ping""#;

/// How far the legacy handshake has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Fresh,
    Answered,
    Initialized,
}

impl Session {
    pub(crate) fn answer_legacy(&mut self, id: &str, method: &str, message: &Message) -> Reply {
        match method {
            "ping" => return Reply::Result("{}".to_owned()),
            "initialize" => return self.initialize(id, message),
            _ => {}
        }
        match (self.phase, self.mode) {
            (Phase::Fresh, Mode::ExitOnProbe) => return Reply::Exit(0),
            (Phase::Fresh, Mode::SilentProbe) => return Reply::Never,
            (Phase::Fresh, Mode::EmptyProbe) => return Reply::Result("{}".to_owned()),
            (Phase::Fresh | Phase::Answered, _) if method != "server/discover" => {
                return Reply::error(-32600, format!("{method} before the handshake is over"));
            }
            _ => {}
        }
        match method {
            "tools/list" if self.mode.has_tools() => self.list(message),
            "tools/call" if self.mode.has_tools() => self.call(id, message),
            _ if self.mode == Mode::ResourcesOnly => {
                resources::answer(method, message, &self.options)
            }
            _ if self.mode == Mode::EmptyProbe => Reply::Result("{}".to_owned()),
            _ => Reply::unknown_method(method),
        }
    }

    fn initialize(&mut self, id: &str, message: &Message) -> Reply {
        if self.phase != Phase::Fresh {
            return Reply::error(-32600, "initialize came twice");
        }
        for name in ["capabilities", "clientInfo"] {
            if !message.value(name).is_object() {
                return Reply::invalid_params(format!("initialize without {name}"));
            }
        }
        let Some(asked) = message.text("protocolVersion") else {
            return Reply::invalid_params("initialize without protocolVersion");
        };
        if self.mode == Mode::NoInitialize {
            return Reply::Never;
        }
        self.phase = Phase::Answered;
        let version = match asked.as_str() {
            _ if self.mode == Mode::Old => "2024-11-05",
            "2024-11-05" | "2025-03-26" | "2025-06-18" => &asked,
            _ => "2025-11-25",
        };
        let capabilities = match self.mode {
            Mode::ResourcesOnly => resources::CAPABILITIES,
            _ => r#"{"tools":{"listChanged":true}}"#,
        };
        let instructions = json!(format!("Fake server in mode {}.", self.mode));
        let reply = Reply::Result(format!(
            r#"{{"protocolVersion":"{version}","capabilities":{capabilities},"serverInfo":{{"name":"fake-mcp-server","version":"1.0.0"}},"instructions":{instructions}}}"#
        ));
        match self.mode {
            Mode::SlowInitialize => return reply.after(self.options.delay(self.mode), false),
            Mode::NotifyBeforeInit => self.announce_tools(),
            Mode::PingFirst => {
                let ping = format!(r#"{{"jsonrpc":"2.0","id":{PING_ID},"method":"ping"}}"#);
                self.outbox.line(ping);
                self.awaiting_pong = Some((id.to_owned(), reply));
                return Reply::Never;
            }
            _ => {}
        }
        reply
    }

    /// What follows the answer to a request.
    pub(crate) fn follow_up(&self, method: &str, message: &Message) {
        if self.mode == Mode::ResourcesOnly && method == "resources/subscribe" {
            let params = json!({"uri": message.text("uri")}).to_string();
            let updated = notification("notifications/resources/updated", Some(&params));
            self.outbox.line(updated);
        }
    }
}
