//! Waiting for something that nobody announces: looked at until it is so, never just waited for.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long nothing that a test waits for takes, even on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(30);

/// The time from one look to the next.
const LOOK: Duration = Duration::from_millis(3);

/// Looks until there is something, and gives it.
///
/// # Panics
/// When there is nothing within `limit`; the message says that `what` did not come.
pub fn until<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "within {limit:?} not: {what}");
        sleep(LOOK);
    }
}
