//! Stopping a process and whatever it started, in every way that there is.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::time::Instant;
use workspace::{ExitStatus, StopGrace, Workspace};

use crate::bench::{Bench, alive, all_gone, read_all, read_pids, sh, within};

/// Prints the ids of a leader and a grandchild which ignore `TERM` and the end of their input.
const STUBBORN: &str = "trap '' TERM HUP; sh -c 'echo $$; while :; do sleep 0.05; done' & \
     echo $$; while :; do sleep 0.05; done";

/// Leaves a grandchild with every stream behind, which ignores `TERM`.
const DESERTED: &str = "(trap '' TERM; exec sh -c 'echo $$; while :; do sleep 0.05; done') & \
     read line; exit 5";

fn killed() -> ExitStatus {
    ExitStatus::Signal("KILL".into())
}

#[tokio::test]
async fn a_server_that_leaves_at_the_end_of_its_input_is_not_signalled() {
    let bench = Bench::new();
    let mut spec = sh("trap 'echo TERM' TERM; while read line; do :; done; echo bye");
    spec.grace = StopGrace::default();
    let process = bench.start_process(spec).await.unwrap();
    let begun = Instant::now();
    assert_eq!(within(process.handle.stop()).await, ExitStatus::Code(0));
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert_eq!(read_all(process.stdout).await, "bye\n");
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_process_that_has_run_for_longer_than_its_grace_is_still_given_it() {
    let bench = Bench::new();
    let mut spec = sh("sleep 0.6; echo $$; while read line; do :; done; sleep 0.1; exit 7");
    spec.grace.stdin_close = Duration::from_millis(500);
    let process = bench.start_process(spec).await.unwrap();
    let (pids, _stdout) = read_pids::<1>(process.stdout).await;
    assert_eq!(within(process.handle.stop()).await, ExitStatus::Code(7));
    bench.finish(&pids).await;
}

#[tokio::test]
async fn a_server_that_ignores_its_input_is_terminated() {
    let bench = Bench::new();
    let process = bench.sh("echo $$; exec sleep 600").await;
    let (pids, _stdout) = read_pids::<1>(process.stdout).await;
    let status = within(process.handle.stop()).await;
    assert_eq!(status, ExitStatus::Signal("TERM".into()));
    assert_eq!(alive(&pids), []);
    bench.finish(&pids).await;
}

#[tokio::test]
async fn a_stubborn_tree_is_gone_within_five_seconds() {
    let bench = Bench::new();
    let mut spec = sh(STUBBORN);
    spec.grace = StopGrace::default();
    let process = bench.start_process(spec).await.unwrap();
    let (pids, _stdout) = read_pids::<2>(process.stdout).await;
    assert_eq!(alive(&pids).len(), 2);
    let begun = Instant::now();
    assert_eq!(within(process.handle.stop()).await, killed());
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(alive(&pids), []);
    bench.finish(&pids).await;
}

#[tokio::test]
async fn a_stop_is_over_when_the_group_is_empty_not_when_the_leader_has_gone() {
    let bench = Bench::new();
    let process = bench.sh(DESERTED).await;
    let (pids, _stdout) = read_pids::<1>(process.stdout).await;
    // The leader leaves at the end of its input, the grandchild only when it is killed.
    assert_eq!(within(process.handle.stop()).await, ExitStatus::Code(5));
    assert_eq!(alive(&pids), []);
    bench.finish(&pids).await;
}

#[tokio::test]
async fn what_a_leader_leaves_behind_is_stopped_without_being_asked() {
    let bench = Bench::new();
    let mut process = bench.sh(DESERTED).await;
    let (pids, stdout) = read_pids::<1>(process.stdout).await;
    process.stdin.write_all(b"go\n").await.unwrap();
    // Does not wait for the grandchild, which holds both pipes.
    assert_eq!(within(process.handle.wait()).await, ExitStatus::Code(5));
    all_gone(&pids).await;
    assert_eq!(read_all(stdout).await, "");
    bench.finish(&pids).await;
}

/// Two daemons in sessions of their own, one of them orphaned, which ignore `TERM`.
const DAEMONS: &str = r#"
    stay='trap "" TERM HUP; echo $$; while :; do sleep 0.05; done'
    setsid sh -c "$stay" &
    (setsid sh -c "$stay" &)
    read line
    exit 0
"#;

#[tokio::test]
async fn daemons_that_left_the_group_are_stopped_with_it() {
    let bench = Bench::new();
    let process = bench.sh(DAEMONS).await;
    let (pids, stdout) = read_pids::<2>(process.stdout).await;
    assert_eq!(within(process.handle.stop()).await, ExitStatus::Code(0));
    assert_eq!(alive(&pids), []);
    assert_eq!(within(read_all(stdout)).await, "");
    bench.finish(&pids).await;
}

#[tokio::test]
async fn daemons_are_stopped_when_their_server_goes_by_itself() {
    let bench = Bench::new();
    let other = bench.sh("echo $$; exec sleep 600").await;
    let (bystander, _stdout) = read_pids::<1>(other.stdout).await;
    let mut process = bench.sh(DAEMONS).await;
    let (pids, stdout) = read_pids::<2>(process.stdout).await;
    process.stdin.write_all(b"go\n").await.unwrap();
    assert_eq!(within(process.handle.wait()).await, ExitStatus::Code(0));
    all_gone(&pids).await;
    assert_eq!(read_all(stdout).await, "");
    assert_eq!(alive(&bystander), bystander, "a neighbour was touched");
    bench.finish(&[bystander[0], pids[0], pids[1]]).await;
}

#[tokio::test]
async fn output_held_by_a_daemon_out_of_reach_ends_after_the_exit() {
    let bench = Bench::new();
    let process = bench
        .sh("setsid env -i sh -c 'echo $$; exec sleep 600' & read line; exit 0")
        .await;
    let (pids, stdout) = read_pids::<1>(process.stdout).await;
    drop(process.stdin);
    assert_eq!(within(process.handle.wait()).await, ExitStatus::Code(0));
    assert_eq!(within(read_all(stdout)).await, "");
    within(process.handle.stop()).await;
    // It has left the group and cleared its environment, so this is for the test to do.
    let daemon = i32::try_from(pids[0]).unwrap();
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(daemon),
        nix::sys::signal::Signal::SIGKILL,
    )
    .unwrap();
    all_gone(&pids).await;
    bench.finish(&pids).await;
}

