//! Every way in which a server can answer the handshake, as scripts of inputs and the steps they lead to.

use super::*;

fn ok(text: &str) -> HandshakeInput {
    HandshakeInput::Answered(Ok(Raw::parse(text).unwrap()))
}

fn error(code: i64, supported: Option<&[&str]>) -> HandshakeInput {
    let data =
        supported.map(|supported| Raw::of(&serde_json::json!({ "supported": supported })).unwrap());
    HandshakeInput::Answered(Err(ErrorObject {
        data,
        ..ErrorObject::new(code, "no")
    }))
}

/// Steps in short: `probe`, `initialize`, `respawn`, `done <revision>`, `fail <why>`.
fn check(era: Option<Era>, script: Vec<HandshakeInput>, expect: &[&str]) {
    let (mut handshake, first) = Handshake::begin(era);
    let mut steps = vec![first];
    for input in script {
        steps.push(handshake.next(input));
        if steps.last() == Some(&HandshakeStep::Respawn) {
            steps.push(handshake.respawned());
        }
    }
    let shown: Vec<_> = steps
        .into_iter()
        .map(|step| match step {
            HandshakeStep::Probe(_) => "probe".to_owned(),
            HandshakeStep::Initialize(revision) => {
                assert!(
                    !revision.is_modern(),
                    "a modern version leaked into initialize"
                );
                "initialize".to_owned()
            }
            HandshakeStep::Respawn => "respawn".to_owned(),
            HandshakeStep::Done(session) => {
                format!("done {} {}", session.revision, session.server_info.name)
            }
            HandshakeStep::Fail(error) => format!("fail: {error}"),
        })
        .collect();
    assert_eq!(shown, expect);
}

const DISCOVERED: &str = r#"{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#;
const INITIALIZED: &str =
    r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}"#;

#[test]
fn a_modern_server_answers_the_probe() {
    check(None, vec![ok(DISCOVERED)], &["probe", "done 2026-07-28 s"]);
    let body =
        r#"{"supportedVersions":["2026-07-28"],"capabilities":{},"serverInfo":{"name":"b"}}"#;
    check(None, vec![ok(body)], &["probe", "done 2026-07-28 b"]);
}

#[test]
fn anything_else_means_legacy() {
    for answer in [
        ok("{}"),
        ok("null"),
        ok(r#"{"supportedVersions":"?"}"#),
        error(-32601, None),
        error(-32602, None),
        error(-32600, None),
        error(-32000, None),
        error(0, None),
        HandshakeInput::ProbeTimeout,
    ] {
        check(
            None,
            vec![answer, ok(INITIALIZED)],
            &["probe", "initialize", "done 2025-06-18 s"],
        );
    }
}

#[test]
fn an_exit_at_the_probe_respawns_and_goes_straight_to_initialize() {
    check(
        None,
        vec![HandshakeInput::Exited, ok(INITIALIZED)],
        &["probe", "respawn", "initialize", "done 2025-06-18 s"],
    );
    check(
        None,
        vec![HandshakeInput::Exited, HandshakeInput::Exited],
        &[
            "probe",
            "respawn",
            "initialize",
            "fail: it exited before the handshake was done",
        ],
    );
}

#[test]
fn an_unsupported_version_is_negotiated_once() {
    let modern: &[&str] = &["2026-07-28"];
    check(
        None,
        vec![error(-32022, Some(modern)), ok(DISCOVERED)],
        &["probe", "probe", "done 2026-07-28 s"],
    );
    check(
        None,
        vec![error(-32022, Some(modern)), error(-32022, Some(modern))],
        &[
            "probe",
            "probe",
            "fail: it refuses the handshake: no (code -32022)",
        ],
    );
    check(
        None,
        vec![error(-32022, Some(&["2025-11-25"])), ok(INITIALIZED)],
        &["probe", "initialize", "done 2025-06-18 s"],
    );
    check(
        None,
        vec![error(-32022, Some(&["2031-01-01"]))],
        &[
            "probe",
            "fail: it speaks only 2031-01-01, and we speak 2024-11-05 to 2026-07-28",
        ],
    );
}

#[test]
fn a_modern_error_is_never_taken_for_legacy() {
    check(
        None,
        vec![error(-32021, None)],
        &["probe", "fail: it refuses the handshake: no (code -32021)"],
    );
}

#[test]
fn a_slow_modern_server_that_was_sent_initialize_is_probed_again() {
    check(
        None,
        vec![
            HandshakeInput::ProbeTimeout,
            error(-32022, Some(&["2026-07-28"])),
            ok(DISCOVERED),
        ],
        &["probe", "initialize", "probe", "done 2026-07-28 s"],
    );
}

#[test]
fn initialize_fails_with_a_reason() {
    let modern = r#"{"protocolVersion":"2026-07-28","capabilities":{},"serverInfo":{"name":"s"}}"#;
    check(
        Some(Era::Legacy),
        vec![ok(modern)],
        &[
            "initialize",
            "fail: it speaks only 2026-07-28, and we speak 2024-11-05 to 2026-07-28",
        ],
    );
    check(
        Some(Era::Legacy),
        vec![ok("{}")],
        &[
            "initialize",
            "fail: its answer to `initialize` does not decode: missing field `protocolVersion` at line 1 column 2",
        ],
    );
    check(
        Some(Era::Legacy),
        vec![error(-32602, None)],
        &[
            "initialize",
            "fail: it refuses the handshake: no (code -32602)",
        ],
    );
}
