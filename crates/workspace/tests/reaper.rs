//! Nothing survives `SIGKILL` of the process that holds an executor, at whatever moment, and
//! nothing else is touched.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed step is a failed test, in the functions that tests share as well"
)]

#[path = "reaper/held.rs"]
mod held;
#[path = "reaper/killing.rs"]
mod killing;
#[path = "reaper/script.rs"]
mod script;
