//! What is not ours may panic: it costs what it was called for.

use std::sync::Arc;

use mcp_proto::{Notification, Request, error_object};

use super::side::{pair, start};
use crate::{
    Answer, CloseReason, DriverOptions, Handler, Noise, Peer, RequestOptions, RpcError, connect,
};

/// Panics at everything but `echo`.
struct Fragile;

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            panic!("as asked");
        }
    }
}

impl Handler for Fragile {
    fn request(&self, request: Request, _: &Peer) -> Answer {
        match &*request.method {
            "echo" => Answer::Now(Ok(request.params.unwrap_or_default())),
            "now" => panic!("as asked"),
            "later" => Answer::later(async { panic!("as asked") }),
            _ => {
                let fragile = PanicsWhenDropped;
                Answer::later(async move {
                    tokio::task::yield_now().await;
                    drop(fragile);
                    Ok(request.params.unwrap_or_default())
                })
            }
        }
    }

    fn notification(&self, _: Notification, _: &Peer) {
        panic!("as asked");
    }

    fn noise(&self, _: Noise<'_>) {
        panic!("as asked");
    }
}

#[tokio::test]
async fn a_handler_that_panics_costs_one_answer() {
    let (near, (reader, writer)) = pair();
    let (peer, ..) = start(near, DriverOptions::default());
    let (other, driver) = connect(reader, writer, Arc::new(Fragile), DriverOptions::default());
    let driver = tokio::spawn(driver);
    let ask = |method| {
        peer.request(
            method,
            |out, _| out.extend(b"{}"),
            RequestOptions::default(),
        )
    };
    for method in ["now", "later", "dropped"] {
        peer.notify("panic", None);
        let Err(RpcError::Error(error)) = ask(method).await else {
            panic!("{method} was answered")
        };
        assert_eq!(error.code, error_object::INTERNAL_ERROR, "{method}");
        assert!(ask("echo").await.is_ok());
        assert_eq!(other.shared.lock().conversation.serving(), 0);
    }
    peer.close();
    assert!(matches!(driver.await.unwrap(), CloseReason::Eof));
}

#[tokio::test]
async fn a_progress_sink_that_panics_costs_nothing_more() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, ..) = start(right, DriverOptions::default());
    let options = RequestOptions {
        progress: Some(Arc::new(|_| panic!("as asked"))),
        ..RequestOptions::default()
    };
    let asked = peer.request("progress", |out, _| out.extend(b"{}"), options);
    assert!(asked.await.is_ok());
}

#[tokio::test]
async fn parameters_that_panic_leave_no_waiter_and_no_half_line() {
    let (left, right) = pair();
    let (peer, ..) = start(left, DriverOptions::default());
    let (_other, side, _) = start(right, DriverOptions::default());
    let caller = tokio::spawn({
        let peer = peer.clone();
        async move {
            let write = |out: &mut Vec<u8>, _: &_| {
                out.extend(b"{\"half");
                panic!("as asked")
            };
            drop(peer.send("echo", write, RequestOptions::default()));
        }
    });
    assert!(caller.await.is_err());
    assert_eq!(peer.shared.lock().conversation.waiting(), 0);
    assert!(super::side::echo(&peer, "{}").await.is_ok());
    // Only the cancellation of what was never sent.
    assert_eq!(side.noise.load(std::sync::atomic::Ordering::SeqCst), 1);
}
