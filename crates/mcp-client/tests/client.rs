//! The client against every way in which a server can behave, over a pipe in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use fake_mcp_server::{Mode, Options, serve};
use mcp_client::{
    CallOptions, Channel, Client, ClientError, ClientOptions, Era, HandshakeError, ListError,
    ListLimits, ToolCall, Transport,
};
use mcp_proto::lifecycle::Implementation;
use mcp_proto::list::ListKind;
use mcp_proto::{Raw, RawObject};
use tokio::io::split;
use workspace::StderrSink;

struct Fake {
    mode: Mode,
    options: Options,
    opened: AtomicUsize,
}

#[async_trait]
impl Transport for Fake {
    async fn open(&self, _: StderrSink) -> Result<Channel, ClientError> {
        self.opened.fetch_add(1, Ordering::SeqCst);
        let (near, far) = tokio::io::duplex(1 << 16);
        let (mode, options) = (self.mode, self.options.clone());
        tokio::spawn(async move {
            let (reader, writer) = split(far);
            serve(mode, options, reader, writer).await;
        });
        let (reader, writer) = split(near);
        Ok(Channel {
            reader: Box::new(reader),
            writer: Box::new(writer),
            process: None,
        })
    }
}

fn options() -> ClientOptions {
    ClientOptions::new(Implementation::new("test", "1"))
}

async fn start_with(mode: Mode, fake: Options, options: ClientOptions) -> (Client, Arc<Fake>) {
    let fake = Arc::new(Fake {
        mode,
        options: fake,
        opened: AtomicUsize::new(0),
    });
    (
        Client::start("fake", fake.clone(), options).await.unwrap(),
        fake,
    )
}

async fn start(mode: Mode) -> Client {
    let (client, _) = start_with(mode, Options::default(), options()).await;
    client
}

async fn ready(mode: Mode) -> Client {
    let client = start(mode).await;
    client.ready().await.unwrap();
    client
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(name, Some(Raw::parse(arguments).unwrap()))
}

