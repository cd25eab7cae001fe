//! What must hold for that which was said between two programs, by the era of the host.

use serde_json::Value;

use crate::recording_shim::Conversation;

const HANDSHAKE: [&str; 2] = ["initialize", "notifications/initialized"];
const REVISION: (&str, &str) = ("io.modelcontextprotocol/protocolVersion", "2026-07-28");

/// Whether anything of the legacy handshake was said to the program.
pub fn shakes_hands(conversation: &Conversation) -> bool {
    let asked = conversation.asked();
    asked
        .iter()
        .any(|it| HANDSHAKE.iter().any(|method| it["method"] == *method))
}

/// A modern host says the revision in each request and shakes no hands; a legacy one begins with that.
pub fn assert_era(who: &str, conversation: &Conversation, modern: bool) {
    let asked = conversation.asked();
    let methods: Vec<_> = asked
        .iter()
        .map(|it| it["method"].as_str().unwrap())
        .collect();
    assert!(
        methods.len() >= 2 || modern && !methods.is_empty(),
        "{who}: {methods:?}"
    );
    if !modern {
        assert_eq!(methods[..2], HANDSHAKE, "{who}: {methods:?}");
        return;
    }
    assert!(!shakes_hands(conversation), "{who}: {methods:?}");
    for request in asked.iter().filter(|it| it.get("id").is_some()) {
        let (key, revision) = REVISION;
        assert_eq!(
            request["params"]["_meta"][key], revision,
            "{who}: {request}"
        );
    }
}

/// Each tool that the host was listed has the bytes that the server gave us, without `execution` where
/// the host's era has none.
pub fn assert_bytes(who: &str, hosts: &[Conversation], ours: &[Conversation], modern: bool) {
    let lists = |all: &[Conversation]| all.iter().flat_map(Conversation::tool_lists).collect();
    let (shown, own): (Vec<Vec<String>>, Vec<Vec<String>>) = (lists(hosts), lists(ours));
    let mut expected = own.first().expect("the server has listed").clone();
    if modern {
        for tool in &mut expected {
            let value: Value = serde_json::from_str(tool).unwrap();
            if let Some(execution) = value.get("execution") {
                let field = format!(",\"execution\":{execution}");
                assert_eq!(tool.matches(&field).count(), 1, "{who}: {tool}");
                *tool = tool.replace(&field, "");
            }
        }
    }
    assert!(!shown.is_empty(), "{who}: no list was shown");
    for shown in shown {
        assert_eq!(shown, expected, "{who}");
    }
}
