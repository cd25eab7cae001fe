//! Dialling from this machine.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UnixListener};
use workspace::{BoxStream, DialTarget, Workspace, WorkspaceError};

use crate::bench::{Bench, within};

async fn dial_error(bench: &Bench, target: DialTarget) -> WorkspaceError {
    within(bench.dial(target)).await.err().unwrap()
}

async fn assert_echo(mut near: BoxStream, mut far: BoxStream) {
    near.write_all(b"ping").await.unwrap();
    near.shutdown().await.unwrap();
    let mut heard = String::new();
    within(far.read_to_string(&mut heard)).await.unwrap();
    assert_eq!(heard, "ping");
    far.write_all(b"pong").await.unwrap();
    drop(far);
    heard.clear();
    within(near.read_to_string(&mut heard)).await.unwrap();
    assert_eq!(heard, "pong");
}

#[tokio::test]
async fn a_tcp_port_is_dialled_and_closed_halfway() {
    let bench = Bench::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let host = "localhost".to_owned();
    let near = within(bench.dial(DialTarget::Tcp { host, port }))
        .await
        .unwrap();
    let (far, _) = within(listener.accept()).await.unwrap();
    assert_echo(near, Box::new(far)).await;
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_tcp_port_that_refuses_is_named() {
    let bench = Bench::new();
    // Bound but not listening, so nobody else can take it meanwhile.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = socket.local_addr().unwrap().port();
    let host = "127.0.0.1".to_owned();
    let error = dial_error(&bench, DialTarget::Tcp { host, port }).await;
    assert!(matches!(error, WorkspaceError::Refused { .. }), "{error:?}");
    assert!(error.retryable());
    assert_eq!(
        error.to_string(),
        format!(
            "connect to 127.0.0.1:{port}: connection refused; check that something listens there"
        )
    );
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_unix_socket_is_dialled() {
    let bench = Bench::new();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    let near = within(bench.dial(DialTarget::Unix(path))).await.unwrap();
    let (far, _) = within(listener.accept()).await.unwrap();
    assert_echo(near, Box::new(far)).await;
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_unix_socket_that_is_missing_or_deserted_is_named() {
    let bench = Bench::new();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("socket");
    let error = dial_error(&bench, DialTarget::Unix(path.clone())).await;
    assert!(
        matches!(&error, WorkspaceError::Unreachable { .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains(path.to_str().unwrap()),
        "{error}"
    );

    drop(UnixListener::bind(&path).unwrap());
    let error = dial_error(&bench, DialTarget::Unix(path.clone())).await;
    assert!(
        matches!(&error, WorkspaceError::Refused { .. }),
        "{error:?}"
    );
    assert!(
        error.to_string().contains(path.to_str().unwrap()),
        "{error}"
    );
    bench.finish(&[]).await;
}

#[tokio::test]
async fn nothing_is_dialled_after_a_shutdown() {
    let bench = Bench::new();
    bench.probe().await.unwrap();
    within(bench.shutdown(tokio::time::Instant::now() + Duration::from_secs(1))).await;
    let error = dial_error(&bench, DialTarget::Unix("/x".into())).await;
    assert!(
        matches!(error, WorkspaceError::ShutDown { .. }),
        "{error:?}"
    );
    assert!(bench.probe().await.is_err());
    bench.finish(&[]).await;
}
