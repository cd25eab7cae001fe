//! What we log: warnings on stderr for a person, next to nothing there for a host that may never read
//! them, and everything in files. Secret values are struck out of all of it.

pub(crate) mod rotated_file;
pub(crate) mod writer;

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::panic::PanicHookInfo;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::{MakeWriter, layer};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use self::writer::Writer;
use crate::cli::{Cli, Command};
use crate::environment::Environment;
use crate::redaction::redacted;

/// Our own log, within the folder of logs.
pub(crate) const OWN: &str = "posthouse.log";

/// Starts logging, as much as the options say. What is given is to be finished at the end.
pub(crate) fn start(cli: &Cli, environment: &Environment) -> Option<Writer> {
    let for_host = matches!(
        cli.command,
        Command::Serve(_) | Command::Owner(_) | Command::Embedded { .. }
    );
    let level = match cli.global.verbose {
        _ if cli.global.quiet => LevelFilter::ERROR,
        0 if for_host => LevelFilter::ERROR,
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let on_stderr = layer()
        .with_ansi(false)
        .with_target(level >= LevelFilter::DEBUG)
        .with_writer(Stderr::open())
        .with_filter(level);
    let folder = environment
        .logs_folder()
        .filter(|_| has_files(&cli.command));
    let writer = folder.and_then(Writer::start);
    let file_level = match cli.global.verbose {
        _ if writer.is_none() => LevelFilter::OFF,
        0 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let in_file = layer()
        .with_ansi(false)
        .with_writer(|| OwnLog)
        .with_filter(file_level);
    tracing_subscriber::registry()
        .with(on_stderr)
        .with(in_file)
        .init();
    std::panic::set_hook(Box::new(panicked));
    writer
}

/// Whether the command leaves anything in files: `try` changes nothing, and those that only look at
/// what is there do not add to it.
fn has_files(command: &Command) -> bool {
    !matches!(
        command,
        Command::Try
            | Command::Embedded { .. }
            | Command::Logs(_)
            | Command::Doctor
            | Command::Completions { .. }
            | Command::Man { .. }
    )
}

/// Tells of a defect of ours, on stderr and in the log.
fn panicked(info: &PanicHookInfo<'_>) {
    let text = info.to_string();
    tracing::error!("defect: {text}");
    let mut message = defect(&text);
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        message.push_str(&format!("{trace}\n"));
    }
    drop((&Stderr::open()).write(message.as_bytes()));
}

fn defect(text: &str) -> String {
    let text = redacted(text);
    format!("posthouse: this is a defect of posthouse, please report it: {text}\n")
}

/// Our stderr, written without waiting: two hosts never read it, and a full pipe must not stop us. What
/// does not fit is lost.
pub(crate) struct Stderr(Option<File>);

impl Stderr {
    pub(crate) fn open() -> Self {
        // Opened anew, so that it is non-blocking for us alone. A socket cannot be opened so.
        let own = OpenOptions::new()
            .write(true)
            .custom_flags(nix::fcntl::OFlag::O_NONBLOCK.bits())
            .open("/proc/self/fd/2");
        Stderr(own.ok())
    }
}

impl Write for &Stderr {
    /// Takes a whole message, in which secrets are struck out.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let mut clean = redacted(&text).into_owned().into_bytes();
        while !clean.is_empty() {
            let written = match &self.0 {
                // Writing needs no more than a shared file.
                Some(file) => (&*file).write(&clean),
                None => io::stderr().write(&clean),
            };
            match written {
                Ok(count) => drop(clean.drain(..count)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Stderr {
    type Writer = &'a Stderr;

    fn make_writer(&'a self) -> &'a Stderr {
        self
    }
}

/// One message on its way to our own log.
struct OwnLog;

impl Write for OwnLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let text = redacted(&text);
        // Several processes write here.
        let (time, rest) = text.split_once(' ').unwrap_or(("", &text));
        writer::append(OWN, format!("{time} {} {rest}", std::process::id()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use mcp_config::Secrets;

    use super::*;

    #[test]
    fn the_text_of_a_panic_tells_no_secret() {
        let mut secrets = Secrets::default();
        secrets.add("planted-in-panic");
        crate::redaction::learn(&secrets);
        let told = defect("panicked at src/x.rs:1:1:\nno \"planted-in-panic\" there");
        assert_eq!(
            told,
            "posthouse: this is a defect of posthouse, please report it: panicked at src/x.rs:1:1:\nno \"[redacted]\" there\n"
        );
    }
}
