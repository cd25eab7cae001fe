//! The modes that misbehave: in time, in order, at the start and at the end.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::{INITIALIZE, INITIALIZED, Peer, check, check_ready};
use crate::{Exit, Mode, Options};

const MINUTE: Duration = Duration::from_mins(1);
const PROBE: &str = r#"> {"jsonrpc":"2.0","id":"d","method":"server/discover","params":{}}"#;

#[tokio::test(start_paused = true)]
async fn reverse_answers_the_last_call_first() {
    let mut peer = Peer::ready(Mode::Reverse, Options::default()).await;
    for id in 1..=3 {
        peer.call(id, "echo", r#"{"text":"x"}"#).await;
    }
    for id in [3, 2, 1] {
        assert!(peer.hear().await.contains(&format!(r#""id":{id},"#)));
    }
}

#[tokio::test(start_paused = true)]
async fn slow_answers_late_even_when_cancelled() {
    let mut peer = Peer::ready(Mode::Slow, Options::default()).await;
    let start = Instant::now();
    peer.call(1, "echo", r#"{"text":"x"}"#).await;
    peer.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    assert!(peer.hear().await.contains(r#""id":1"#));
    assert_eq!(start.elapsed().as_millis(), 200);
}

#[tokio::test(start_paused = true)]
async fn hang_answers_only_ping_and_count() {
    let mut peer = Peer::ready(Mode::Hang, Options::default()).await;
    peer.call(1, "echo", r#"{"text":"x"}"#).await;
    assert!(timeout(MINUTE, peer.hear()).await.is_err());
    peer.call(2, "count", "{}").await;
    assert!(peer.hear().await.contains(r#"\"echo\":1"#));
    peer.request(3, "ping", "{}").await;
    assert!(peer.hear().await.contains(r#""result":{}"#));
}

#[tokio::test(start_paused = true)]
async fn silence_where_the_mode_says_so() {
    for (mode, line) in [
        (Mode::NoInitialize, INITIALIZE),
        (Mode::SilentProbe, PROBE),
        (Mode::PingFirst, r#"> {"jsonrpc":"2.0","method":"x"}"#),
    ] {
        let mut peer = Peer::start(mode, Options::default());
        peer.say(line).await;
        assert!(timeout(MINUTE, peer.hear()).await.is_err(), "{mode}");
    }
}

#[tokio::test(start_paused = true)]
async fn servers_end_as_the_mode_says() {
    let mut dies = Peer::ready(Mode::DieOnCall, Options::default()).await;
    dies.call(1, "echo", r#"{"text":"x"}"#).await;
    assert!(dies.hear().await.contains(r#""id":1"#));
    dies.call(2, "die", "{}").await;
    assert_eq!(dies.ended().await, Exit::Code(1));

    let crashes = Peer::ready(Mode::CrashLoop, Options::default()).await;
    assert_eq!(crashes.ended().await, Exit::Code(1));

    let mut probed = Peer::start(Mode::ExitOnProbe, Options::default());
    probed.say(PROBE).await;
    assert_eq!(probed.ended().await, Exit::Code(0));

    let at_once = Peer::start(Mode::ExitAtOnce, Options::default());
    assert_eq!(at_once.ended().await, Exit::Code(3));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_input_is_taken_as_the_mode_says() {
    let start = Instant::now();
    for (mode, expected) in [
        (Mode::Plain, Ok(Exit::Closed)),
        (Mode::SlowDrain, Ok(Exit::Closed)),
        (Mode::Stubborn, Err(())),
    ] {
        let peer = Peer::ready(mode, Options::default()).await;
        let ended = timeout(MINUTE, peer.close()).await;
        assert_eq!(ended.map_err(|_| ()), expected, "{mode}");
    }
    assert_eq!(start.elapsed().as_secs(), 1 + 60);
}

#[tokio::test(start_paused = true)]
async fn something_comes_before_the_answer_to_initialize() {
    let changed = r#"< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    check(Mode::NotifyBeforeInit, &[INITIALIZE, changed]).await;

    let mut peer = Peer::start(Mode::PingFirst, Options::default());
    peer.play(&[
        INITIALIZE,
        r#"< {"jsonrpc":"2.0","id":"fake-ping","method":"ping"}"#,
        r#"> {"jsonrpc":"2.0","id":"fake-ping","result":{}}"#,
    ])
    .await;
    assert!(peer.hear().await.contains("protocolVersion"));
}

#[tokio::test(start_paused = true)]
async fn empty_probe_knows_nothing_and_says_so_with_an_empty_object() {
    let script = [PROBE, r#"< {"jsonrpc":"2.0","id":"d","result":{}}"#];
    check(Mode::EmptyProbe, &script).await;
    check_ready(Mode::EmptyProbe, &script).await;
}

#[tokio::test(start_paused = true)]
async fn progress_is_reported_to_the_token_given() {
    check_ready(
        Mode::Progress,
        &[
            r#"> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"progress","arguments":{"steps":2},"_meta":{"progressToken":"p"}}}"#,
            r#"< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1,"total":2,"message":"step 1"}}"#,
            r#"< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":2,"total":2,"message":"step 2"}}"#,
            r#"< {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"2 steps done"}]}}"#,
            r#"> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"progress","arguments":{"steps":2}}}"#,
            r#"< {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"2 steps done"}]}}"#,
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn junk_surrounds_the_answers_and_torn_writes_are_whole_lines() {
    let options = Options {
        chunk: Some(3),
        ..Options::default()
    };
    let mut peer = Peer::ready(Mode::Plain, options).await;
    peer.play(&[
        r#"> {"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"< {"jsonrpc":"2.0","id":1,"result":{}}"#,
    ])
    .await;

    // The first junk has a line that is no UTF-8, so this reads bytes.
    let (mut ours, theirs) = tokio::io::duplex(1 << 16);
    let (reader, writer) = tokio::io::split(theirs);
    let input = [INITIALIZE, INITIALIZED].map(|line| line.replacen("> ", "", 1));
    let write = tokio::io::AsyncWriteExt::write_all(&mut ours, input.join("\n").as_bytes()).await;
    write.expect("the pipe holds it");
    let server = tokio::spawn(crate::serve(
        Mode::JunkFirst,
        Options::default(),
        reader,
        writer,
    ));
    let mut output = Vec::new();
    tokio::io::AsyncWriteExt::shutdown(&mut ours)
        .await
        .expect("open");
    let read = tokio::io::AsyncReadExt::read_to_end(&mut ours, &mut output).await;
    read.expect("the server ends");
    assert_eq!(server.await.expect("no panic"), Exit::Closed);
    assert!(output.starts_with(b"fake-mcp-server is starting"));
    let text = String::from_utf8_lossy(&output);
    let answers = text.lines().filter(|line| line.contains("protocolVersion"));
    assert_eq!(answers.count(), 1, "{text}");
}
