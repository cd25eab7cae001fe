//! The project's checks.
fn main() {}
