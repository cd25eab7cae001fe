//! Small files that hold values.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::expander::MAX_VALUE_BYTES;

/// What a small file holds. Blocks on the file system.
///
/// # Errors
/// When it is no file, larger than [`MAX_VALUE_BYTES`], not UTF-8, or cannot be read: a fragment
/// such as `cannot be read: …`.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot be read: {error}");
    let metadata = std::fs::metadata(path).map_err(failed)?;
    // Opening a pipe would wait for whoever writes to it.
    if !metadata.is_file() {
        return Err("is not a file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(failed)?
        .take(MAX_VALUE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() > MAX_VALUE_BYTES {
        return Err(format!("is larger than {} KiB", MAX_VALUE_BYTES / 1024));
    }
    String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())
}
