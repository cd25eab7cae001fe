//! Our own stdin and stdout as streams, without a thread where the kernel allows it (D30).

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// A reader of any kind.
pub type BoxRead = Box<dyn AsyncRead + Send + Unpin>;
/// A writer of any kind.
pub type BoxWrite = Box<dyn AsyncWrite + Send + Unpin>;

/// Our own stdin and stdout, to be called once, within a tokio runtime that has I/O enabled.
///
/// A pipe is opened a second time, so that it becomes non-blocking for us alone: whoever shares the
/// inherited descriptor keeps it as it was. A socket, which is what some hosts give their servers, is
/// used as it is. Anything else, such as a terminal or a file, goes through a blocking thread; its read
/// of stdin cannot be cancelled, so that a program which is done must exit rather than wait for it.
///
/// Fails only when a socket cannot be registered with the runtime.
pub fn stdio() -> io::Result<(BoxRead, BoxWrite)> {
    let reader: BoxRead = match channel(io::stdin().as_fd(), Direction::Read)? {
        Channel::Receiver(pipe) => Box::new(pipe),
        Channel::Socket(socket) => Box::new(socket),
        Channel::Sender(_) | Channel::Other => Box::new(tokio::io::stdin()),
    };
    let writer: BoxWrite = match channel(io::stdout().as_fd(), Direction::Write)? {
        Channel::Sender(pipe) => Box::new(pipe),
        Channel::Socket(socket) => Box::new(socket),
        Channel::Receiver(_) | Channel::Other => Box::new(tokio::io::stdout()),
    };
    Ok((reader, writer))
}

#[derive(Clone, Copy)]
enum Direction {
    Read,
    Write,
}

#[derive(Debug)]
enum Channel {
    Receiver(pipe::Receiver),
    Sender(pipe::Sender),
    Socket(UnixStream),
    Other,
}

fn channel(fd: BorrowedFd<'_>, direction: Direction) -> io::Result<Channel> {
    let file = File::from(fd.try_clone_to_owned()?);
    let kind = file.metadata()?.file_type();
    if kind.is_socket() {
        // A socket cannot be opened again: whoever shares it has it non-blocking too.
        let socket = std::os::unix::net::UnixStream::from(std::os::fd::OwnedFd::from(file));
        socket.set_nonblocking(true)?;
        return Ok(Channel::Socket(UnixStream::from_std(socket)?));
    }
    if kind.is_fifo() {
        return Ok(reopen(fd, direction).unwrap_or_else(|error| {
            // Another user's pipe, or a system without /proc.
            tracing::debug!(%error, "a pipe is used through a thread");
            Channel::Other
        }));
    }
    Ok(Channel::Other)
}

#[cfg(target_os = "linux")]
fn reopen(fd: BorrowedFd<'_>, direction: Direction) -> io::Result<Channel> {
    let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&fd));
    let options = pipe::OpenOptions::new();
    Ok(match direction {
        Direction::Read => Channel::Receiver(options.open_receiver(path)?),
        Direction::Write => Channel::Sender(options.open_sender(path)?),
    })
}

/// Elsewhere opening a descriptor's path gives the same description again, not a new one.
#[cfg(not(target_os = "linux"))]
fn reopen(_: BorrowedFd<'_>, _: Direction) -> io::Result<Channel> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests;
