//! Values with everything that any revision has, and their form in each.

use mcp_proto::{Raw, Revision, project};

use crate::{check, demand, json, official, types};

/// One value, and what a peer of each revision gets of it, oldest first.
struct Ladder {
    definition: &'static str,
    whole: &'static str,
    forms: [&'static str; 5],
}

#[test]
fn one_value_has_a_form_in_each_revision() {
    let folder = official::folder();
    let all = folder.as_deref().map(official::all);
    for ladder in LADDERS {
        for (at, revision) in Revision::ALL.into_iter().enumerate() {
            let of = types::of_definition(ladder.definition).unwrap();
            let whole = Raw::parse(ladder.whole).unwrap();
            let projected = project::shaped(&of.shape, &whole, revision);
            assert_eq!(
                projected.get(),
                ladder.forms[at],
                "{} in {revision}",
                ladder.definition
            );
            if let Some(all) = all.as_ref().filter(|all| all[at].has(ladder.definition)) {
                let mut value = json(projected.get());
                demand::meet(&all[at], ladder.definition, &mut value);
                check(all, &all[at], ladder.definition, &value, ladder.whole);
            }
        }
    }
    println!("ladders: {} values in five forms", LADDERS.len());
}

const LADDERS: &[Ladder] = &[
    Ladder {
        definition: "Tool",
        whole: r#"{"name":"t","title":"T","description":"d","inputSchema":{"type" : "object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x":1.0},"icons":[{"src":"data:,"}],"execution":{"taskSupport":"optional"},"_meta":{"a/b": 1},"xNew":[1, 2]}"#,
        forms: [
            r#"{"name":"t","description":"d","inputSchema":{"type" : "object"},"xNew":[1, 2]}"#,
            r#"{"name":"t","description":"d","inputSchema":{"type" : "object"},"annotations":{"readOnlyHint":true,"x":1.0},"xNew":[1, 2]}"#,
            r#"{"name":"t","title":"T","description":"d","inputSchema":{"type" : "object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x":1.0},"_meta":{"a/b": 1},"xNew":[1, 2]}"#,
            r#"{"name":"t","title":"T","description":"d","inputSchema":{"type" : "object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x":1.0},"icons":[{"src":"data:,"}],"execution":{"taskSupport":"optional"},"_meta":{"a/b": 1},"xNew":[1, 2]}"#,
            r#"{"name":"t","title":"T","description":"d","inputSchema":{"type" : "object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"x":1.0},"icons":[{"src":"data:,"}],"_meta":{"a/b": 1},"xNew":[1, 2]}"#,
        ],
    },
    Ladder {
        definition: "CallToolResult",
        whole: r#"{"content":[{"type":"audio","data":"QUJD","mimeType":"audio/wav","annotations":{"priority":0.50}},{"type":"resource_link","uri":"file:///a","name":"a","icons":[{"src":"data:,"}]},{"type":"hologram","depth":3.50}],"structuredContent":[1.50],"isError":false,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#,
        forms: [
            r#"{"content":[{"type":"text","text":"[audio left out: audio/wav; protocol version 2024-11-05 has no place for it]","annotations":{"priority":0.50}},{"type":"text","text":"[resource: a: file:///a]"},{"type":"text","text":"{\"type\":\"hologram\",\"depth\":3.50}"}],"isError":false}"#,
            r#"{"content":[{"type":"audio","data":"QUJD","mimeType":"audio/wav","annotations":{"priority":0.50}},{"type":"text","text":"[resource: a: file:///a]"},{"type":"text","text":"{\"type\":\"hologram\",\"depth\":3.50}"}],"isError":false}"#,
            r#"{"content":[{"type":"audio","data":"QUJD","mimeType":"audio/wav","annotations":{"priority":0.50}},{"type":"resource_link","uri":"file:///a","name":"a"},{"type":"text","text":"{\"type\":\"hologram\",\"depth\":3.50}"}],"isError":false}"#,
            r#"{"content":[{"type":"audio","data":"QUJD","mimeType":"audio/wav","annotations":{"priority":0.50}},{"type":"resource_link","uri":"file:///a","name":"a","icons":[{"src":"data:,"}]},{"type":"text","text":"{\"type\":\"hologram\",\"depth\":3.50}"}],"isError":false}"#,
            r#"{"content":[{"type":"audio","data":"QUJD","mimeType":"audio/wav","annotations":{"priority":0.50}},{"type":"resource_link","uri":"file:///a","name":"a","icons":[{"src":"data:,"}]},{"type":"text","text":"{\"type\":\"hologram\",\"depth\":3.50}"}],"structuredContent":[1.50],"isError":false,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#,
        ],
    },
    Ladder {
        definition: "SamplingMessage",
        whole: r#"{"role":"assistant","content":[{"type":"text","text":"I call."},{"type":"tool_use","id":"u","name":"t","input":{"n": 1}}],"_meta":{"k":1}}"#,
        forms: [
            r#"{"role":"assistant","content":{"type":"text","text":"I call.\n{\"type\":\"tool_use\",\"id\":\"u\",\"name\":\"t\",\"input\":{\"n\": 1}}"}}"#,
            r#"{"role":"assistant","content":{"type":"text","text":"I call.\n{\"type\":\"tool_use\",\"id\":\"u\",\"name\":\"t\",\"input\":{\"n\": 1}}"}}"#,
            r#"{"role":"assistant","content":{"type":"text","text":"I call.\n{\"type\":\"tool_use\",\"id\":\"u\",\"name\":\"t\",\"input\":{\"n\": 1}}"}}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"I call."},{"type":"tool_use","id":"u","name":"t","input":{"n": 1}}],"_meta":{"k":1}}"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"I call."},{"type":"tool_use","id":"u","name":"t","input":{"n": 1}}],"_meta":{"k":1}}"#,
        ],
    },
    Ladder {
        definition: "ClientCapabilities",
        whole: r#"{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"url":{}},"tasks":{},"experimental":{"e":{}},"extensions":{"x":{}},"xNew":{}}"#,
        forms: [
            r#"{"roots":{"listChanged":true},"sampling":{},"experimental":{"e":{}},"xNew":{}}"#,
            r#"{"roots":{"listChanged":true},"sampling":{},"experimental":{"e":{}},"xNew":{}}"#,
            r#"{"roots":{"listChanged":true},"sampling":{},"experimental":{"e":{}},"xNew":{}}"#,
            r#"{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"url":{}},"tasks":{},"experimental":{"e":{}},"xNew":{}}"#,
            r#"{"roots":{},"sampling":{"tools":{}},"elicitation":{"url":{}},"experimental":{"e":{}},"extensions":{"x":{}},"xNew":{}}"#,
        ],
    },
    Ladder {
        definition: "Implementation",
        whole: r#"{"name":"n","version":"1","title":"T","description":"d","icons":[],"websiteUrl":"https://example.com/"}"#,
        forms: [
            r#"{"name":"n","version":"1"}"#,
            r#"{"name":"n","version":"1"}"#,
            r#"{"name":"n","version":"1","title":"T"}"#,
            r#"{"name":"n","version":"1","title":"T","description":"d","icons":[],"websiteUrl":"https://example.com/"}"#,
            r#"{"name":"n","version":"1","title":"T","description":"d","icons":[],"websiteUrl":"https://example.com/"}"#,
        ],
    },
];
