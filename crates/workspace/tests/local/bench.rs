//! What the tests of the local executor share: a workspace, and proof that nothing is left.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::time::{Instant, timeout};
use workspace::{
    BoxRead, ExitStatus, Local, LocalOptions, Process, ProcessSpec, StopGrace, Workspace,
};

pub(crate) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Longer than anything here takes, shorter than anybody's patience.
const PATIENCE: Duration = Duration::from_secs(20);

/// A local executor that proves at the end that it left nothing behind.
pub(crate) struct Bench(Local);

impl Deref for Bench {
    type Target = Local;

    fn deref(&self) -> &Local {
        &self.0
    }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self(Local::new(LocalOptions {
            base_env: BTreeMap::from([("PATH".to_owned(), PATH.to_owned())]),
            search_path: PATH.to_owned(),
            cwd: Some("/".into()),
        }))
    }

    /// Starts a shell script.
    pub(crate) async fn sh(&self, script: &str) -> Process {
        self.start_process(sh(script)).await.unwrap()
    }

    /// Shuts down, and checks that none of these processes is left.
    pub(crate) async fn finish(self, pids: &[u32]) {
        within(self.shutdown(Instant::now() + Duration::from_secs(5))).await;
        assert_eq!(alive(pids), [] as [u32; 0], "left behind");
        let refused = self.start_process(sh("true")).await;
        assert!(refused.is_err(), "started something after shutdown");
    }
}

/// A spec for a shell script, with a grace that suits tests.
pub(crate) fn sh(script: &str) -> ProcessSpec {
    let mut spec = ProcessSpec::new("test", "sh");
    spec.args = vec!["-c".into(), script.into()];
    spec.grace = StopGrace {
        stdin_close: Duration::from_millis(100),
        term: Duration::from_millis(100),
        total: Duration::from_secs(2),
    };
    spec
}

/// Fails instead of hanging.
pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(PATIENCE, future).await.unwrap()
}

/// Reads numbers, one a line, that a script writes.
pub(crate) async fn read_pids<const N: usize>(stdout: BoxRead) -> ([u32; N], BoxRead) {
    let mut reader = BufReader::with_capacity(1, stdout);
    let mut pids = [0; N];
    for pid in &mut pids {
        let mut line = String::new();
        within(reader.read_line(&mut line)).await.unwrap();
        *pid = line.trim().parse().unwrap();
    }
    (pids, reader.into_inner())
}

/// Reads everything that is still to come.
pub(crate) async fn read_all(mut stdout: BoxRead) -> String {
    let mut text = String::new();
    within(stdout.read_to_string(&mut text)).await.unwrap();
    text
}

/// Starts a spec and reads all it says.
pub(crate) async fn output_of(bench: &Bench, spec: ProcessSpec) -> (String, ExitStatus) {
    let process = bench.start_process(spec).await.unwrap();
    let text = read_all(process.stdout).await;
    let status = within(process.handle.wait()).await;
    within(process.handle.stop()).await;
    (text, status)
}

/// Those of `pids` that live: a zombie that waits for its reaper does not.
pub(crate) fn alive(pids: &[u32]) -> Vec<u32> {
    let lives = |pid: &u32| {
        let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
        stat.is_ok_and(|stat| {
            let state = stat
                .rsplit(") ")
                .next()
                .and_then(|rest| rest.chars().next());
            !matches!(state, Some('Z' | 'X'))
        })
    };
    pids.iter().copied().filter(lives).collect()
}

/// Waits until none of `pids` lives, looking again and again.
pub(crate) async fn all_gone(pids: &[u32]) {
    within(async {
        while !alive(pids).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}