async fn text(client: &Client, name: &str, arguments: &str) -> String {
    let result = client
        .call_tool(&call(name, arguments), CallOptions::default())
        .await
        .unwrap();
    let result: serde_json::Value = serde_json::from_str(result.get()).unwrap();
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

async fn received(client: &Client, method: &str) -> u64 {
    let count: serde_json::Value =
        serde_json::from_str(&text(client, "count", "{}").await).unwrap();
    count["received"][method].as_u64().unwrap_or(0)
}

async fn names(client: &Client) -> Result<Vec<String>, ClientError> {
    let (tools, _) = client.list_tools(CallOptions::default()).await?;
    Ok(tools
        .tools()
        .iter()
        .map(|tool| tool.tool.name.clone())
        .collect())
}

#[tokio::test(start_paused = true)]
async fn every_server_that_can_be_talked_to_is_ready_in_the_era_it_speaks() {
    for (mode, revision, opened) in [
        (Mode::Plain, "2025-11-25", 1),
        (Mode::JunkFirst, "2025-11-25", 1),
        (Mode::Old, "2024-11-05", 1),
        (Mode::Modern, "2026-07-28", 1),
        (Mode::SilentProbe, "2025-11-25", 1),
        (Mode::EmptyProbe, "2025-11-25", 1),
        (Mode::ExitOnProbe, "2025-11-25", 2),
        (Mode::PingFirst, "2025-11-25", 1),
        (Mode::ResourcesOnly, "2025-11-25", 1),
    ] {
        let (client, fake) = start_with(mode, Options::default(), options()).await;
        let session = client
            .ready()
            .await
            .unwrap_or_else(|error| panic!("{mode}: {error}"));
        assert_eq!(session.revision.as_str(), revision, "{mode}");
        assert_eq!(
            session.instructions,
            Some(format!("Fake server in mode {mode}.")),
            "{mode}"
        );
        assert_eq!(fake.opened.load(Ordering::SeqCst), opened, "{mode}");
        if mode.has_tools() {
            assert_eq!(
                text(&client, "echo", r#"{"text":"hi"}"#).await,
                "hi",
                "{mode}"
            );
        }
        client.shutdown().await;
        assert!(!client.is_alive(), "{mode}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_known_era_is_not_probed_for() {
    let known = ClientOptions {
        era: Some(Era::Legacy),
        ..options()
    };
    let (client, fake) = start_with(Mode::ExitOnProbe, Options::default(), known).await;
    client.ready().await.unwrap();
    assert_eq!(fake.opened.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn slow_initialize_is_waited_for_and_never_cancelled() {
    let slow = Options {
        delay: Some(Duration::from_secs(16 * 60)),
        ..Options::default()
    };
    let (client, _) = start_with(Mode::SlowInitialize, slow, options()).await;
    assert!(
        tokio::time::timeout(Duration::from_secs(15 * 60), client.ready())
            .await
            .is_err()
    );
    assert!(client.is_alive() && !client.is_ready());
    client.ready().await.unwrap();
    assert_eq!(received(&client, "notifications/cancelled").await, 0);
}

#[tokio::test]
async fn list_tools_paginates() {
    let client = ready(Mode::ToolsListPaged).await;
    assert_eq!(
        names(&client).await.unwrap(),
        [
            "echo", "add", "pid", "sleep", "fail", "count", "env", "stderr"
        ]
    );
    assert_eq!(received(&client, "tools/list").await, 3);
    let (_, instructions) = client.list_tools(CallOptions::default()).await.unwrap();
    assert_eq!(
        instructions.as_deref(),
        Some("Fake server in mode tools-list-paged.")
    );
}

#[tokio::test]
async fn list_tools_page_cap_errors() {
    let error = names(&ready(Mode::ToolsListEndless).await)
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            ClientError::List(ListError::TooLong {
                limit: 20,
                what: "pages",
                pages: 20,
                ..
            })
        ),
        "{error}"
    );
    let error = names(&ready(Mode::SameCursor).await).await.unwrap_err();
    assert!(
        matches!(error, ClientError::List(ListError::CursorRepeats { .. })),
        "{error}"
    );
}

#[tokio::test]
async fn empty_cursors_and_bad_tools_cost_no_list() {
    assert!(
        names(&ready(Mode::EmptyCursor).await)
            .await
            .unwrap()
            .contains(&"second_page".to_owned())
    );
    let client = ready(Mode::EmptyCursorLoop).await;
    let (tools, _) = client.list_tools(CallOptions::default()).await.unwrap();
    assert_eq!((tools.len(), tools.warnings().len()), (8, 1));
    let client = ready(Mode::BadSchema).await;
    let (tools, _) = client.list_tools(CallOptions::default()).await.unwrap();
    assert!(tools.get("echo").is_some() && tools.get("no_schema").is_some());
    assert!(tools.get("text_schema").is_none());
    assert_eq!(tools.warnings().len(), 5);
    let client = ready(Mode::DuplicateNames).await;
    let (tools, _) = client.list_tools(CallOptions::default()).await.unwrap();
    assert_eq!((tools.len(), tools.warnings().len()), (8, 1));
}

#[tokio::test]
async fn ten_thousand_tools_in_ten_pages() {
    let client = ready(Mode::BigList).await;
    assert_eq!(names(&client).await.unwrap().len(), 10_000);
    let few = ClientOptions {
        list_limits: ListLimits {
            max_items: 9_999,
            ..ListLimits::default()
        },
        ..options()
    };
    let (client, _) = start_with(Mode::BigList, Options::default(), few).await;
    client.ready().await.unwrap();
    assert!(matches!(
        names(&client).await,
        Err(ClientError::List(ListError::TooLong { what: "items", .. }))
    ));
}

#[tokio::test(start_paused = true)]
async fn list_tools_requires_ready() {
    let client = start(Mode::NoInitialize).await;
    assert!(matches!(
        names(&client).await,
        Err(ClientError::NotReady { .. })
    ));
}

#[tokio::test]
async fn list_tools_carries_annotations() {
    let client = ready(Mode::Annotations).await;
    let (tools, _) = client.list_tools(CallOptions::default()).await.unwrap();
    let hint = |name: &str| {
        let annotations = tools.get(name).unwrap().tool.annotations.clone();
        annotations.and_then(|annotations| annotations.read_only_hint)
    };
    assert_eq!(
        [hint("reads"), hint("writes"), hint("undeclared")],
        [Some(true), Some(false), None]
    );
}

#[tokio::test(start_paused = true)]
async fn call_tool_before_ready_is_not_ready() {
    let advice = ClientOptions {
        not_ready_advice: Some("Use grep meanwhile.".into()),
        ..options()
    };
    let (client, _) = start_with(Mode::NoInitialize, Options::default(), advice).await;
    let error = client
        .call_tool(&call("echo", "{}"), CallOptions::default())
        .await
        .unwrap_err();
    assert!(matches!(&error, ClientError::NotReady { advice } if advice == "Use grep meanwhile."));
    assert_eq!(error.to_string(), "Use grep meanwhile.");
}

#[tokio::test(start_paused = true)]
async fn dead_process_is_not_not_ready() {
    let client = start(Mode::ExitAtOnce).await;
    let error = client.ready().await.unwrap_err();
    assert!(
        matches!(
            error,
            ClientError::Handshake {
                reason: HandshakeError::Exited,
                ..
            }
        ),
        "{error}"
    );
    let error = client
        .call_tool(&call("echo", "{}"), CallOptions::default())
        .await
        .unwrap_err();
    assert!(!matches!(error, ClientError::NotReady { .. }), "{error}");
    let client = ready(Mode::DieOnCall).await;
    let error = client
        .call_tool(&call("die", "{}"), CallOptions::default())
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Disconnected(_)), "{error}");
    let error = client
        .call_tool(&call("echo", "{}"), CallOptions::default())
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Gone(_)), "{error}");
    assert!(!client.is_alive());
}

