//! The folder that is made for a try and removed after it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::outcome::Failure;

/// A folder with a few files to look at. Dropping it removes it.
pub(crate) struct TryFolder {
    path: PathBuf,
}

impl TryFolder {
    /// Makes the folder under `parent`.
    pub(crate) fn make(parent: &Path) -> Result<Self, Failure> {
        TryFolder::fill(parent).map_err(|error| {
            Failure::unavailable(format!(
                "cannot make a folder in {}: {error}",
                parent.display()
            ))
        })
    }

    fn fill(parent: &Path) -> io::Result<Self> {
        let path = parent.join(format!("posthouse-try-{}", std::process::id()));
        fs::create_dir(&path)?;
        let folder = TryFolder { path };
        fs::write(
            folder.path.join("welcome.md"),
            "# Welcome\n\nThis folder was made for the try and goes with it.\n",
        )?;
        fs::create_dir(folder.path.join("plans"))?;
        fs::write(
            folder.path.join("plans").join("trip.txt"),
            "Tokyo in May: book the train, pack light.\n",
        )?;
        Ok(folder)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TryFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tracing::warn!("cannot remove {}: {error}", self.path.display());
        }
    }
}
