//! What a server listed, kept on disk: one file for each identity, so that processes do not wait for one
//! another and a torn write costs one server.
//!
//! The lists are those of the wire, unfiltered: a loosened filter takes effect without asking anew. An
//! entry never makes a server ready; it only says what it had.

mod record;

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

pub use record::{CachedLists, RecordError};

/// The largest file that is read, in bytes: a list may have 64 MiB.
const MAX_FILE: u64 = 80 * 1024 * 1024;

/// How often this process has written.
static WRITES: AtomicU64 = AtomicU64::new(0);

/// A folder of cached lists. Nothing is read before it is asked for.
#[derive(Clone, Debug)]
pub struct MetadataCache {
    folder: PathBuf,
}

/// Why nothing could be read or written. Never more than a warning: whatever is cached can be asked for.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file or the folder cannot be used.
    #[error("cannot use {}: {source}; its server is asked instead", path.display())]
    File {
        /// What could not be used.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no record of ours. It is replaced when its server has listed again.
    #[error("cannot use {}: {source}; its server is asked instead", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: RecordError,
    },
}

impl MetadataCache {
    /// The cache in this folder, which is made when something is stored.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        MetadataCache {
            folder: folder.into(),
        }
    }

    /// What is kept of `identity`, and what of it had to be left out, in whole sentences. `None` when
    /// nothing is.
    pub fn load(&self, identity: &str) -> Result<Option<(CachedLists, Vec<String>)>, CacheError> {
        let path = self.path(identity);
        let bytes = match read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(CacheError::File { path, source }),
        };
        match CachedLists::decode(&bytes, identity) {
            Ok(lists) => Ok(Some(lists)),
            Err(source) => Err(CacheError::Record { path, source }),
        }
    }

    /// Keeps `lists` under `identity`, in place of what was there. Whoever reads meanwhile sees the old
    /// file or the new one, never a part.
    pub fn store(&self, identity: &str, lists: &CachedLists) -> Result<(), CacheError> {
        let path = self.path(identity);
        self.write(&path, &lists.encode(identity))
            .map_err(|source| CacheError::File { path, source })
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)?;
        // Told apart from those of other processes, and of other tasks in this one.
        let count = WRITES.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_extension(format!("{}-{count}.tmp", std::process::id()));
        let mut options = File::options();
        options.write(true).create(true).truncate(true).mode(0o600);
        let written = options.open(&temporary).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        let moved = written.and_then(|()| fs::rename(&temporary, path));
        if moved.is_err() {
            // It may not have been made at all.
            drop(fs::remove_file(&temporary));
        }
        moved
    }

    /// Identities are hexadecimal digests; whatever else is asked for names no file outside the folder.
    fn path(&self, identity: &str) -> PathBuf {
        let name: String = identity
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(128)
            .collect();
        self.folder.join(format!("{name}.json"))
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_FILE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(io::Error::other("it is larger than any record"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
