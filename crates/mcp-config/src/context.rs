//! What a configuration file is read with: values that only the caller knows.

use std::path::Path;

/// Where a configuration file stands, and what its paths are resolved against.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The file, as messages should name it.
    pub path: &'a Path,
    /// The folder that relative paths in the file are resolved against; it should be absolute.
    pub folder: &'a Path,
    /// What `~` stands for; `None` holds the entries that use it.
    pub home: Option<&'a Path>,
}

impl<'a> Context<'a> {
    /// The context of a file whose paths are relative to the folder it stands in.
    pub fn of_file(path: &'a Path, home: Option<&'a Path>) -> Self {
        let folder = path.parent().unwrap_or(Path::new(""));
        Self { path, folder, home }
    }
}
