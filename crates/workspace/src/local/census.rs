//! Who carries the nonce of an executor: one walk through `/proc` for all who ask at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use tokio::sync::Mutex;
use tokio::task::spawn_blocking;

use crate::nonce::ExecutorNonce;
use crate::process_table::{self, Entry};

/// A process that carries the nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Carrier {
    pub(super) entry: Entry,
    /// The number of the server that it descends from.
    pub(super) server: u64,
}

/// Shared by an executor and all that it started: when ten servers are stopped at once, they need
/// two walks and not ten.
#[derive(Debug)]
pub(super) struct Census {
    nonce: ExecutorNonce,
    /// When the first server was started: who is older descends from none.
    since: AtomicU64,
    latest: Mutex<Option<Walk>>,
}

#[derive(Debug)]
struct Walk {
    begun: Instant,
    found: Arc<[Carrier]>,
}

impl Census {
    pub(super) fn new(nonce: ExecutorNonce) -> Self {
        Self {
            nonce,
            since: AtomicU64::new(u64::MAX),
            latest: Mutex::default(),
        }
    }

    /// A server was started at this time; zero if that is not known.
    pub(super) fn counts_from(&self, start: u64) {
        self.since.fetch_min(start, Ordering::Relaxed);
    }

    /// All who live and carry the nonce, at a moment after this call. Nobody where there is no
    /// `/proc`. Cancel safe.
    pub(super) async fn take(&self) -> Arc<[Carrier]> {
        let asked = Instant::now();
        let mut latest = self.latest.lock().await;
        if let Some(walk) = &*latest
            && walk.begun >= asked
        {
            return walk.found.clone();
        }
        let begun = Instant::now();
        let (nonce, since) = (self.nonce.clone(), self.since.load(Ordering::Relaxed));
        let walk = spawn_blocking(move || carriers(&nonce, since));
        let found: Arc<[Carrier]> = walk.await.unwrap_or_default().into();
        *latest = Some(Walk {
            begun,
            found: found.clone(),
        });
        found
    }
}

fn carriers(nonce: &ExecutorNonce, since: u64) -> Vec<Carrier> {
    let Ok(entries) = process_table::entries() else {
        return Vec::new();
    };
    let living = entries.filter(|entry| entry.start >= since && entry.lives());
    living
        .filter_map(|entry| {
            let server = nonce.server_in(&entry.environment()?)?;
            Some(Carrier { entry, server })
        })
        .filter(|carrier| !carrier.entry.is_shared_namespace())
        .collect()
}
