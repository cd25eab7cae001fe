//! Revision 2026-07-28: no handshake, an envelope in every request, listen streams.

use serde_json::{Value, json};

use crate::message::Message;
use crate::outbox::Outbox;
use crate::reply::{Reply, notification, response};
use crate::session::Session;

const VERSION: &str = "2026-07-28";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

const SERVER_INFO: &str =
    r#""io.modelcontextprotocol/serverInfo":{"name":"fake-mcp-server","version":"1.0.0"}"#;

/// How long lists and the discovery may be kept: not at all, so that no test waits for it.
const CACHE: &str = r#""ttlMs":0,"cacheScope":"private""#;

/// The open listen streams.
#[derive(Debug, Default)]
pub(crate) struct Listens(Vec<Listen>);

#[derive(Debug)]
struct Listen {
    /// The id of the request, as JSON text: it is the subscription's id too.
    id: String,
    tools: bool,
}

impl Listens {
    /// Forgets the stream of this id; the client has cancelled it.
    pub(crate) fn end(&mut self, id: &str) {
        self.0.retain(|listen| listen.id != id);
    }

    /// Tells the streams that asked for it that the tool list has changed.
    pub(crate) fn announce_tools(&self, outbox: &Outbox) {
        for listen in self.0.iter().filter(|listen| listen.tools) {
            let meta = subscription_meta(&listen.id);
            let method = "notifications/tools/list_changed";
            outbox.line(notification(method, Some(&format!("{{{meta}}}"))));
        }
    }
}

impl Session {
    pub(crate) fn answer_modern(&mut self, id: &str, method: &str, message: &Message) -> Reply {
        match method {
            "ping" => return complete(Reply::Result("{}".to_owned()), false),
            "initialize" => {
                let asked = message.text("protocolVersion");
                return unsupported_version(&asked.unwrap_or_default());
            }
            _ => {}
        }
        if let Err(refusal) = check_envelope(&message.value("_meta")) {
            return refusal;
        }
        match method {
            "server/discover" => {
                let instructions = json!(format!("Fake server in mode {}.", self.mode));
                let result = format!(
                    r#"{{"supportedVersions":["{VERSION}"],"capabilities":{{"tools":{{"listChanged":true}}}},"instructions":{instructions}}}"#
                );
                complete(Reply::Result(result), true)
            }
            "tools/list" => complete(self.list(message), true),
            "tools/call" => complete(self.call(id, message), false),
            "subscriptions/listen" => self.listen(id, message),
            _ => Reply::unknown_method(method),
        }
    }

    /// Acknowledges a stream; its answer comes when it ends.
    fn listen(&mut self, id: &str, message: &Message) -> Reply {
        let asked = message.value("notifications");
        if !asked.is_object() {
            return Reply::invalid_params("subscriptions/listen without notifications");
        }
        let tools = asked["toolsListChanged"] == Value::Bool(true);
        let honoured = if tools {
            r#"{"toolsListChanged":true}"#
        } else {
            "{}"
        };
        let meta = subscription_meta(id);
        let params = format!(r#"{{{meta},"notifications":{honoured}}}"#);
        let method = "notifications/subscriptions/acknowledged";
        self.outbox.line(notification(method, Some(&params)));
        let id = id.to_owned();
        self.listens.0.push(Listen { id, tools });
        Reply::Never
    }

    /// Ends every stream in order, with its result.
    pub(crate) fn end_listens(&mut self) {
        for listen in self.listens.0.drain(..) {
            let meta = subscription_meta(&listen.id);
            let result = format!(r#"{{"resultType":"complete",{meta}}}"#);
            self.outbox.line(response(&listen.id, &result));
        }
    }
}

fn subscription_meta(id: &str) -> String {
    format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#)
}

/// Whether the request's `_meta` has what this revision demands.
fn check_envelope(meta: &Value) -> Result<(), Reply> {
    let Some(version) = meta[VERSION_KEY].as_str() else {
        return Err(Reply::invalid_params(format!(
            "_meta without {VERSION_KEY}"
        )));
    };
    if version != VERSION {
        return Err(unsupported_version(version));
    }
    if !meta[CAPABILITIES_KEY].is_object() {
        let text = format!("_meta without {CAPABILITIES_KEY}");
        return Err(Reply::invalid_params(text));
    }
    Ok(())
}

fn unsupported_version(requested: &str) -> Reply {
    let data = json!({"supported": [VERSION], "requested": requested});
    Reply::Error {
        code: -32022,
        message: "Unsupported protocol version".to_owned(),
        data: Some(data.to_string()),
    }
}

/// Adds what every result of this revision has, in front of the fields it already has.
fn complete(reply: Reply, cacheable: bool) -> Reply {
    let cache = if cacheable {
        format!(",{CACHE}")
    } else {
        String::new()
    };
    reply.map_result(|result| {
        let fields = result.strip_prefix('{').unwrap_or(result);
        let comma = if fields == "}" { "" } else { "," };
        format!(r#"{{"resultType":"complete"{cache},"_meta":{{{SERVER_INFO}}}{comma}{fields}"#)
    })
}
