//! However `posthouse` is stopped, and whatever its servers do, nothing is left after five seconds.

mod stopping {
    mod commands;
    mod serving;
}
