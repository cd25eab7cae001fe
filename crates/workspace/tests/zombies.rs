//! A group whose dead members nobody reaps, as in a container whose first process does not.
//!
//! Alone in its file, because it changes the whole test process.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::time::Duration;

use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};
use workspace::{ExitStatus, Local, LocalOptions, ProcessSpec, Workspace};

#[tokio::test]
async fn members_that_nobody_reaps_count_as_gone() {
    // Orphans become children of this process, which does not reap them.
    nix::sys::prctl::set_child_subreaper(true).unwrap();
    let path = "/usr/local/bin:/usr/bin:/bin".to_owned();
    let local = Local::new(LocalOptions {
        base_env: BTreeMap::from([("PATH".to_owned(), path.clone())]),
        search_path: path,
        cwd: None,
    });
    let mut spec = ProcessSpec::new("test", "sh");
    spec.grace.stdin_close = Duration::from_millis(100);
    spec.args = ["-c", "sleep 600 >&- 2>&- & echo $!; exec cat"]
        .map(String::from)
        .into();
    let mut process = local.start_process(spec).await.unwrap();
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        line.push(process.stdout.read_u8().await.unwrap());
    }
    let orphan: i32 = String::from_utf8(line).unwrap().trim().parse().unwrap();

    process.stdin.close();
    let begun = Instant::now();
    let patience = Duration::from_secs(20);
    let status = timeout(patience, process.handle.stop()).await.unwrap();
    assert_eq!(status, ExitStatus::Code(0));
    // Well before the stop would have given up.
    assert!(
        begun.elapsed() < Duration::from_secs(2),
        "{:?}",
        begun.elapsed()
    );
    local.shutdown(Instant::now() + patience).await;

    // It was a zombie all the time, and goes now.
    let reaped = waitpid(Pid::from_raw(orphan), Some(WaitPidFlag::WNOHANG)).unwrap();
    assert!(matches!(reaped, WaitStatus::Signaled(..)), "{reaped:?}");
}
