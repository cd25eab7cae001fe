//! The queue of everything that goes out, and the loop that writes it.
//!
//! The end of the run goes through the same queue, so that answers before it are written first.

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use crate::Exit;

enum Item {
    Bytes(Vec<u8>),
    Exit(Exit),
}

/// The sending end; cheap to clone.
#[derive(Clone)]
pub(crate) struct Outbox(mpsc::UnboundedSender<Item>);

/// The receiving end.
pub(crate) struct Queue(mpsc::UnboundedReceiver<Item>);

impl Outbox {
    pub(crate) fn new() -> (Outbox, Queue) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Outbox(sender), Queue(receiver))
    }

    /// Queues one message; the line end is added here.
    pub(crate) fn line(&self, message: String) {
        let mut bytes = message.into_bytes();
        bytes.push(b'\n');
        self.bytes(bytes);
    }

    /// Queues bytes as they are.
    pub(crate) fn bytes(&self, bytes: impl Into<Vec<u8>>) {
        self.put(Item::Bytes(bytes.into()));
    }

    /// Ends the run once everything queued so far is written.
    pub(crate) fn exit(&self, exit: Exit) {
        self.put(Item::Exit(exit));
    }

    fn put(&self, item: Item) {
        // A closed queue means that the run is over: nobody is left to tell.
        self.0.send(item).ok();
    }
}

impl Queue {
    /// Writes until the queue says exit, or the peer is gone and `stubborn` is not set.
    pub(crate) async fn write_to(
        mut self,
        mut writer: impl AsyncWrite + Unpin,
        chunk: Option<usize>,
        stubborn: bool,
    ) -> Exit {
        while let Some(item) = self.0.recv().await {
            let bytes = match item {
                Item::Bytes(bytes) => bytes,
                Item::Exit(exit) => return exit,
            };
            let size = chunk.unwrap_or(bytes.len()).max(1);
            for piece in bytes.chunks(size) {
                let written = writer.write_all(piece).await.is_ok() && writer.flush().await.is_ok();
                if !written && !stubborn {
                    return Exit::Closed;
                }
            }
        }
        Exit::Closed
    }
}
