//! Who may use one instance of a server.

use serde::{Deserialize, Serialize};

/// Who may use one instance of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sharing {
    /// All sessions of one user. What a URL gets unless told otherwise.
    User,
    /// All sessions in one project folder. What a command gets unless told otherwise.
    Folder,
    /// One session; never shared.
    Session,
}

impl Sharing {
    /// Every value, in the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::User, Self::Folder, Self::Session];

    /// The word that stands for it in configuration files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Folder => "folder",
            Self::Session => "session",
        }
    }
}
