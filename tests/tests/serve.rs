//! `posthouse serve` as a process, with our own fake servers behind it and a host of ours before it.

mod serve {
    mod broken_servers;
    mod reloading;
    mod starting;
    mod wires;
}
