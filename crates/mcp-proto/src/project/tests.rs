//! Which edits a projection makes, and that it makes no others.
use super::*;

fn raw(text: &str) -> Raw {
    Raw::parse(text).unwrap()
}

#[test]
fn a_modern_host_does_not_get_execution_and_every_other_byte_stays() {
    let with = raw(
        r#"{"name":"a","inputSchema":{"type" : "object"},"execution":{"taskSupport":"optional"}}"#,
    );
    assert_eq!(
        tool(&with, Revision::V2026_07_28).get(),
        r#"{"name":"a","inputSchema":{"type" : "object"}}"#
    );
    assert_eq!(tool(&with, Revision::V2025_11_25).get(), with.get());
}

#[test]
fn eras_add_and_drop_only_what_is_theirs() {
    let server = Implementation::new("s", "1");
    let modern = result_to_modern("tools/list", raw(r#"{"tools":[ ]}"#), &server);
    assert_eq!(
        modern.get(),
        r#"{"tools":[ ],"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
    );
    assert_eq!(result_to_legacy(modern).get(), r#"{"tools":[ ]}"#);
    let own = raw(r#"{"content":[],"resultType":"input_required","_meta":{"x":1}}"#);
    assert_eq!(
        result_to_modern("tools/call", own, &server).get(),
        r#"{"content":[],"resultType":"input_required","_meta":{"x":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
    );
    let untouched = raw(r#"{ "content" : [] }"#);
    assert_eq!(result_to_legacy(untouched.clone()), untouched);
}

#[test]
fn a_block_of_a_later_revision_becomes_text() {
    let block = |text: &str, to| content(&raw(text), to).get().to_owned();
    let audio = r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#;
    assert_eq!(block(audio, Revision::V2025_03_26), audio);
    assert_eq!(
        block(audio, Revision::V2024_11_05),
        r#"{"type":"text","text":"[audio left out: audio/wav; protocol version 2024-11-05 has no place for it]"}"#
    );
    let link = r#"{"type":"resource_link","uri":"file:///a","name":"a","annotations":{"lastModified":"x","priority":0.10},"_meta":{"k":1}}"#;
    assert_eq!(block(link, Revision::V2025_06_18), link);
    assert_eq!(
        block(link, Revision::V2025_03_26),
        r#"{"type":"text","text":"[resource: a: file:///a]","annotations":{"priority":0.10}}"#
    );
    assert_eq!(
        block(r#"{"type":"hologram","n":1.0}"#, Revision::V2026_07_28),
        r#"{"type":"text","text":"{\"type\":\"hologram\",\"n\":1.0}"}"#
    );
    assert_eq!(block("7", Revision::V2024_11_05), "7");
}

#[test]
fn a_peer_that_takes_one_block_gets_one() {
    let message = |content: &str, to| {
        let text =
            format!(r#"{{"messages":[{{"role":"user","content":{content}}}],"maxTokens":1}}"#);
        let projected = params("sampling/createMessage", &raw(&text), to)
            .get()
            .to_owned();
        let start = projected.find(r#""content":"#).unwrap() + r#""content":"#.len();
        projected[start..projected.len() - r#"}],"maxTokens":1}"#.len()].to_owned()
    };
    let two =
        r#"[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"}]"#;
    assert_eq!(message(two, Revision::V2025_11_25), two);
    assert_eq!(
        message(two, Revision::V2025_06_18),
        r#"{"type":"text","text":"a\n[image left out: image/png; protocol version 2025-06-18 has no place for it]"}"#
    );
    let alone = r#"{"type":"text","text": "a"}"#;
    assert_eq!(message(&format!("[{alone}]"), Revision::V2025_06_18), alone);
    assert_eq!(
        message("[]", Revision::V2025_06_18),
        r#"{"type":"text","text":""}"#
    );
    assert_eq!(
        message("[[ ]]", Revision::V2025_06_18),
        r#"{"type":"text","text":"[ ]"}"#
    );
}

#[test]
fn a_result_is_known_by_its_method_and_its_type() {
    let asks = raw(
        r#"{"resultType":"input_required","inputRequests":{},"requestState":"s","content":[]}"#,
    );
    assert_eq!(
        result("tools/call", &asks, Revision::V2025_11_25).get(),
        r#"{"content":[]}"#
    );
    assert_eq!(
        result("tools/list", &asks, Revision::V2025_11_25).get(),
        r#"{"inputRequests":{},"requestState":"s","content":[]}"#
    );
    assert_eq!(
        result("x/y", &asks, Revision::V2024_11_05).get(),
        asks.get()
    );
}

#[test]
fn a_value_goes_where_a_revision_cannot_take_its_form() {
    let schema = raw(r#"{"name":"a","inputSchema":{},"outputSchema":{"type":"array"}}"#);
    let without = r#"{"name":"a","inputSchema":{}}"#;
    assert_eq!(tool(&schema, Revision::V2025_11_25).get(), without);
    assert_eq!(tool(&schema, Revision::V2026_07_28).get(), schema.get());
    let null = raw(r#"{"content":[],"structuredContent":null}"#);
    let call = |to| result("tools/call", &null, to).get().to_owned();
    assert_eq!(call(Revision::V2025_11_25), r#"{"content":[]}"#);
    assert_eq!(call(Revision::V2026_07_28), null.get());
}

#[test]
fn a_typed_value_is_projected_as_its_json() {
    let implementation = Implementation {
        title: Some("T".into()),
        ..Implementation::new("n", "1")
    };
    for (to, expected) in [
        (Revision::V2025_03_26, r#"{"name":"n","version":"1"}"#),
        (
            Revision::V2025_06_18,
            r#"{"name":"n","version":"1","title":"T"}"#,
        ),
    ] {
        assert_eq!(value(&implementation, to).unwrap().get(), expected);
    }
}
