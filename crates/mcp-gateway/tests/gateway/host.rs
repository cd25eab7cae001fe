//! A host that speaks in literal lines over a pipe in memory.

use mcp_gateway::Surface;
use mcp_server::{ServeOptions, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

use crate::world::World;

/// The envelope of a modern request, to be put into its `params`.
pub(crate) const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

/// What a legacy host is told when the tools are others.
pub(crate) const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

pub(crate) struct Host {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    /// Dropping the host ends its session.
    session: tokio::task::JoinHandle<mcp_server::CloseReason>,
}

impl Drop for Host {
    fn drop(&mut self) {
        self.session.abort();
    }
}

impl Host {
    /// A host that has said nothing yet.
    pub(crate) fn connect(world: &World, surface: &Surface) -> Host {
        let handler = world.gateway.session(surface).unwrap();
        let (near, far) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(far);
        let session = tokio::spawn(serve(handler, reader, writer, ServeOptions::default()));
        let (reader, writer) = tokio::io::split(near);
        Host {
            lines: BufReader::new(reader).lines(),
            writer,
            session,
        }
    }

    /// A host of 2025-11-25 after its handshake.
    pub(crate) async fn legacy(world: &World, surface: &Surface) -> Host {
        let mut host = Host::connect(world, surface);
        host.initialize().await;
        host.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        host
    }

    pub(crate) async fn initialize(&mut self) -> Value {
        let answer = self.ask(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"2"}}}"#).await;
        value(&answer)["result"].clone()
    }

    pub(crate) async fn send(&mut self, line: &str) {
        self.writer
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
    }

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

    /// The result of a request without parameters.
    pub(crate) async fn result(&mut self, method: &str) -> Value {
        self.result_of(method, json!({})).await
    }

    /// The result of a request; what was announced before it is passed over.
    pub(crate) async fn result_of(&mut self, method: &str, params: Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        self.send(&request.to_string()).await;
        loop {
            let answer = value(&self.line().await);
            if answer["id"] == 7 {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].clone();
            }
        }
    }

    /// The result of calling a tool.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.result_of("tools/call", params).await
    }

    /// What the tool `mcp` says, and whether it is an error.
    pub(crate) async fn mcp(&mut self, arguments: Value) -> (String, bool) {
        let result = self.call("mcp", arguments).await;
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        (text.to_owned(), result["isError"] == true)
    }

    /// What the tool `mcp` says; it must not be an error.
    pub(crate) async fn says(&mut self, arguments: Value) -> String {
        let (text, is_error) = self.mcp(arguments).await;
        assert!(!is_error, "{text}");
        text
    }

    /// What the tool `mcp` says; it must be an error.
    pub(crate) async fn refuses(&mut self, arguments: Value) -> String {
        let (text, is_error) = self.mcp(arguments).await;
        assert!(is_error, "{text}");
        text
    }

    /// The names in the list of tools.
    pub(crate) async fn names(&mut self) -> Vec<String> {
        let listed = self.result("tools/list").await;
        let tools = listed["tools"].as_array().unwrap();
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        tools.iter().map(name).collect()
    }

    /// Asserts that nothing has been sent that was not read: a ping is answered next.
    pub(crate) async fn is_quiet(&mut self) {
        for _ in 0..40 {
            tokio::task::yield_now().await;
        }
        let pong = r#"{"jsonrpc":"2.0","id":"quiet","result":{}}"#;
        self.check(r#"{"jsonrpc":"2.0","id":"quiet","method":"ping"}"#, pong)
            .await;
    }
}

pub(crate) fn value(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

pub(crate) fn pass_through(server: &str) -> Surface {
    Surface::PassThrough(server.to_owned())
}
