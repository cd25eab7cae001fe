//! A scripted MCP server with one mode per way a server can behave or misbehave.
//!
//! It judges the other crates, so it uses none of them: it reads lines, looks at the few fields
//! it needs and writes its answers as text. [`serve`] runs over any pair of byte streams; the
//! binary `fake-mcp-server` of the `tests` package wires it to stdin and stdout.
//!
//! Two answers never depend on the mode (as long as the mode speaks the protocol at all): `ping`,
//! and the tool `count`, which says what this server has received.

pub mod big_numbers;
mod exit;
mod junk;
mod legacy;
mod list;
mod message;
mod mode;
mod modern;
mod options;
mod outbox;
mod reply;
mod resources;
mod session;
mod standard_error;
mod tally;
mod tools;

#[cfg(test)]
mod tests;

use tokio::io::{AsyncRead, AsyncWrite};

pub use exit::Exit;
pub use mode::{Mode, UnknownMode};
pub use options::{Options, OptionsError};

use outbox::Outbox;
use session::Session;

/// Behaves as `mode` says until the peer closes or the script ends.
///
/// Answers that were queued before the end are still written. Dropping the future ends every
/// task it started. In [`Mode::Stubborn`] it never returns by itself.
pub async fn serve<R, W>(mode: Mode, options: Options, reader: R, writer: W) -> Exit
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let (outbox, queue) = Outbox::new();
    let chunk = options.chunk;
    let mut session = Session::new(mode, options, outbox);
    tokio::select! {
        exit = queue.write_to(writer, chunk, mode == Mode::Stubborn) => exit,
        exit = session.read_from(reader) => exit,
    }
}
