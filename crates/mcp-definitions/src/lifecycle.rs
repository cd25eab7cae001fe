//! When a server is started and when it may stop.

use serde::{Deserialize, Serialize};

/// When a server is started, and whether it is stopped again while nobody uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lifecycle {
    /// Started at once; stopped after its idle time. What the library does unless told otherwise.
    #[default]
    Eager,
    /// Started by the first use; stopped after its idle time.
    Lazy,
    /// Started at once and kept.
    KeepAlive,
    /// Started by the first use, then kept.
    LazyKeepAlive,
}

impl Lifecycle {
    /// Every value, in the order in which messages list them.
    pub const ALL: [Self; 4] = [
        Self::Eager,
        Self::Lazy,
        Self::KeepAlive,
        Self::LazyKeepAlive,
    ];

    /// The word that stands for it in configuration files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Lazy => "lazy",
            Self::KeepAlive => "keep-alive",
            Self::LazyKeepAlive => "lazy-keep-alive",
        }
    }

    /// Whether the server is started without waiting for a first use.
    pub const fn starts_at_once(self) -> bool {
        matches!(self, Self::Eager | Self::KeepAlive)
    }

    /// Whether the server stays up while nobody uses it.
    pub const fn stays_up(self) -> bool {
        matches!(self, Self::KeepAlive | Self::LazyKeepAlive)
    }
}
