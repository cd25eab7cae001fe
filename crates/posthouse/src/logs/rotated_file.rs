//! A file that is appended to and begun anew when it has grown, by several processes at a time.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How large a file may grow, in bytes.
pub(crate) const MAX_BYTES: u64 = 1024 * 1024;
/// How many files there are at most of one name, with the one that is written to.
pub(crate) const FILES: usize = 3;

/// The files of one name, the oldest first, whether they exist or not.
pub(crate) fn files(path: &Path) -> Vec<PathBuf> {
    (0..FILES).rev().map(|age| aged(path, age)).collect()
}

fn aged(path: &Path, age: usize) -> PathBuf {
    match age {
        0 => path.to_owned(),
        age => {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{age}"));
            name.into()
        }
    }
}

/// The writing end.
pub(crate) struct RotatedFile {
    path: PathBuf,
    max: u64,
    file: Option<File>,
}

impl RotatedFile {
    /// Touches nothing yet.
    pub(crate) fn new(path: PathBuf) -> Self {
        RotatedFile {
            path,
            max: MAX_BYTES,
            file: None,
        }
    }

    /// Appends whole lines at once, so that those of other processes stay whole, too.
    pub(crate) fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut file = self.current()?;
        let length = file.metadata()?.len();
        if length > 0 && length + lines.len() as u64 > self.max {
            self.rotate(&file)?;
            file = self.current()?;
        }
        (&file).write_all(lines)?;
        self.file = Some(file);
        Ok(())
    }

    /// The file that bears the name now: another process may have moved ours away.
    fn current(&mut self) -> io::Result<File> {
        if let (Some(file), Ok(there)) = (self.file.take(), fs::metadata(&self.path)) {
            let ours = file.metadata()?;
            if (ours.dev(), ours.ino()) == (there.dev(), there.ino()) {
                return Ok(file);
            }
        }
        if let Some(folder) = self.path.parent() {
            DirBuilder::new()
                .mode(0o700)
                .recursive(true)
                .create(folder)?;
        }
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&self.path)
    }

    /// Only one process moves the files; the others go on in the old one until they see it.
    fn rotate(&self, file: &File) -> io::Result<()> {
        if file.try_lock().is_err() {
            return Ok(());
        }
        let (ours, there) = (file.metadata()?, fs::metadata(&self.path)?);
        if ours.ino() == there.ino() {
            for age in (1..FILES).rev() {
                match fs::rename(aged(&self.path, age - 1), aged(&self.path, age)) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
        // The lock goes with the last handle, and ours is closed next.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(path: &Path) -> RotatedFile {
        RotatedFile {
            max: 20,
            ..RotatedFile::new(path.to_owned())
        }
    }

    #[test]
    fn two_writers_lose_no_line_and_keep_three_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/a.log");
        let (mut one, mut two) = (small(&path), small(&path));
        for number in 0..6 {
            one.append(format!("one {number}\n").as_bytes()).unwrap();
            two.append(format!("two {number}\n").as_bytes()).unwrap();
        }
        let kept: Vec<_> = files(&path)
            .iter()
            .map(|file| fs::read_to_string(file).unwrap())
            .collect();
        let all = kept.concat();
        // Each file has room for three lines.
        assert_eq!(kept.len(), FILES);
        let expected: String = (0..6)
            .flat_map(|number| [format!("one {number}\n"), format!("two {number}\n")])
            .skip(3)
            .collect();
        assert_eq!(all, expected);
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("logs"), "").unwrap();
        assert!(
            small(&folder.path().join("logs/a.log"))
                .append(b"x\n")
                .is_err()
        );
    }
}