#[tokio::test(start_paused = true)]
async fn request_deadline_is_the_smaller_one() {
    let short = ClientOptions {
        request_timeout: Duration::from_secs(10),
        ..options()
    };
    let (client, _) = start_with(Mode::Hang, Options::default(), short).await;
    client.ready().await.unwrap();
    let from_now =
        |seconds| Some((tokio::time::Instant::now() + Duration::from_secs(seconds)).into_std());
    for (deadline, timeout, seconds) in [
        (Some(4), None, 4),
        (Some(60), None, 10),
        (Some(60), Some(180), 60),
        (None, Some(180), 180),
        (None, None, 10),
    ] {
        let begin = tokio::time::Instant::now();
        let options = CallOptions {
            deadline: deadline.and_then(from_now),
            timeout: timeout.map(Duration::from_secs),
            progress: None,
        };
        let error = client
            .call_tool(&call("echo", "{}"), options)
            .await
            .unwrap_err();
        assert!(matches!(error, ClientError::Timeout { .. }), "{error}");
        assert_eq!(begin.elapsed().as_secs(), seconds);
    }
}

#[tokio::test]
async fn manager_concurrent_calls_stay_framed_and_reversed_answers_are_paired() {
    let client = ready(Mode::Reverse).await;
    let calls = ["a", "b", "c"].map(|name| {
        let client = client.clone();
        tokio::spawn(async move { text(&client, "echo", &format!(r#"{{"text":"{name}"}}"#)).await })
    });
    for (call, name) in calls.into_iter().zip(["a", "b", "c"]) {
        assert_eq!(call.await.unwrap(), name);
    }
}

#[tokio::test]
async fn a_dropped_call_is_cancelled() {
    let client = ready(Mode::Plain).await;
    let long = call("sleep", r#"{"ms":600000}"#);
    {
        let call = client.call_tool(&long, CallOptions::default());
        tokio::pin!(call);
        // One poll sends it.
        assert!(futures_pending(call.as_mut()).await);
    }
    let count: serde_json::Value =
        serde_json::from_str(&text(&client, "count", "{}").await).unwrap();
    assert_eq!(count["cancelled"].as_array().unwrap().len(), 1, "{count}");
}

async fn futures_pending<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
    std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).is_pending())).await
}

#[tokio::test]
async fn a_change_announced_before_the_handshake_is_not_lost() {
    let client = ready(Mode::NotifyBeforeInit).await;
    assert_eq!(*client.changes(ListKind::Tools).borrow(), 1);
}

#[tokio::test]
async fn a_change_in_mid_call_does_not_deadlock_in_either_era() {
    for mode in [Mode::ListChanged, Mode::Modern] {
        let client = ready(mode).await;
        let mut changes = client.changes(ListKind::Tools);
        text(&client, "grow", "{}").await;
        changes.wait_for(|count| *count > 0).await.unwrap();
        assert!(
            names(&client).await.unwrap().contains(&"grown".to_owned()),
            "{mode}"
        );
    }
}

#[tokio::test]
async fn progress_reaches_the_caller() {
    let client = ready(Mode::Progress).await;
    let seen = Arc::new(AtomicUsize::new(0));
    let sink = seen.clone();
    let options = CallOptions {
        progress: Some(Arc::new(move |_| {
            sink.fetch_add(1, Ordering::SeqCst);
        })),
        ..CallOptions::default()
    };
    client
        .call_tool(&call("progress", r#"{"steps":4}"#), options)
        .await
        .unwrap();
    assert_eq!(seen.load(Ordering::SeqCst), 4);
}

#[tokio::test]
async fn bytes_pass_unchanged_both_ways() {
    let client = ready(Mode::BigNumbers).await;
    let (tools, _) = client.list_tools(CallOptions::default()).await.unwrap();
    assert_eq!(
        tools.get("numbers").unwrap().raw.get(),
        fake_mcp_server::big_numbers::TOOL
    );
    let result = client
        .call_tool(&call("numbers", "{}"), CallOptions::default())
        .await
        .unwrap();
    assert_eq!(result.get(), fake_mcp_server::big_numbers::RESULT);
    let odd = r#"{"n" : 1e400, "big":123456789012345678901234567890,"u":"\u0041"}"#;
    assert_eq!(text(&client, "raw", odd).await, odd);
}

#[tokio::test]
async fn refusals_and_tool_errors_are_told_apart() {
    let client = ready(Mode::Plain).await;
    let error = client
        .call_tool(&call("no_such_tool", "{}"), CallOptions::default())
        .await
        .unwrap_err();
    assert!(matches!(error, ClientError::Rpc(error) if error.code == -32602));
    let failed = client
        .call_tool(&call("fail", "{}"), CallOptions::default())
        .await
        .unwrap();
    assert_eq!(
        RawObject::parse(&failed).unwrap().get_as("isError"),
        Some(true)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn is_alive_stays_race_free_while_shutdown_reaps_child() {
    for _ in 0..200 {
        let client = ready(Mode::Plain).await;
        let watcher = client.clone();
        let begin = Instant::now();
        let watching = tokio::task::spawn_blocking(move || {
            while watcher.is_alive() {
                assert!(begin.elapsed() < Duration::from_secs(20));
                std::hint::spin_loop();
            }
        });
        client.shutdown().await;
        watching.await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn dropping_the_last_handle_ends_the_session() {
    let (near, far) = tokio::io::duplex(1024);
    struct Once(std::sync::Mutex<Option<tokio::io::DuplexStream>>);
    #[async_trait]
    impl Transport for Once {
        async fn open(&self, _: StderrSink) -> Result<Channel, ClientError> {
            let (reader, writer) = split(self.0.lock().unwrap().take().unwrap());
            Ok(Channel {
                reader: Box::new(reader),
                writer: Box::new(writer),
                process: None,
            })
        }
    }
    let client = Client::start(
        "x",
        Arc::new(Once(std::sync::Mutex::new(Some(near)))),
        options(),
    )
    .await
    .unwrap();
    let server = tokio::spawn(async move {
        let (reader, writer) = split(far);
        serve(Mode::Plain, Options::default(), reader, writer).await
    });
    client.ready().await.unwrap();
    drop(client);
    assert_eq!(server.await.unwrap().code(), 0);
}
