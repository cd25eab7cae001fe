//! The socket between fronts and an owner, in a folder that only its user can enter.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;
use tokio::net::{UnixListener, UnixStream};

/// Makes the folder for sockets, or makes sure that the one there is ours alone.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).recursive(true).create(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    let there = fs::symlink_metadata(path)?;
    if !there.is_dir() || there.uid() != geteuid().as_raw() {
        return Err(io::Error::other("it belongs to somebody else"));
    }
    if there.mode() & 0o077 != 0 {
        fs::set_permissions(path, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// A listening socket. Dropping it removes its file.
pub(crate) struct Socket {
    path: PathBuf,
    listener: UnixListener,
}

impl Socket {
    /// Begins to listen; only the user can connect.
    pub(crate) fn bind(path: &Path) -> io::Result<Self> {
        let listener = UnixListener::bind(path)?;
        let socket = Socket {
            path: path.to_owned(),
            listener,
        };
        fs::set_permissions(path, Permissions::from_mode(0o600))?;
        Ok(socket)
    }

    /// Waits for the next front.
    pub(crate) async fn accept(&self) -> io::Result<UnixStream> {
        self.listener.accept().await.map(|(stream, _)| stream)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_user_can_reach_the_socket_and_it_goes_with_its_listener() {
        let parent = tempfile::tempdir().unwrap();
        let folder_path = parent.path().join("run");
        folder(&folder_path).unwrap();
        fs::set_permissions(&folder_path, Permissions::from_mode(0o755)).unwrap();
        folder(&folder_path).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&folder_path), 0o700);
        let path = folder_path.join("a.sock");
        let socket = Socket::bind(&path).unwrap();
        assert_eq!(mode(&path), 0o600);
        drop(socket);
        assert!(!path.exists());
    }

    #[test]
    fn a_link_in_place_of_the_folder_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let link = parent.path().join("run");
        std::os::unix::fs::symlink(parent.path(), &link).unwrap();
        assert!(folder(&link).is_err());
    }
}
