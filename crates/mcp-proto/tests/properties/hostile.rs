//! Input made to hurt: deep, wide, double, huge, not UTF-8. It is carried or refused, in bounded time.

use mcp_proto::tool::{CallToolResult, Tool};
use mcp_proto::{Message, Raw, Revision, methods, project};

const DEEP: usize = 50_000;

fn nested(open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(DEEP), close.repeat(DEEP))
}

#[test]
fn depth_needs_no_stack() {
    for deep in [
        nested("[", "]"),
        nested(r#"{"content":"#, "}"),
        nested(r#"{"_meta":"#, "}"),
    ] {
        let line = format!(r#"{{"id":1,"result":{deep}}}"#);
        assert!(Message::decode(line.as_bytes()).is_ok());
        let batch = format!("[{line}]");
        let batch = Message::decode_batch(batch.as_bytes(), Revision::V2025_03_26).unwrap();
        assert!(batch[0].is_ok());
        assert!(Message::decode(deep.as_bytes()).is_err());
        let tool = format!(r#"{{"name":"a","inputSchema":{deep},"icons":{deep},"x":{deep}}}"#);
        assert!(serde_json::from_str::<Tool>(&tool).is_ok());
        let result = format!(r#"{{"content":[{deep}],"structuredContent":{deep}}}"#);
        // As a result it is carried or refused, as text it passes.
        drop(serde_json::from_str::<CallToolResult>(&result));
        let raw = Raw::parse(result).unwrap();
        for method in [
            methods::TOOLS_CALL,
            methods::PROMPTS_GET,
            methods::CREATE_MESSAGE,
        ] {
            for to in [Revision::V2024_11_05, Revision::V2026_07_28] {
                project::result(method, &raw, to);
                project::params(method, &raw, to);
            }
        }
    }
}

#[test]
fn an_unclosed_value_is_refused() {
    for open in ["[", "{\"a\":", "\""] {
        let line = format!(r#"{{"id":1,"result":{}"#, open.repeat(DEEP));
        assert!(Message::decode(line.as_bytes()).is_err());
        let batch = open.repeat(DEEP);
        assert!(Message::decode_batch(batch.as_bytes(), Revision::V2025_03_26).is_err());
    }
}

#[test]
fn the_last_of_several_equal_keys_counts() {
    let many = r#""id":"x","method":"no","#.repeat(50_000);
    let line = format!(r#"{{{many}"id":7,"method":"yes"}}"#);
    let Ok(Message::Request(request)) = Message::decode(line.as_bytes()) else {
        panic!("no request");
    };
    assert_eq!((request.id, &*request.method), (7.into(), "yes"));
    let tool: Tool =
        serde_json::from_str(r#"{"name":"a","title":"x","name":"b","title":null}"#).unwrap();
    assert_eq!((tool.name.as_str(), tool.title), ("b", None));
}

#[test]
fn a_field_that_goes_goes_as_often_as_it_is_there() {
    let twins = r#""icons":[],"xNew":1,"#.repeat(10_000);
    let raw = Raw::parse(format!(r#"{{{twins}"name":"a"}}"#)).unwrap();
    let projected = project::tool(&raw, Revision::V2024_11_05);
    assert!(!projected.get().contains("icons"));
    assert_eq!(projected.get().matches("xNew").count(), 10_000);
}

#[test]
fn escapes_do_not_hide_a_field() {
    let raw = Raw::parse(r#"{"name":"a","\u0069cons":[],"t\u0069tle":"T"}"#).unwrap();
    assert_eq!(
        project::tool(&raw, Revision::V2024_11_05).get(),
        r#"{"name":"a"}"#
    );
}

#[test]
fn what_is_not_utf_8_is_refused() {
    for line in [
        &b"{\"id\":1,\"result\":\"\xff\"}"[..],
        b"{\"id\":1,\"result\":{\"\xc3\":1}}",
        b"{\"\xed\xa0\x80\":1,\"method\":\"m\"}",
        b"[{\"method\":\"\xfe\"}]",
        b"\xff\xfe{\x00}\x00",
    ] {
        assert!(Message::decode(line).is_err());
        assert!(Message::decode_batch(line, Revision::V2025_03_26).is_err());
    }
}

#[test]
fn half_a_surrogate_is_carried_where_nobody_reads_it() {
    let line = br#"{"id":1,"result":{"a":"\ud800"}}"#;
    let Ok(Message::Response(response)) = Message::decode(line) else {
        panic!("no response");
    };
    assert_eq!(response.outcome.unwrap().get(), r#"{"a":"\ud800"}"#);
    assert!(Message::decode(br#"{"id":"\ud800","method":"m"}"#).is_err());
    assert!(Message::decode(br#"{"id":1,"method":"\ud800"}"#).is_err());
}

#[test]
fn huge_numbers_are_carried_and_are_no_ids() {
    let digits = "9".repeat(100_000);
    let line = format!(r#"{{"id":1,"result":[{digits},1e{digits},-0.{digits}]}}"#);
    assert!(Message::decode(line.as_bytes()).is_ok());
    for id in [&digits, "1e2", "1e99999", "-9223372036854775809", "0.5"] {
        for rest in [r#""method":"m""#, r#""result":1"#] {
            let line = format!(r#"{{"id":{id},{rest}}}"#);
            assert!(Message::decode(line.as_bytes()).is_err(), "{id:.20}");
        }
    }
}
