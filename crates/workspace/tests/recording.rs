//! The recording workspace, which other crates' tests stand on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;
use workspace::recording::RecordingWorkspace;
use workspace::{
    Demand, DialTarget, ExecutorId, ExitStatus, ProcessSpec, Registry, Signal, Workspace,
    WorkspaceError,
};

fn spec(name: &str) -> ProcessSpec {
    ProcessSpec::new(name, "prog")
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

#[tokio::test(start_paused = true)]
async fn a_test_plays_the_server() {
    let workspace = RecordingWorkspace::local();
    let mut process = workspace.start_process(spec("demo")).await.unwrap();
    let mut server = workspace.next_process().await;
    assert_eq!(server.spec.name, "demo");

    process.stdin.write_all(b"ask").await.unwrap();
    let mut heard = [0; 3];
    server.stdin.read_exact(&mut heard).await.unwrap();
    server.stdout.write_all(b"answer").await.unwrap();
    assert_eq!((&heard, process.handle.exit_status()), (b"ask", None));

    server.control.exit(ExitStatus::Code(3));
    server.control.exit(ExitStatus::Code(4));
    assert_eq!(process.handle.wait().await, ExitStatus::Code(3));
    let mut said = String::new();
    process.stdout.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "answer");
    assert!(process.stdin.write_all(b"more").await.is_err());
    workspace.shutdown(soon()).await;
    assert_eq!(workspace.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_was_said_before_the_exit_is_read_to_its_last_byte() {
    let workspace = RecordingWorkspace::local();
    let mut process = workspace.start_process(spec("demo")).await.unwrap();
    let mut server = workspace.next_process().await;
    server.stdout.write_all(&[7; 20_000]).await.unwrap();
    server.control.exit(ExitStatus::Code(0));
    process.handle.wait().await;
    // So many small reads that the runtime interrupts the reader in between.
    for position in 0..20_000 {
        assert_eq!(
            process.stdout.read_u8().await.ok(),
            Some(7),
            "at {position}"
        );
    }
    assert!(process.stdout.read_u8().await.is_err());
    workspace.shutdown(soon()).await;
}

#[tokio::test(start_paused = true)]
async fn stderr_reaches_the_tail_and_the_callback() {
    let workspace = RecordingWorkspace::local();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let sink = heard.clone();
    let mut spec = spec("demo");
    spec.on_stderr = Some(Arc::new(move |chunk| {
        sink.lock().unwrap().extend_from_slice(chunk);
    }));
    let process = workspace.start_process(spec).await.unwrap();
    workspace
        .next_process()
        .await
        .control
        .write_stderr(b"one\ntwo\n\n");
    assert_eq!(process.handle.stderr_tail(), "one\ntwo\n\n");
    assert_eq!(process.handle.last_stderr_line().as_deref(), Some("two"));
    assert_eq!(*heard.lock().unwrap(), b"one\ntwo\n\n");
    workspace.shutdown(soon()).await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_obeyed_at_once_unless_the_process_is_to_ignore_it() {
    let workspace = RecordingWorkspace::local();
    let process = workspace.start_process(spec("meek")).await.unwrap();
    assert_eq!(process.handle.stop().await, ExitStatus::Code(0));

    let process = workspace.start_process(spec("stubborn")).await.unwrap();
    let server = {
        workspace.next_process().await;
        workspace.next_process().await
    };
    server.control.ignore_stop();
    let begun = Instant::now();
    let (status, demand) = tokio::join!(process.handle.stop(), server.control.stop_demanded());
    assert_eq!(status, ExitStatus::Signal("KILL".into()));
    assert_eq!(
        (demand, begun.elapsed()),
        (Demand::Stop, Duration::from_secs(4))
    );
    workspace.shutdown(soon()).await;
}

#[tokio::test(start_paused = true)]
async fn dropping_every_part_is_a_stop_and_dropping_the_servers_side_is_not() {
    let workspace = RecordingWorkspace::local();
    let process = workspace.start_process(spec("demo")).await.unwrap();
    let control = workspace.next_process().await.control;
    assert_eq!((workspace.running(), control.demand()), (1, Demand::Run));
    drop(process);
    assert_eq!(control.stop_demanded().await, Demand::Stop);
    workspace.shutdown(soon()).await;
    assert_eq!(workspace.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn signals_are_recorded() {
    let workspace = RecordingWorkspace::local();
    let process = workspace.start_process(spec("demo")).await.unwrap();
    let control = workspace.next_process().await.control;
    process.handle.signal(Signal::Hup).await.unwrap();
    process.handle.signal(Signal::Kill).await.unwrap();
    assert_eq!(control.signals(), [Signal::Hup, Signal::Kill]);
    assert_eq!(
        process.handle.wait().await,
        ExitStatus::Signal("KILL".into())
    );
    workspace.shutdown(soon()).await;
}

#[tokio::test(start_paused = true)]
async fn starts_dials_and_probes_fail_as_told_and_are_recorded() {
    let workspace = RecordingWorkspace::new("far".parse().unwrap());
    let unreachable = || WorkspaceError::Disconnected {
        reason: "no link".into(),
    };
    workspace.fail_next_start(unreachable());
    workspace.fail_starts(|spec| {
        (spec.name == "bad").then(|| WorkspaceError::NotFound {
            what: "command `bad`".into(),
        })
    });
    assert!(workspace.start_process(spec("bad")).await.is_err());
    assert!(
        workspace
            .start_process(spec("good"))
            .await
            .unwrap_err()
            .retryable()
    );
    workspace.start_process(spec("good")).await.unwrap();
    workspace.started_at_least(3).await;
    let names: Vec<_> = workspace
        .starts()
        .into_iter()
        .map(|spec| spec.name)
        .collect();
    assert_eq!(names, ["bad", "good", "good"]);

    let target = DialTarget::Tcp {
        host: "db".into(),
        port: 1,
    };
    workspace.fail_next_dial(unreachable());
    assert!(workspace.dial(target.clone()).await.is_err());
    let mut near = workspace.dial(target.clone()).await.unwrap();
    let mut far = workspace.next_dial().await;
    near.write_all(b"hi").await.unwrap();
    drop(near);
    let mut heard = String::new();
    far.stream.read_to_string(&mut heard).await.unwrap();
    assert_eq!((heard.as_str(), &far.target), ("hi", &target));
    assert_eq!(workspace.dials(), [target.clone(), target]);

    workspace.fail_next_probe(unreachable());
    assert!(workspace.probe().await.is_err());
    workspace.probe().await.unwrap();
    workspace.shutdown(soon()).await;
}

#[tokio::test(start_paused = true)]
async fn a_registry_finds_and_shuts_down_all() {
    let local = Arc::new(RecordingWorkspace::local());
    let far = Arc::new(RecordingWorkspace::new("far".parse().unwrap()));
    let mut registry = Registry::new();
    assert!(registry.insert(local.clone()).is_none());
    assert!(registry.insert(far.clone()).is_none());
    let ids: Vec<_> = registry.ids().map(ExecutorId::as_str).collect();
    assert_eq!(ids, ["far", "local"]);
    assert_eq!(registry.get(far.id()).unwrap().id(), far.id());
    assert!(registry.get(&"nowhere".parse().unwrap()).is_none());

    let process = far.start_process(spec("stubborn")).await.unwrap();
    far.next_process().await.control.ignore_stop();
    let begun = Instant::now();
    registry.shutdown_all(begun + Duration::from_secs(1)).await;
    assert!(begun.elapsed() <= Duration::from_secs(1));
    assert_eq!(
        process.handle.exit_status(),
        Some(ExitStatus::Signal("KILL".into()))
    );
    assert!(local.is_shut_down() && far.is_shut_down());
    let error = far.start_process(spec("late")).await.unwrap_err();
    assert!(
        matches!(error, WorkspaceError::ShutDown { .. }),
        "{error:?}"
    );
}
