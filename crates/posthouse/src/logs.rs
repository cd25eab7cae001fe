//! Logs on stderr: warnings for a person, next to nothing for a host that may never read them.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::cli::{Cli, Command};

/// Starts logging, as much as the options say.
pub(crate) fn start(cli: &Cli) {
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
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_ansi(false)
        .with_target(level >= LevelFilter::DEBUG)
        .with_writer(Stderr::open())
        .init();
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
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &self.0 {
            // Writing needs no more than a shared file.
            Some(file) => (&*file).write(bytes),
            None => io::stderr().write(bytes),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(bytes.len()),
            other => other,
        }
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
