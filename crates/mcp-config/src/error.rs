//! Why a whole file cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::{MAX_FILE_BYTES, Position};

/// Why a whole file cannot be used. The text names file, place, cause and remedy, and reads after
/// "failed to".
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("read {}: {source}; {}", path.display(), read_remedy(source))]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is larger than any configuration.
    #[error(
        "read {}: it is larger than {} MiB; name the right file, or take out what is not configuration",
        path.display(),
        MAX_FILE_BYTES / 1024 / 1024
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The file is not UTF-8.
    #[error("read {}:{position}: it is not UTF-8; save the file as UTF-8", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that does not belong.
        position: Position,
    },
    /// The file is not JSON with comments.
    #[error("read {}:{position}: {cause}; {remedy}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where reading stopped.
        position: Position,
        /// What is wrong.
        cause: String,
        /// What to do about it.
        remedy: String,
    },
    /// A key stands twice in one object, and one of the two values would be lost.
    #[error(
        "read {}:{position}: {key:?} stands twice, first in line {}; remove or rename one of them",
        path.display(),
        first.line
    )]
    DuplicateKey {
        /// The file.
        path: PathBuf,
        /// The second one.
        position: Position,
        /// The key.
        key: String,
        /// The first one.
        first: Position,
    },
    /// The file is JSON, but not a configuration.
    #[error("read {}:{position}: {cause}; {remedy}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// Where.
        position: Position,
        /// What is wrong.
        cause: String,
        /// What to do about it.
        remedy: String,
    },
}

impl ConfigError {
    /// The place it is about, when there is one.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Read { .. } | Self::TooLarge { .. } => None,
            Self::NotUtf8 { position, .. }
            | Self::Syntax { position, .. }
            | Self::DuplicateKey { position, .. }
            | Self::Shape { position, .. } => Some(*position),
        }
    }
}

fn read_remedy(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::NotFound => "create it or name another file",
        io::ErrorKind::PermissionDenied => "make it readable for you",
        io::ErrorKind::IsADirectory => "name the file in that folder",
        _ => "check the file",
    }
}
