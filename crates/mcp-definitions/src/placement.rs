//! What several executors mean for one server.

use serde::{Deserialize, Serialize};

/// What several executors mean for one server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// An instance on each of them, shown as `<id>-<executor>`.
    Each,
    /// One instance: on the first that works, on the next when that one is lost.
    Failover,
}

impl Placement {
    /// Every value, in the order in which messages list them.
    pub const ALL: [Self; 2] = [Self::Each, Self::Failover];

    /// The word that stands for it in configuration files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Each => "each",
            Self::Failover => "failover",
        }
    }
}
