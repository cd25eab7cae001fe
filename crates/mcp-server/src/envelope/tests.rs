//! The table of eras and of what is wrong with a claim.

use super::*;

const VERSION: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28""#;
const CAPABILITIES: &str = r#""io.modelcontextprotocol/clientCapabilities":{"roots":{}}"#;

fn read(method: &str, params: &str) -> Result<Envelope, ErrorObject> {
    Envelope::read(method, Some(&Raw::parse(params).unwrap()))
}

/// `legacy`, `modern`, or the code and the message of the refusal.
fn check(method: &str, params: &str, expected: &str) {
    let outcome = match read(method, params) {
        Ok(Envelope { claim: None, .. }) => "legacy".to_owned(),
        Ok(Envelope { claim: Some(_), .. }) => "modern".to_owned(),
        Err(error) => format!("{} {}", error.code, error.message),
    };
    assert_eq!(outcome, expected, "{method} {params}");
}

#[test]
fn requests_are_classified_one_by_one() {
    let whole = format!(r#"{{"_meta":{{{VERSION},{CAPABILITIES}}}}}"#);
    for method in ["tools/call", "server/discover", "ping", "initialize"] {
        check(method, &whole, "modern");
    }
    for params in [
        "{}",
        "[]",
        r#"{"_meta":null}"#,
        r#"{"_meta":7}"#,
        r#"{"_meta":{"progressToken":1}}"#,
        r#"{"arguments":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#,
    ] {
        check("tools/call", params, "legacy");
    }
    assert_eq!(Envelope::read("ping", None).unwrap().claim, None);
}

#[test]
fn a_claim_that_does_not_hold_is_refused_with_what_is_wrong() {
    let table = [
        (
            format!("{{{VERSION}}}"),
            "-32602 invalid params: _meta has no io.modelcontextprotocol/clientCapabilities",
        ),
        (
            format!("{{{CAPABILITIES}}}"),
            "-32602 invalid params: _meta has no io.modelcontextprotocol/protocolVersion",
        ),
        (
            format!(r#"{{"io.modelcontextprotocol/protocolVersion":7,{CAPABILITIES}}}"#),
            "-32602 invalid params: io.modelcontextprotocol/protocolVersion: invalid type: integer `7`, expected a string at line 1 column 1",
        ),
        (
            format!(r#"{{{VERSION},"io.modelcontextprotocol/clientCapabilities":[]}}"#),
            "-32602 invalid params: io.modelcontextprotocol/clientCapabilities: invalid type: sequence, expected an object of type ClientCapabilities at line 1 column 0",
        ),
        (
            format!(r#"{{{VERSION},{CAPABILITIES},"io.modelcontextprotocol/logLevel":"loud"}}"#),
            "-32602 invalid params: io.modelcontextprotocol/logLevel is none of debug, info, notice, warning, error, critical, alert, emergency",
        ),
        (
            format!(r#"{{"io.modelcontextprotocol/protocolVersion":"2025-11-25",{CAPABILITIES}}}"#),
            "-32022 unsupported protocol version",
        ),
        (
            r#"{"io.modelcontextprotocol/protocolVersion":"v999"}"#.to_owned(),
            "-32602 invalid params: _meta has no io.modelcontextprotocol/clientCapabilities",
        ),
    ];
    for (meta, expected) in table {
        let params = format!(r#"{{"_meta":{meta}}}"#);
        check("tools/list", &params, expected);
        check("initialize", &params, "legacy");
    }
    let nothing = "-32602 invalid params: _meta has no io.modelcontextprotocol/protocolVersion";
    check("server/discover", "{}", nothing);
    check("subscriptions/listen", r#"{"notifications":{}}"#, nothing);
}

#[test]
fn a_claim_says_who_asks_and_a_bad_name_is_as_good_as_none() {
    let params = |info: &str| {
        format!(
            r#"{{"_meta":{{{VERSION},{CAPABILITIES},"io.modelcontextprotocol/clientInfo":{info}}}}}"#
        )
    };
    let client = |info: &str| read("ping", &params(info)).unwrap().claim.unwrap().client;
    let named = client(r#"{"name":"h","version":"1"}"#);
    assert_eq!(named.info.as_ref().unwrap().name, "h");
    assert_eq!(named.capabilities.roots.as_ref().unwrap().get(), "{}");
    assert_eq!(client("{}").info, None);
}
