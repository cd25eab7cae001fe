//! One side of a conversation under test, and how two are put together.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use mcp_proto::notifications::Progress;
use mcp_proto::{ErrorObject, Notification, Raw, Request};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split,
};
use tokio::sync::Notify;

use crate::{
    Answer, CloseReason, DriverOptions, Handler, Noise, Peer, Pending, RequestOptions, connect,
};

/// Answers `echo` at once, `wait` when it is let go, `nest` after asking back; counts what it drops.
#[derive(Default)]
pub(super) struct Side {
    pub(super) told: Mutex<Vec<String>>,
    pub(super) noise: AtomicUsize,
    pub(super) go: Notify,
    pub(super) dropped: Arc<AtomicUsize>,
}

struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

pub(super) struct Shared(pub(super) Arc<Side>);

impl Handler for Shared {
    fn request(&self, request: Request, peer: &Peer) -> Answer {
        match request.method.as_ref() {
            "echo" => Answer::Now(Ok(request.params.unwrap_or_default())),
            "wait" => {
                let side = self.0.clone();
                let guard = Dropped(self.0.dropped.clone());
                Answer::later(async move {
                    side.go.notified().await;
                    drop(guard);
                    Ok(Raw::empty_object())
                })
            }
            "begin" => {
                let side = self.0.clone();
                let guard = Dropped(self.0.dropped.clone());
                Answer::later(async move {
                    side.told.lock().unwrap().push("begun".to_owned());
                    drop(guard);
                    Ok(Raw::empty_object())
                })
            }
            "nest" => {
                let peer = peer.clone();
                Answer::later(async move {
                    let asked = peer
                        .request(
                            "echo",
                            |out, _| out.extend(b"[7]"),
                            RequestOptions::default(),
                        )
                        .await;
                    asked.map_err(|error| ErrorObject::new(1, error.to_string()))
                })
            }
            "progress" => {
                for step in 1..=3 {
                    let progress = Progress {
                        progress: f64::from(step),
                        total: None,
                        message: None,
                    };
                    peer.progress(&request.id, &progress);
                }
                Answer::Now(Ok(Raw::empty_object()))
            }
            other => Answer::Now(Err(ErrorObject::method_not_found(other))),
        }
    }

    fn notification(&self, notification: Notification, _: &Peer) {
        self.0.told.lock().unwrap().push(notification.method.into());
    }

    fn noise(&self, _: Noise<'_>) {
        self.0.noise.fetch_add(1, Ordering::SeqCst);
    }
}

/// The other side as literal lines.
pub(super) struct Lines {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
}

impl Lines {
    pub(super) fn start(
        options: DriverOptions,
    ) -> (Self, Arc<Side>, Peer, tokio::task::JoinHandle<CloseReason>) {
        let ((reader, writer), far) = pair();
        let (peer, side, driver) = start(far, options);
        let lines = Lines {
            reader: BufReader::new(reader),
            writer,
        };
        (lines, side, peer, driver)
    }

    /// The two ends apart.
    pub(super) fn take_apart(self) -> (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>) {
        (self.reader.into_inner(), self.writer)
    }

    /// Writes lines in one piece.
    pub(super) async fn say(&mut self, lines: &[&str]) {
        let text = lines.join("\n") + "\n";
        self.writer.write_all(text.as_bytes()).await.unwrap();
    }

    /// The next line.
    pub(super) async fn next(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).await.unwrap();
        line.truncate(line.trim_end().len());
        line
    }
}

pub(super) type Half = (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>);

pub(super) fn start(
    (reader, writer): Half,
    options: DriverOptions,
) -> (Peer, Arc<Side>, tokio::task::JoinHandle<CloseReason>) {
    let side = Arc::new(Side::default());
    let (peer, driver) = connect(reader, writer, Arc::new(Shared(side.clone())), options);
    (peer, side, tokio::spawn(driver))
}

pub(super) fn pair() -> (Half, Half) {
    let (left, right) = tokio::io::duplex(1 << 16);
    (split(left), split(right))
}

pub(super) fn echo(peer: &Peer, text: &str) -> Pending {
    let text = text.to_owned();
    peer.send(
        "echo",
        move |out, _| out.extend(text.bytes()),
        RequestOptions::default(),
    )
}
