//! What a host knows of our lists, and when it is to be told that they are others.
//!
//! Level-triggered (C13): what is compared is the state of a list with what the host was served or told
//! last, so that a change is told once however often it ticked, and also when it came before anybody
//! listened.

use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_proto::list::ListKind;
use tokio::sync::{Notify, watch};

use crate::ServerHandler;

/// The lists of one session.
pub(crate) struct Changes {
    lists: [Watched; 4],
}

struct Watched {
    kind: ListKind,
    /// `None` for a list that never changes.
    generation: Option<watch::Receiver<u64>>,
    known: Mutex<Known>,
    /// Wakes when no request for the list is being served any more.
    settled: Notify,
}

struct Known {
    /// The generation that the host was served last, or that of the beginning of the session.
    served: u64,
    /// How many requests for the list are being served. Meanwhile the host is told nothing: the answer
    /// says more, and a host that is held up for its first list (D38) would only ask again.
    listing: usize,
}

impl Changes {
    pub(crate) fn new(handler: &dyn ServerHandler) -> Self {
        let watched = |kind| {
            let generation = handler.changes(kind);
            let served = generation.as_ref().map_or(0, |now| *now.borrow());
            Watched {
                kind,
                generation,
                known: Mutex::new(Known { served, listing: 0 }),
                settled: Notify::new(),
            }
        };
        Changes {
            lists: [
                ListKind::Tools,
                ListKind::Resources,
                ListKind::ResourceTemplates,
                ListKind::Prompts,
            ]
            .map(watched),
        }
    }

    /// Notes that a request for a list is being served, until the note is dropped.
    pub(crate) fn listing(self: &Arc<Self>, kind: ListKind) -> Listing {
        let watched = self.watched(kind);
        watched.known().listing += 1;
        Listing {
            changes: self.clone(),
            kind,
            // Before the list is made: a change while it is made is told rather than missed.
            generation: watched.generation.as_ref().map(|now| *now.borrow()),
        }
    }

    /// Tells of every chosen list that is another than the host knows, now and from now on.
    pub(crate) async fn follow(
        &self,
        chosen: impl Fn(ListKind) -> bool,
        tell: impl Fn(ListKind),
    ) -> Infallible {
        let [a, b, c, d] = &self.lists;
        tokio::select! {
            never = a.follow(&chosen, &tell) => never,
            never = b.follow(&chosen, &tell) => never,
            never = c.follow(&chosen, &tell) => never,
            never = d.follow(&chosen, &tell) => never,
        }
    }

    fn watched(&self, kind: ListKind) -> &Watched {
        let [tools, resources, templates, prompts] = &self.lists;
        match kind {
            ListKind::Tools => tools,
            ListKind::Resources => resources,
            ListKind::ResourceTemplates => templates,
            ListKind::Prompts => prompts,
        }
    }
}

impl Watched {
    async fn follow(
        &self,
        chosen: &impl Fn(ListKind) -> bool,
        tell: &impl Fn(ListKind),
    ) -> Infallible {
        let Some(mut generation) = self.generation.clone().filter(|_| chosen(self.kind)) else {
            return pending().await;
        };
        let mut told = None;
        let mut may_change = true;
        loop {
            // Before looking, so that a list that settles meanwhile is not missed.
            let settled = self.settled.notified();
            let now = *generation.borrow_and_update();
            if told != Some(now) && self.is_news(now) {
                told = Some(now);
                tell(self.kind);
            }
            tokio::select! {
                () = settled => {}
                // The handler may have let go of its end: the list stays as it is.
                changed = generation.changed(), if may_change => may_change = changed.is_ok(),
            }
        }
    }

    fn is_news(&self, now: u64) -> bool {
        let known = self.known();
        known.listing == 0 && known.served != now
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request for a list that is being served.
pub(crate) struct Listing {
    changes: Arc<Changes>,
    kind: ListKind,
    generation: Option<u64>,
}

impl Listing {
    /// Notes that the list has been made and is being sent, and of which generation it is where the
    /// handler says so.
    pub(crate) fn served(self, generation: Option<u64>) {
        if let Some(generation) = generation.or(self.generation) {
            self.changes.watched(self.kind).known().served = generation;
        }
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        let watched = self.changes.watched(self.kind);
        let settled = {
            let mut known = watched.known();
            known.listing -= 1;
            known.listing == 0
        };
        if settled {
            watched.settled.notify_waiters();
        }
    }
}
