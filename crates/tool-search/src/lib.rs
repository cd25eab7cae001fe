//! Finding a tool by words: tokenising, index, ranking, suggestions, and the one-line shape of a
//! tool's arguments.
//!
//! The crate knows nothing of MCP, has no clock and does no I/O: [`Document`]s go in, [`Page`]s of
//! [`Hit`]s come out, and the same documents and query always give the same answer.
//!
//! ```
//! use tool_search::{Document, Index, Search};
//!
//! let index = Index::build([
//!     Document::new("clock", "now").describe("The current time in a zone"),
//!     Document::new("files", "readFile").describe("Read one file"),
//! ]);
//! let page = index.search(&Search::words("what time is it in Tokyo"))?;
//! assert_eq!(page.items[0].name, "now");
//! # Ok::<(), tool_search::SearchError>(())
//! ```
//!
//! What it does not own: where documents come from, which servers exist, and how a page is worded.

pub mod compact;
mod document;
mod index;
mod page;
mod pattern;
mod postings;
mod printable;
mod query;
mod rank;
mod search;
mod suggest;
mod tokens;

pub use document::Document;
pub use index::Index;
pub use page::{Page, Window};
pub use printable::printable;
pub use search::{Hit, Mode, Search, SearchError};
