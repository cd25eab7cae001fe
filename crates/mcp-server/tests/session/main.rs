//! Sessions as a host sees them: literal lines in, whole lines compared.

mod calls;
mod ending;
mod handshake;
#[expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]
mod host;
mod list_changes;
mod modern_era;
mod older_revisions;
