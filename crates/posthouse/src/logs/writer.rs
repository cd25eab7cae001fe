//! The thread that writes log files, so that a slow disk holds up nobody else.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::Stderr;
use super::rotated_file::RotatedFile;

/// How many lines may wait to be written; more are lost and counted.
const QUEUE: usize = 4096;
/// How long the end waits for what is not written yet.
const FINISH: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(5);

/// Where lines go, once there is a thread that takes them.
static LINES: OnceLock<SyncSender<Job>> = OnceLock::new();
static LOST: AtomicU64 = AtomicU64::new(0);

enum Job {
    /// The file within the folder of logs, and whole lines.
    Append(String, String),
    /// There is no more to come.
    End,
}

/// Has lines written to a file within the folder of logs. Never blocks; without a thread, or when too
/// many lines wait, they are lost.
pub(crate) fn append(file: &str, lines: String) {
    let Some(sender) = LINES.get() else { return };
    let sent = sender.try_send(Job::Append(file.to_owned(), lines));
    if let Err(TrySendError::Full(_)) = sent {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// The running thread. End it with [`Writer::finish`].
pub(crate) struct Writer {
    thread: JoinHandle<()>,
    ended: Receiver<()>,
}

impl Writer {
    /// Starts the thread; what it writes goes under `folder`.
    pub(crate) fn start(folder: PathBuf) -> Option<Self> {
        let (sender, jobs) = sync_channel(QUEUE);
        // Dropped with the thread's end, which is what is waited for.
        let (alive, ended) = sync_channel::<()>(0);
        let thread = Builder::new().name("logs".to_owned()).spawn(move || {
            write(&folder, &jobs);
            drop(alive);
        });
        let thread = thread.ok()?;
        LINES.set(sender).ok()?;
        Some(Writer { thread, ended })
    }

    /// Waits until everything is written, but not for a disk that does not answer.
    pub(crate) fn finish(self) {
        let deadline = Instant::now() + FINISH;
        let Some(sender) = LINES.get() else { return };
        while let Err(TrySendError::Full(_)) = sender.try_send(Job::End) {
            if Instant::now() >= deadline {
                return;
            }
            sleep(PAUSE);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if self.ended.recv_timeout(left) == Err(RecvTimeoutError::Disconnected) {
            // What it panicked with has been told by then.
            drop(self.thread.join());
        }
    }
}

fn write(folder: &Path, jobs: &Receiver<Job>) {
    let mut files = BTreeMap::new();
    let mut warned = false;
    while let Ok(Job::Append(name, mut lines)) = jobs.recv() {
        let lost = LOST.swap(0, Ordering::Relaxed);
        if lost > 0 {
            lines.push_str(&format!(
                "posthouse: {lost} lines were lost here or in other logs, as the disk was too slow\n"
            ));
        }
        let path = folder.join(&name);
        let file = files
            .entry(name)
            .or_insert_with(|| RotatedFile::new(path.clone()));
        if let Err(error) = file.append(lines.as_bytes())
            && !std::mem::replace(&mut warned, true)
        {
            let path = path.display();
            let warning = format!(
                "posthouse: warning: cannot write the log {path}: {error}; free its disk or set XDG_STATE_HOME to a folder that can be written\n"
            );
            // There is nobody left to tell when this fails.
            drop((&Stderr::open()).write(warning.as_bytes()));
        }
    }
}
