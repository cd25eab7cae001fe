//! The two files that a configuration is read from, and places in them.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::Context;

/// Which file something stands in. The later one is laid over the earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Layer {
    /// The user's own file.
    User,
    /// The file of a project, which anybody may have written.
    Project,
}

/// A place in one of the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct At {
    pub(crate) layer: Layer,
    /// In bytes.
    pub(crate) offset: usize,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)
    }
}

/// A [`Context`] that owns what it is made of, for the time after reading.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) path: PathBuf,
    folder: PathBuf,
    home: Option<PathBuf>,
}

impl Origin {
    pub(crate) fn of(cx: &Context<'_>) -> Self {
        Self {
            path: cx.path.to_owned(),
            folder: cx.folder.to_owned(),
            home: cx.home.map(Path::to_owned),
        }
    }

    pub(crate) fn cx(&self) -> Context<'_> {
        Context {
            path: &self.path,
            folder: &self.folder,
            home: self.home.as_deref(),
        }
    }
}
