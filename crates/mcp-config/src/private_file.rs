//! Writing files whole: never half, and with the right to read them for their owner alone.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The permissions of a file with secrets.
const PRIVATE: u32 = 0o600;

/// Writes a file that only its owner may read. Whoever reads it meanwhile sees the old text or the
/// new one, never a part. Blocks on the file system.
///
/// # Errors
/// When the folder does not exist or may not be written to. The old file is then as it was.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    replace(path, text, PRIVATE)
}

/// As [`write_private`], but a file that exists keeps its permissions, and a link stays one: what
/// it leads to is written. For files that people keep.
///
/// # Errors
/// As [`write_private`].
pub fn write_keeping_mode(path: &Path, text: &str) -> io::Result<()> {
    let target = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        target => target?,
    };
    let mode = match fs::metadata(&target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => PRIVATE,
        metadata => metadata?.permissions().mode() & 0o777,
    };
    replace(&target, text, mode)
}

fn replace(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let temporary = beside(path)?;
    let written = write_new(&temporary, text, mode).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What failed is what is worth telling; a rest left behind is not.
        drop(fs::remove_file(&temporary));
    }
    written
}

fn write_new(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(PRIVATE)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    file.sync_all()
}

/// A name beside the file that nobody else uses: a rename only works within one file system.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "the path names no file"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.new", std::process::id()));
    Ok(path.with_file_name(temporary))
}

#[cfg(test)]
mod tests;
