//! A client of a few lines that knows nothing of us: what a server really has.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::home::Home;
use crate::installed::PublicServer;
use crate::until::LIMIT;

/// The tools that a public server lists when it is asked directly, in the legacy era and by a client
/// without capabilities.
pub async fn tools_of(server: PublicServer) -> Vec<Value> {
    let exchange = timeout(LIMIT, list(server)).await;
    exchange.unwrap_or_else(|_| panic!("{}: no list within {LIMIT:?}", server.id()))
}

async fn list(server: PublicServer) -> Vec<Value> {
    let home = Home::make();
    let mut child = home
        .command(&server.command())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut pipes = Pipes {
        input: child.stdin.take().unwrap(),
        output,
    };
    let client = json!({ "name": "posthouse-tests", "version": "1.0.0" });
    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    pipes.ask(1, "initialize", &hello).await;
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    pipes.send(&initialized).await;
    let mut list = pipes.ask(2, "tools/list", &json!({})).await;
    assert_eq!(list.get("nextCursor"), None, "{}", server.id());
    // Otherwise the search for what is left would find nothing of whatever is there.
    assert!(!home.processes().is_empty(), "{}", server.id());
    drop(pipes);
    child.kill().await.unwrap();
    match list["tools"].take() {
        Value::Array(tools) => tools,
        other => panic!("{}: not a list: {other}", server.id()),
    }
}

struct Pipes {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Pipes {
    async fn send(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes()).await.unwrap();
    }

    /// The result; whatever else the server says meanwhile is passed over.
    async fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(&request).await;
        loop {
            let line = self.output.next_line().await.unwrap();
            let line = line.unwrap_or_else(|| panic!("no answer to {method}"));
            let mut message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id && message.get("method").is_none() {
                return message["result"].take();
            }
        }
    }
}
