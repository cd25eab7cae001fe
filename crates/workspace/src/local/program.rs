//! Finding the program to run, so that an error can say where it was looked for.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use nix::unistd::{AccessFlags, access};

use crate::{ExecutorId, WorkspaceError};

/// Finds `program` as a shell would: a path is taken from `cwd`, a bare name is searched for in the
/// directories of `search_path`.
pub(super) fn find(
    program: &str,
    cwd: &Path,
    search_path: &str,
    executor: &ExecutorId,
) -> Result<PathBuf, WorkspaceError> {
    if program.is_empty() {
        return Err(WorkspaceError::Spawn {
            program: String::new(),
            reason: "the command is empty; name a program".to_owned(),
        });
    }
    if program.contains('/') {
        let path = cwd.join(program);
        return match look_at(&path) {
            Candidate::Runnable => Ok(path),
            Candidate::Unusable(reason) => Err(unusable(&path, reason)),
            Candidate::Missing => Err(WorkspaceError::NotFound {
                what: format!(
                    "command `{program}` on executor `{executor}`: there is no file `{}`; install \
                     it or correct the path",
                    path.display()
                ),
            }),
        };
    }

    let mut first_unusable = None;
    for directory in search_path.split(':') {
        // An empty directory in PATH means the working directory, and so does joining it.
        let path = cwd.join(directory).join(program);
        match look_at(&path) {
            Candidate::Runnable => return Ok(path),
            Candidate::Unusable(reason) => {
                first_unusable.get_or_insert((path, reason));
            }
            Candidate::Missing => {}
        }
    }
    match first_unusable {
        Some((path, reason)) => Err(unusable(&path, reason)),
        None => Err(WorkspaceError::NotFound {
            what: format!(
                "command `{program}` on executor `{executor}`: install it or give its absolute \
                 path; it is in no directory of the PATH searched, `{search_path}`"
            ),
        }),
    }
}

enum Candidate {
    Runnable,
    Unusable(&'static str),
    Missing,
}

fn look_at(path: &Path) -> Candidate {
    match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            Candidate::Unusable("one of its directories may not be searched; check permissions")
        }
        Err(_) => Candidate::Missing,
        Ok(metadata) if metadata.is_dir() => {
            Candidate::Unusable("it is a directory; name a program in it")
        }
        Ok(_) if access(path, AccessFlags::X_OK).is_err() => Candidate::Unusable(
            "it is not executable; make it so with chmod +x, or run it through its interpreter",
        ),
        Ok(_) => Candidate::Runnable,
    }
}

fn unusable(path: &Path, reason: &str) -> WorkspaceError {
    WorkspaceError::Spawn {
        program: path.display().to_string(),
        reason: reason.to_owned(),
    }
}

/// The interpreter that the first line of a script names, if it is a script.
pub(super) fn interpreter(script: &Path) -> Option<String> {
    // The kernel looks at no more than this many bytes either.
    const FIRST_LINE: u64 = 256;
    let mut start = Vec::new();
    let file = fs::File::open(script).ok()?;
    file.take(FIRST_LINE).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|b| *b == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    // Keeps a carriage return, the usual reason for an interpreter that "does not exist".
    let interpreter = line.trim_matches([' ', '\t']).split([' ', '\t']).next()?;
    Some(interpreter.to_owned())
}
