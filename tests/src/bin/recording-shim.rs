//! Passes a conversation on and keeps it; see `tests::recording_shim`.

fn main() -> std::io::Result<std::process::ExitCode> {
    tests::recording_shim::main()
}
