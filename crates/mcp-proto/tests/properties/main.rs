//! Whatever arrives: framing, messages, types and projections on arbitrary input, with a fixed budget.

use proptest::prelude::*;

mod framing;
mod hostile;
mod json;
mod messages;
mod projections;
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]
mod types;

/// The budget of each property.
pub(crate) fn budget() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
