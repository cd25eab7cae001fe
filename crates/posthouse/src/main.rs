//! The binary: everything is in the library, so that the tests can build it too.

fn main() -> std::process::ExitCode {
    posthouse::main()
}
