//! The local executor with real processes: starting, speaking, exiting.

#![expect(
    clippy::unwrap_used,
    reason = "a failed step is a failed test, in the functions that tests share as well"
)]

#[path = "local/bench.rs"]
mod bench;
#[path = "local/dialling.rs"]
mod dialling;
#[path = "local/refusing.rs"]
mod refusing;
#[path = "local/starting.rs"]
mod starting;
#[path = "local/stopping.rs"]
mod stopping;
