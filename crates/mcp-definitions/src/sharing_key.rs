//! For whom one instance of a server is: the value behind `sharing`.

use std::collections::BTreeSet;

/// For whom one instance of a server is. Two sessions with equal keys share the instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SharingKey {
    /// For all sessions of the user.
    User,
    /// For all sessions in one project folder.
    Folder {
        /// The folder the session works in.
        cwd: String,
        /// The roots that it offers; their order means nothing.
        roots: BTreeSet<String>,
    },
    /// For one session.
    Session(
        /// The session's id.
        String,
    ),
}
