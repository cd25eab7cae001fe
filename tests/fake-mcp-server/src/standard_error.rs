//! Lines on stderr, as a server prints them.

use std::io::Write;

/// Prints one line. Blocks, like a real server, while the pipe is full.
pub(crate) fn print(line: &str) {
    // With stderr closed there is nobody to tell.
    writeln!(std::io::stderr(), "{line}").ok();
}

/// Prints `count` bytes, in lines of at most 80.
pub(crate) fn flood(count: usize) {
    let mut left = count;
    while left > 0 {
        let length = left.min(80);
        print(&".".repeat(length - 1));
        left -= length;
    }
}
