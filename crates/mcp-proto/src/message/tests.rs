//! What is a message, what is none, and how messages are written.

use super::*;

fn raw(text: &str) -> Raw {
    Raw::parse(text).unwrap()
}

#[test]
fn the_kind_is_decided_by_the_fields() {
    let request = |id: RequestId, params: Option<Raw>| {
        Message::Request(Request {
            id,
            method: "m".into(),
            params,
        })
    };
    let response = |id: Option<RequestId>, outcome| Message::Response(Response { id, outcome });
    for (text, message) in [
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#,
            request(1.into(), None),
        ),
        (
            r#"{"id":"1","method":"m","params":null}"#,
            request("1".into(), None),
        ),
        (
            r#" {"id":0,"method":"m","params":{"a": 1}} "#,
            request(0.into(), Some(raw(r#"{"a": 1}"#))),
        ),
        (
            r#"{"method":"m","id":null}"#,
            Message::Notification(Notification {
                method: "m".into(),
                params: None,
            }),
        ),
        (
            r#"{"id":2,"result":{}}"#,
            response(Some(2.into()), Ok(raw("{}"))),
        ),
        (
            r#"{"id":2,"result":null}"#,
            response(Some(2.into()), Ok(raw("null"))),
        ),
        (
            r#"{"id":2,"result":{},"error":null}"#,
            response(Some(2.into()), Ok(raw("{}"))),
        ),
        (
            r#"{"id":2,"result":null,"error":{"code":-1,"message":"x"}}"#,
            response(Some(2.into()), Err(ErrorObject::new(-1, "x"))),
        ),
        (
            r#"{"error":{"code":-32700,"message":"x"}}"#,
            response(None, Err(ErrorObject::new(PARSE, "x"))),
        ),
    ] {
        assert_eq!(Message::decode(text.as_bytes()).unwrap(), message, "{text}");
    }
}

const PARSE: i64 = crate::error_object::PARSE_ERROR;

#[test]
fn what_is_no_message_says_why() {
    for (text, why) in [
        ("hello", "not JSON: expected value at line 1 column 1"),
        (
            "{",
            "not JSON: EOF while parsing an object at line 1 column 1",
        ),
        ("[]", "a batch, which the negotiated revision does not have"),
        ("1", "not a JSON-RPC message: not an object"),
        (
            r#"{"id":1}"#,
            "not a JSON-RPC message: no method, result or error",
        ),
        (
            r#"{"id":[],"method":"m"}"#,
            "not a JSON-RPC message: the id is neither a string nor an integer",
        ),
        (
            r#"{"id":1,"method":7}"#,
            "not a JSON-RPC message: the method is no string",
        ),
        (
            r#"{"id":1,"result":1,"error":{"code":1}}"#,
            "not a JSON-RPC message: both a result and an error",
        ),
        (
            r#"{"id":1,"error":"no"}"#,
            "not a JSON-RPC message: the error is no error object",
        ),
    ] {
        assert_eq!(
            Message::decode(text.as_bytes()).unwrap_err().to_string(),
            why,
            "{text}"
        );
    }
    assert!(Message::decode(b"\xff\xfe").is_err());
}

#[test]
fn deep_nesting_is_carried_without_recursion() {
    let deep = format!(
        r#"{{"id":1,"result":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(Message::decode(deep.as_bytes()).is_ok());
}

#[test]
fn messages_are_written_as_one_line_and_read_back() {
    let mut out = Vec::new();
    write_request(&mut out, &RequestId::from("a\"b"), "m/\u{1}", |out| {
        write_raw(out, "{\n \"a\":1e400\r\n}")
    });
    write_notification(&mut out, "n", None);
    write_result(&mut out, &0.into(), &raw("{\"x\" : 1}"));
    write_error(&mut out, None, &ErrorObject::new(-32700, "bad\nline"));
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"method\":\"m/\\u0001\",\"params\":{  \"a\":1e400  }}",
            r#"{"jsonrpc":"2.0","method":"n"}"#,
            r#"{"jsonrpc":"2.0","id":0,"result":{"x" : 1}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"bad\nline"}}"#,
        ]
    );
    for line in lines {
        assert!(Message::decode(line.as_bytes()).is_ok(), "{line}");
    }
}
