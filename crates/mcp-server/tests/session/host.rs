//! A host that speaks in literal lines over a pipe in memory, and a server that does what it is told.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::notifications::Progress;
use mcp_proto::prompt::GetPromptParams;
use mcp_proto::resource::ReadResourceParams;
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, Raw};
use mcp_server::{
    CacheScope, ClientDescription, CloseReason, List, ProgressReporter, Reply, RequestContext,
    ServeOptions, ServerDescription, ServerHandler, serve,
};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

/// The envelope of a modern request, to be put into its `params`.
pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// The `_meta` of a modern result.
pub(crate) const SERVER: &str =
    r#""_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"1"}}"#;

/// Tools: `raw` answers its own arguments as the result, `wait` when it is let go, `progress` after
/// telling of it, `panic` not at all.
pub(crate) struct Fixture {
    pub(crate) capabilities: ServerCapabilities,
    pub(crate) tools: watch::Sender<u64>,
    pub(crate) prompts: watch::Sender<u64>,
    pub(crate) items: Vec<Raw>,
    pub(crate) go: Notify,
    pub(crate) dropped: AtomicUsize,
    pub(crate) hold_lists: bool,
    pub(crate) connected: watch::Sender<String>,
    pub(crate) reporter: Mutex<Option<ProgressReporter>>,
}

impl Default for Fixture {
    fn default() -> Self {
        Fixture {
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                ..ServerCapabilities::default()
            },
            tools: watch::Sender::new(0),
            prompts: watch::Sender::new(0),
            items: vec![raw(r#"{"name" : "a"}"#)],
            go: Notify::new(),
            dropped: AtomicUsize::new(0),
            hold_lists: false,
            connected: watch::Sender::new(String::new()),
            reporter: Mutex::new(None),
        }
    }
}

pub(crate) fn raw(text: &str) -> Raw {
    Raw::parse(text).unwrap()
}

pub(crate) fn half() -> Progress {
    Progress {
        progress: 1.0,
        total: Some(2.5),
        message: Some("half".to_owned()),
    }
}

struct Dropped<'a>(&'a AtomicUsize);

impl Drop for Dropped<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl ServerHandler for Fixture {
    fn describe(&self) -> ServerDescription {
        ServerDescription {
            capabilities: self.capabilities.clone(),
            instructions: Some("Ask.".to_owned()),
            ttl_ms: 7,
            cache_scope: CacheScope::Public,
            ..ServerDescription::new("fixture", "1")
        }
    }

    async fn list(&self, _: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        if self.hold_lists {
            self.go.notified().await;
        }
        Ok(List::new(self.items.clone()))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        cx: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let _dropped = Dropped(&self.dropped);
        match params.name.as_str() {
            "raw" => Ok(params.arguments.unwrap_or_default().into()),
            "who" => {
                let name = cx.client.info.as_ref().map_or("", |info| &info.name);
                Ok(Reply::text(format!("{name} {}", cx.revision)))
            }
            "wait" => {
                self.go.notified().await;
                Ok(Reply::text("gone"))
            }
            "progress" => {
                cx.progress(half());
                *self.reporter.lock().unwrap() = cx.progress_reporter();
                Ok(Reply::empty())
            }
            "panic" => panic!("as it was told"),
            other => Err(mcp_server::unknown_tool(other)),
        }
    }

    async fn read_resource(
        &self,
        params: ReadResourceParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        match params.uri.as_str() {
            "test://missing" => Err(ErrorObject::new(
                mcp_proto::error_object::RESOURCE_NOT_FOUND,
                "no such resource",
            )),
            _ => Ok(raw(r#"{"contents":[ ]}"#).into()),
        }
    }

    async fn get_prompt(
        &self,
        _: GetPromptParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        Ok(raw(r#"{"messages":[ ]}"#).into())
    }

    fn changes(&self, kind: ListKind) -> Option<watch::Receiver<u64>> {
        match kind {
            ListKind::Tools => Some(self.tools.subscribe()),
            ListKind::Prompts => Some(self.prompts.subscribe()),
            _ => None,
        }
    }

    fn connected(&self, client: &ClientDescription) {
        let name = client.info.as_ref().map(|info| info.name.clone());
        self.connected.send_replace(name.unwrap_or_default());
    }
}

/// The far end of a session.
pub(crate) struct Host {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    pub(crate) session: JoinHandle<CloseReason>,
}

impl Host {
    pub(crate) fn of(handler: Arc<dyn ServerHandler>, options: ServeOptions) -> Host {
        let (near, far) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(far);
        let session = tokio::spawn(serve(handler, reader, writer, options));
        let (reader, writer) = tokio::io::split(near);
        Host {
            lines: BufReader::new(reader).lines(),
            writer,
            session,
        }
    }

    pub(crate) fn start(fixture: Fixture) -> (Host, Arc<Fixture>) {
        let fixture = Arc::new(fixture);
        let host = Host::of(fixture.clone(), ServeOptions::default());
        (host, fixture)
    }

    pub(crate) async fn send(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.writer.write_all(line.as_bytes()).await.unwrap();
    }

    /// The next line; a test that waits for a line which never comes hangs, and is ended by its runner.
    pub(crate) async fn line(&mut self) -> String {
        self.lines.next_line().await.unwrap().expect("a line")
    }

    pub(crate) async fn ask(&mut self, line: &str) -> String {
        self.send(line).await;
        self.line().await
    }

    /// Asserts that one line is answered by one other.
    pub(crate) async fn check(&mut self, line: &str, answer: &str) {
        assert_eq!(self.ask(line).await, answer, "{line}");
    }

    /// Asserts that nothing has been sent that was not read: a ping is answered next.
    pub(crate) async fn is_quiet(&mut self) {
        // Whoever was woken by what happened before gets to run before the ping is read.
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        let pong = r#"{"jsonrpc":"2.0","id":"quiet","result":{}}"#;
        self.check(r#"{"jsonrpc":"2.0","id":"quiet","method":"ping"}"#, pong)
            .await;
    }

    pub(crate) async fn shake_hands(&mut self) {
        self.ask(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"2"}}}"#).await;
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
    }

    pub(crate) async fn close_input(&mut self) {
        self.writer.shutdown().await.unwrap();
    }

    /// The lines that are left, up to the end of the stream.
    pub(crate) async fn rest(&mut self) -> Vec<String> {
        let mut rest = Vec::new();
        while let Some(line) = self.lines.next_line().await.unwrap() {
            rest.push(line);
        }
        rest
    }
}
