//! Scripts of literal lines, run against the server over an in-memory duplex on paused time.

mod lists;
mod modern;
mod oddities;
mod plain;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex, split};
use tokio::io::{Lines, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;

use crate::{Exit, Mode, Options, serve};

pub(crate) const INITIALIZE: &str = r#"> {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
pub(crate) const INITIALIZED: &str = r#"> {"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The client's end.
pub(crate) struct Peer {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    server: JoinHandle<Exit>,
}

impl Peer {
    pub(crate) fn start(mode: Mode, options: Options) -> Peer {
        let (ours, theirs) = duplex(1 << 20);
        let (reader, writer) = split(theirs);
        let server = tokio::spawn(serve(mode, options, reader, writer));
        let (reader, writer) = split(ours);
        let lines = BufReader::new(reader).lines();
        Peer {
            lines,
            writer,
            server,
        }
    }

    /// A peer whose legacy handshake is over.
    pub(crate) async fn ready(mode: Mode, options: Options) -> Peer {
        let mut peer = Peer::start(mode, options);
        peer.say(INITIALIZE).await;
        assert!(peer.hear().await.contains("protocolVersion"));
        peer.say(INITIALIZED).await;
        peer
    }

    /// Sends one line; a leading `> ` is dropped.
    pub(crate) async fn say(&mut self, line: &str) {
        let line = format!("{}\n", line.strip_prefix("> ").unwrap_or(line));
        let written = self.writer.write_all(line.as_bytes()).await;
        written.expect("the server reads");
    }

    /// Sends `tools/call`; `arguments` is JSON text.
    pub(crate) async fn call(&mut self, id: u32, name: &str, arguments: &str) {
        let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
        self.request(id, "tools/call", &params).await;
    }

    pub(crate) async fn request(&mut self, id: u32, method: &str, params: &str) {
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        self.say(&line).await;
    }

    pub(crate) async fn hear(&mut self) -> String {
        let line = self.lines.next_line().await.expect("the server writes");
        line.expect("the server has not closed")
    }

    /// Plays `> ` and expects `< ` lines in order.
    pub(crate) async fn play(&mut self, script: &[&str]) {
        for line in script {
            match line.strip_prefix("< ") {
                Some(expected) => assert_eq!(self.hear().await, expected),
                None => self.say(line).await,
            }
        }
    }

    /// Waits for the server to end by itself.
    pub(crate) async fn ended(self) -> Exit {
        self.server.await.expect("no panic")
    }

    /// Ends the server's input and waits for it to end; what it still says is dropped.
    pub(crate) async fn close(mut self) -> Exit {
        self.writer.shutdown().await.expect("the pipe is open");
        self.server.await.expect("no panic")
    }
}

/// Plays a script against a fresh server.
pub(crate) async fn check(mode: Mode, script: &[&str]) {
    Peer::start(mode, Options::default()).play(script).await;
}

/// Plays a script after the legacy handshake.
pub(crate) async fn check_ready(mode: Mode, script: &[&str]) {
    let mut peer = Peer::ready(mode, Options::default()).await;
    peer.play(script).await;
}
