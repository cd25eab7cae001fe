//! An other side that reads slowly, or not at all.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::time::{Instant, sleep};

use super::choppy::Choppy;
use super::side::{Lines, Shared, Side, echo};
use crate::{CloseReason, DriverOptions, RequestOptions, RpcError, connect};

const MIB: usize = 1 << 20;

fn long(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes))
}

fn limited(seconds: u64) -> DriverOptions {
    DriverOptions {
        write_limit: Some(Duration::from_secs(seconds)),
        ..DriverOptions::default()
    }
}

#[tokio::test(start_paused = true)]
async fn an_other_side_that_reads_nothing_ends_the_conversation() {
    let (_lines, _side, peer, driver) = Lines::start(limited(60));
    let begin = Instant::now();
    let call = echo(&peer, &long(MIB));
    let waiting = tokio::spawn({
        let peer = peer.clone();
        async move {
            tokio::task::yield_now().await;
            drop(echo(&peer, &long(2 * MIB)));
            peer.request("echo", |_, _| (), RequestOptions::default())
                .await
        }
    });
    let Err(RpcError::Closed(reason)) = call.await else {
        panic!("no end")
    };
    assert!(matches!(reason, CloseReason::NotReading(limit) if limit.as_secs() == 60));
    assert_eq!(begin.elapsed().as_secs(), 60);
    let reason = driver.await.unwrap();
    assert_eq!(reason.to_string(), "the other side read nothing for 60 s");
    assert!(matches!(waiting.await.unwrap(), Err(RpcError::Closed(_))));
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_may_take_as_long_as_it_likes() {
    let (near, far) = tokio::io::duplex(1024);
    // A kilobyte every second, for half an hour.
    let slow = Choppy::new(near, vec![(1024, 1000)]);
    let (reader, mut writer) = tokio::io::split(slow);
    let (far_reader, far_writer) = tokio::io::split(far);
    let side = Arc::new(Side::default());
    let (peer, driver) = connect(far_reader, far_writer, Arc::new(Shared(side)), limited(10));
    tokio::spawn(driver);
    let begin = Instant::now();
    peer.notify("filler", Some(&long(2 * MIB)));
    let call = echo(&peer, "{}");
    let mut reader = BufReader::new(reader);
    let mut line = String::new();
    for _ in 0..2 {
        line.clear();
        reader.read_line(&mut line).await.unwrap();
    }
    writer
        .write_all(b"{\"id\":1,\"result\":7}\n")
        .await
        .unwrap();
    assert_eq!(call.await.unwrap().get(), "7");
    assert!(begin.elapsed().as_secs() > 1800);
}

#[tokio::test(start_paused = true)]
async fn without_a_limit_nothing_ends_and_nothing_piles_up() {
    let (lines, side, peer, driver) = Lines::start(DriverOptions {
        write_limit: None,
        max_serving: 8,
        ..DriverOptions::default()
    });
    // Asks and asks, and reads nothing.
    let (reader, mut writer) = lines.take_apart();
    let flood = tokio::spawn(async move {
        let line = format!(
            "{{\"id\":\"\",\"method\":\"echo\",\"params\":{}}}\n",
            long(1000)
        );
        for id in 0..20_000 {
            let line = line.replacen("\"\"", &format!("\"{id}\""), 1);
            writer.write_all(line.as_bytes()).await.unwrap();
        }
    });
    for _ in 0..10_000 {
        peer.notify("notifications/message", Some("{}"));
        peer.notify("notifications/tools/list_changed", None);
        sleep(Duration::from_millis(10)).await;
    }
    assert!(!driver.is_finished() && !flood.is_finished());
    {
        let state = peer.shared.lock();
        assert_eq!(state.conversation.serving(), 8);
        assert!(state.outbox.unwritten() < 2 * MIB);
    }
    assert!(peer.dropped().notifications > 0);
    // Once it reads, everything goes on: each request has had its answer or its refusal.
    let mut answered = vec![0; 20_000];
    let mut reader = BufReader::new(reader).lines();
    while answered.contains(&0) {
        let line = reader.next_line().await.unwrap().unwrap();
        if let Some((_, rest)) = line.split_once(r#""id":""#) {
            let (id, _) = rest.split_once('"').unwrap();
            answered[id.parse::<usize>().unwrap()] += 1;
        }
    }
    flood.await.unwrap();
    assert_eq!(answered, vec![1; 20_000]);
    assert_eq!(side.noise.load(Ordering::SeqCst), 0);
    peer.close();
    assert!(matches!(driver.await.unwrap(), CloseReason::Local));
}

#[tokio::test(start_paused = true)]
async fn closing_waits_for_a_reader_but_not_for_ever() {
    let (_lines, _side, peer, driver) = Lines::start(DriverOptions::default());
    let begin = Instant::now();
    peer.notify("filler", Some(&long(MIB)));
    peer.close();
    assert!(matches!(driver.await.unwrap(), CloseReason::Local));
    assert_eq!(begin.elapsed().as_secs(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_frame_beyond_the_bound_passes_and_so_does_what_waited_behind_it() {
    let (mut lines, _side, peer, _) = Lines::start(DriverOptions::default());
    peer.notify("filler", Some(&long(3 * MIB)));
    let answers = tokio::spawn({
        let peer = peer.clone();
        async move {
            let params = long(3 * MIB);
            let write = |out: &mut Vec<u8>, _: &_| out.extend(params.bytes());
            peer.request("echo", write, RequestOptions::default()).await
        }
    });
    assert!(lines.next().await.len() > 3 * MIB);
    assert!(lines.next().await.len() > 3 * MIB);
    lines.say(&[r#"{"id":1,"result":1}"#]).await;
    assert_eq!(answers.await.unwrap().unwrap().get(), "1");
}

#[tokio::test]
async fn what_the_other_side_said_before_it_went_is_heard() {
    let (near, far) = tokio::io::duplex(64);
    let (reader, writer) = (tokio::io::duplex(1 << 16), near);
    let (mut their_writer, our_reader) = reader;
    let side = Arc::new(Side::default());
    let (peer, driver) = connect(
        our_reader,
        writer,
        Arc::new(Shared(side)),
        DriverOptions::default(),
    );
    let call = echo(&peer, "{}");
    // It reads no more, and its last answer is there already, behind more than is read at once.
    drop(far);
    let said = "{\"method\":\"told\"}\n".repeat(1000) + "{\"id\":1,\"result\":7}\n";
    their_writer.write_all(said.as_bytes()).await.unwrap();
    assert!(matches!(driver.await, CloseReason::Write(_)));
    assert_eq!(call.await.unwrap().get(), "7");
}
