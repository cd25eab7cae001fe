//! What is kept of the files once they are read: where they are and where their lines begin.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::Context;
use crate::layer::{At, Layer, Origin, Place};
use crate::position::line_of;
use crate::source::Source;

/// What is kept of the files once they are read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(BTreeMap<Layer, File>);

#[derive(Clone, Debug)]
struct File {
    origin: Origin,
    starts: Vec<usize>,
}

impl Files {
    pub(crate) fn add(&mut self, source: &Source<'_>) {
        let file = File {
            origin: Origin::of(&source.cx),
            starts: source.lines.starts().to_vec(),
        };
        self.0.insert(source.layer, file);
    }

    /// The path of the user's file, else of the project's.
    pub(crate) fn first_path(&self) -> PathBuf {
        let mut files = self.0.values();
        files
            .next()
            .map(|file| file.origin.path.clone())
            .unwrap_or_default()
    }

    /// The paths, the user's first.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.values().map(|file| file.origin.path.as_path())
    }

    /// What a file's paths are resolved with.
    pub(crate) fn cx(&self, layer: Layer) -> Context<'_> {
        match self.0.get(&layer) {
            Some(file) => file.origin.cx(),
            None => Context {
                path: Path::new(""),
                folder: Path::new(""),
                home: None,
            },
        }
    }

    pub(crate) fn place(&self, at: At) -> Place {
        let file = self.0.get(&at.layer);
        Place {
            path: file
                .map(|file| file.origin.path.clone())
                .unwrap_or_default(),
            line: file.map_or(1, |file| line_of(&file.starts, at.offset)),
        }
    }
}
