//! Starting and stopping many processes leaves no descriptor and no task.
//!
//! Alone in its file, because it counts what the whole test process has open.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    reason = "a failed step is a failed test, in the functions that tests share as well"
)]

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};
use workspace::{Local, LocalOptions, ProcessSpec, Workspace};

fn open_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

async fn start_and_end_a_few(local: &Local) {
    for round in 0..30 {
        let process = local
            .start_process(ProcessSpec::new("cat", "/bin/cat"))
            .await
            .unwrap();
        match round % 3 {
            0 => drop(process.handle.stop().await),
            1 => drop(process.handle.kill().await),
            _ => drop(process),
        }
    }
}

#[tokio::test]
async fn nothing_stays_open() {
    // The first use of the runtime's signal handling opens what then stays.
    let warm_up = Local::new(LocalOptions::default());
    start_and_end_a_few(&warm_up).await;
    warm_up
        .shutdown(Instant::now() + Duration::from_secs(5))
        .await;
    let (descriptors, tasks) = counts();

    let local = Local::new(LocalOptions::default());
    start_and_end_a_few(&local).await;
    let shutdown = local.shutdown(Instant::now() + Duration::from_secs(5));
    timeout(Duration::from_secs(20), shutdown).await.unwrap();
    assert_eq!(counts(), (descriptors, tasks));
}

fn counts() -> (usize, usize) {
    (
        open_descriptors(),
        Handle::current().metrics().num_alive_tasks(),
    )
}
