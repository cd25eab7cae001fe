//! Two conversations over a pipe in memory, and one against literal lines.

mod cancels;
mod choppy;
mod exchange;
mod floods;
mod panics;
mod side;
mod slow_readers;
mod talk;
