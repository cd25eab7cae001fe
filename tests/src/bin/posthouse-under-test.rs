//! The `posthouse` binary, built here so that process tests of this package can start it.

fn main() -> std::process::ExitCode {
    posthouse::main()
}
