//! A queue that a test takes from, waiting if it is empty.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

pub(super) struct Inbox<T> {
    items: Mutex<VecDeque<T>>,
    arrived: Notify,
}

impl<T> Default for Inbox<T> {
    fn default() -> Self {
        Self {
            items: Mutex::default(),
            arrived: Notify::new(),
        }
    }
}

impl<T> Inbox<T> {
    pub(super) fn push(&self, item: T) {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.push_back(item);
        // Everybody, as each waiter looks for itself and may have been dropped meanwhile.
        self.arrived.notify_waiters();
    }

    pub(super) fn try_next(&self) -> Option<T> {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        items.pop_front()
    }

    pub(super) async fn next(&self) -> T {
        loop {
            // Made before looking: it learns of an arrival between the look and the wait.
            let arrived = self.arrived.notified();
            if let Some(item) = self.try_next() {
                return item;
            }
            arrived.await;
        }
    }
}
