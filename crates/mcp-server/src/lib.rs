//! The serving half: one session with one host, both eras, and a handler trait to write servers with.
