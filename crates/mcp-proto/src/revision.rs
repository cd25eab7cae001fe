//! The revisions of the protocol and the two eras they fall into.

use std::fmt;
use std::str::FromStr;

/// A published revision of MCP, oldest first, so that comparing them compares their dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25, the last of the legacy era.
    V2025_11_25,
    /// 2026-07-28, the first of the modern era.
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Revision; 5] = [
        Revision::V2024_11_05,
        Revision::V2025_03_26,
        Revision::V2025_06_18,
        Revision::V2025_11_25,
        Revision::V2026_07_28,
    ];

    /// The newest revision that is agreed on by `initialize`.
    pub const LATEST_LEGACY: Revision = Revision::V2025_11_25;

    /// The newest revision that every request names in its `_meta`.
    pub const LATEST_MODERN: Revision = Revision::V2026_07_28;

    /// Whether the revision is stateless, with its version in every request, instead of agreed on by
    /// `initialize`. A modern version must never leak into an `initialize`, nor a legacy one into `_meta`.
    pub fn is_modern(self) -> bool {
        self >= Revision::V2026_07_28
    }

    /// The date that names the revision.
    pub fn as_str(self) -> &'static str {
        match self {
            Revision::V2024_11_05 => "2024-11-05",
            Revision::V2025_03_26 => "2025-03-26",
            Revision::V2025_06_18 => "2025-06-18",
            Revision::V2025_11_25 => "2025-11-25",
            Revision::V2026_07_28 => "2026-07-28",
        }
    }

    /// What a server answers to an `initialize` that asks for `requested`: the same where it is a legacy
    /// revision we know, else our newest legacy one that is not newer.
    pub fn answer_initialize(requested: &str) -> Revision {
        Revision::ALL
            .into_iter()
            .rev()
            .filter(|revision| !revision.is_modern())
            .find(|revision| revision.as_str() <= requested)
            .unwrap_or(Revision::LATEST_LEGACY)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A version string that names no revision we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown protocol version {0:?}; known are 2024-11-05 to 2026-07-28")]
pub struct UnknownRevision(pub String);

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, UnknownRevision> {
        Revision::ALL
            .into_iter()
            .find(|revision| revision.as_str() == text)
            .ok_or_else(|| UnknownRevision(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initialize_echoes_a_known_legacy_revision_and_never_answers_a_modern_one() {
        for (requested, answered) in [
            ("2024-11-05", Revision::V2024_11_05),
            ("2025-06-18", Revision::V2025_06_18),
            ("2025-11-25", Revision::V2025_11_25),
            ("2026-07-28", Revision::V2025_11_25),
            ("2099-01-01", Revision::V2025_11_25),
            ("2025-07-01", Revision::V2025_06_18),
            ("2020-01-01", Revision::V2025_11_25),
            ("", Revision::V2025_11_25),
        ] {
            assert_eq!(
                Revision::answer_initialize(requested),
                answered,
                "{requested}"
            );
        }
    }

    #[test]
    fn names_round_trip() {
        for revision in Revision::ALL {
            assert_eq!(revision.as_str().parse(), Ok(revision));
        }
        assert_eq!(
            "v999".parse::<Revision>(),
            Err(UnknownRevision("v999".into()))
        );
    }
}
