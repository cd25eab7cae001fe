//! Who a container belongs to, as its label says, and whether that process is still there.

use std::fs;
use std::path::Path;

use crate::nonce::ServerNonce;
use crate::process_table::{self, ROOT};

/// A process that starts containers. Its label says more than its id, which is soon somebody
/// else's: when it was started, under which boot of the system, and in which process namespace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner {
    id: i32,
    start: u64,
    place: String,
}

impl Owner {
    /// This process; `None` where the system does not tell enough to know it again.
    pub(crate) fn this_process() -> Option<Self> {
        let own = process_table::own()?;
        let root = Path::new(ROOT);
        let boot = fs::read_to_string(root.join("sys/kernel/random/boot_id")).ok()?;
        let namespace = fs::read_link(root.join("self/ns/pid")).ok()?;
        let namespace: String = namespace
            .to_str()?
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        Some(Self {
            id: own.id,
            start: own.start,
            place: format!("{}.{namespace}", boot.trim().replace('-', "")),
        })
    }

    /// The label of a server's container.
    pub(crate) fn label(&self, server: &ServerNonce) -> String {
        format!("{server}.{}.{}.{}", self.id, self.start, self.place)
    }

    /// Whether a label names an owner which surely has ended. One of another machine, another boot
    /// or another namespace cannot be seen from here, and neither can one in words that are not
    /// ours.
    pub(crate) fn knows_dead_owner(&self, label: &str) -> bool {
        let mut parts = label.splitn(4, '.').skip(1);
        let (Some(id), Some(start), Some(place)) = (parts.next(), parts.next(), parts.next())
        else {
            return false;
        };
        let (Ok(id), Ok(start)) = (id.parse(), start.parse::<u64>()) else {
            return false;
        };
        let lives =
            || process_table::entry(id).is_some_and(|entry| entry.start == start && entry.lives());
        place == self.place && !lives()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::nonce::ExecutorNonce;

    #[test]
    fn only_an_owner_that_surely_ended_is_dead() {
        let this = Owner::this_process().unwrap();
        let server = ExecutorNonce::random().server(1);
        let label = |change: &dyn Fn(&mut Owner)| {
            let mut owner = this.clone();
            change(&mut owner);
            owner.label(&server)
        };
        assert!(!this.knows_dead_owner(&label(&|_| ())));
        assert!(this.knows_dead_owner(&label(&|owner| owner.start += 1)));
        assert!(this.knows_dead_owner(&label(&|owner| owner.id = i32::MAX)));
        let elsewhere = |owner: &mut Owner| {
            owner.id = i32::MAX;
            owner.place.push('0');
        };
        assert!(!this.knows_dead_owner(&label(&elsewhere)));
        for foreign in ["", "x", "a.b.c.d", "a.1.2", "a.1.-2.d"] {
            assert!(!this.knows_dead_owner(foreign), "{foreign}");
        }
    }
}