#[tokio::test]
async fn concurrent_stops_join() {
    let bench = Bench::new();
    let process = bench.sh(STUBBORN).await;
    let (pids, _stdout) = read_pids::<2>(process.stdout).await;
    let (one, two, three) = tokio::join!(
        within(process.handle.stop()),
        within(process.handle.stop()),
        within(process.handle.wait()),
    );
    assert_eq!([one, two, three], [killed(), killed(), killed()]);
    // And one that comes too late has nothing to do.
    assert_eq!(within(process.handle.stop()).await, killed());
    bench.finish(&pids).await;
}

#[tokio::test]
async fn a_stop_goes_on_when_its_caller_loses_interest() {
    let bench = Bench::new();
    let process = bench.sh(STUBBORN).await;
    let (pids, _stdout) = read_pids::<2>(process.stdout).await;
    let asked = tokio::time::timeout(Duration::ZERO, process.handle.stop()).await;
    assert!(asked.is_err());
    all_gone(&pids).await;
    bench.finish(&pids).await;
}

#[tokio::test]
async fn kill_does_not_wait_and_overtakes_a_stop() {
    let bench = Bench::new();
    let mut spec = sh(STUBBORN);
    spec.grace = StopGrace {
        stdin_close: Duration::from_secs(600),
        term: Duration::from_secs(600),
        total: Duration::from_secs(3600),
    };
    let process = bench.start_process(spec).await.unwrap();
    let (pids, _stdout) = read_pids::<2>(process.stdout).await;
    let (stopped, status) =
        tokio::join!(within(process.handle.stop()), within(process.handle.kill()));
    assert_eq!((stopped, status), (killed(), killed()));
    assert_eq!(alive(&pids), []);
    bench.finish(&pids).await;
}

#[tokio::test]
async fn dropping_every_part_stops_the_process() {
    let bench = Bench::new();
    let process = bench.sh(STUBBORN).await;
    let (pids, stdout) = read_pids::<2>(process.stdout).await;
    let clone = process.handle.clone();
    drop((process.stdin, process.handle, stdout));
    assert_eq!(alive(&pids).len(), 2, "a clone of the handle keeps it");
    drop(clone);
    all_gone(&pids).await;
    bench.finish(&pids).await;
}

#[tokio::test]
async fn a_stop_wakes_a_writer_that_waits_for_room() {
    let bench = Bench::new();
    let process = bench.sh("echo $$; exec sleep 600").await;
    let (pids, _stdout) = read_pids::<1>(process.stdout).await;
    let mut stdin = process.stdin;
    let writer = tokio::spawn(async move { stdin.write_all(&vec![0; 1 << 20]).await });
    within(process.handle.stop()).await;
    let error = within(writer).await.unwrap().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    bench.finish(&pids).await;
}

#[tokio::test]
async fn shutdown_stops_all_in_parallel_and_may_be_called_again() {
    let bench = Bench::new();
    let mut kept = Vec::new();
    let mut pids = Vec::new();
    for _ in 0..5 {
        let mut spec = sh(STUBBORN);
        spec.grace = StopGrace::default();
        let process = bench.start_process(spec).await.unwrap();
        let (ids, stdout) = read_pids::<2>(process.stdout).await;
        pids.extend(ids);
        kept.push((process.handle, process.stdin, stdout));
    }
    let begun = Instant::now();
    let deadline = begun + Duration::from_secs(1);
    tokio::join!(
        within(bench.shutdown(deadline)),
        within(bench.shutdown(deadline))
    );
    // Far less than their grace, let alone five times that.
    assert!(
        begun.elapsed() < Duration::from_secs(3),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(alive(&pids), []);
    for (handle, ..) in &kept {
        assert_eq!(handle.exit_status(), Some(killed()));
    }
    bench.finish(&pids).await;
}

#[test]
fn nothing_is_left_when_the_runtime_ends_without_a_shutdown() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (pids, bench, handle) = runtime.block_on(async {
        let bench = Bench::new();
        let process = bench.sh(STUBBORN).await;
        let (pids, _stdout) = read_pids::<2>(process.stdout).await;
        (pids, bench, process.handle)
    });
    drop(runtime);
    assert_eq!(
        handle.exit_status(),
        Some(ExitStatus::Lost("its executor went away".into()))
    );
    drop(bench);
    let patience = std::time::Instant::now() + Duration::from_secs(20);
    while !alive(&pids).is_empty() {
        assert!(
            std::time::Instant::now() < patience,
            "left behind: {pids:?}"
        );
        std::thread::yield_now();
    }
}
