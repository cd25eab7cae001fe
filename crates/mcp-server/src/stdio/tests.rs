//! Pipes and sockets, as hosts give them to their servers.

use std::io::{Read as _, Write as _};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use std::os::fd::AsRawFd;

use super::*;

/// The flags of an open file description, as the kernel tells them.
fn is_non_blocking(fd: &impl AsRawFd) -> bool {
    let path = format!("/proc/self/fdinfo/{}", fd.as_raw_fd());
    let info = std::fs::read_to_string(path).unwrap();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    u32::from_str_radix(flags.unwrap().trim(), 8).unwrap() & 0o4000 != 0
}

#[tokio::test]
async fn a_pipe_is_read_without_a_thread_and_stays_blocking_for_others() {
    let (inherited, mut host) = io::pipe().unwrap();
    let Channel::Receiver(mut reader) = channel(inherited.as_fd(), Direction::Read).unwrap() else {
        panic!("not reopened");
    };
    host.write_all(b"ping").unwrap();
    drop(host);
    let mut text = String::new();
    reader.read_to_string(&mut text).await.unwrap();
    assert_eq!(text, "ping");
    assert!(is_non_blocking(&reader) && !is_non_blocking(&inherited));
}

#[tokio::test]
async fn a_pipe_is_written_without_a_thread_and_stays_blocking_for_others() {
    let (mut host, inherited) = io::pipe().unwrap();
    let Channel::Sender(mut writer) = channel(inherited.as_fd(), Direction::Write).unwrap() else {
        panic!("not reopened");
    };
    writer.write_all(b"pong").await.unwrap();
    assert!(is_non_blocking(&writer) && !is_non_blocking(&inherited));
    drop((writer, inherited));
    let mut text = String::new();
    host.read_to_string(&mut text).unwrap();
    assert_eq!(text, "pong");
}

#[tokio::test]
async fn a_socket_becomes_a_stream_and_a_file_goes_through_a_thread() {
    let (inherited, mut host) = std::os::unix::net::UnixStream::pair().unwrap();
    let Channel::Socket(mut stream) = channel(inherited.as_fd(), Direction::Read).unwrap() else {
        panic!("no stream");
    };
    host.write_all(b"x").unwrap();
    assert_eq!(stream.read_u8().await.unwrap(), b'x');
    let file = File::open("/dev/null").unwrap();
    let other = channel(file.as_fd(), Direction::Read).unwrap();
    assert!(matches!(other, Channel::Other));
}
