//! The plugin that declared a server.

/// The plugin that declared a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plugin {
    /// The plugin's name.
    pub name: String,
    /// When this version of it was installed, in the form its host writes it. Only compared: a
    /// change means new code behind the same command line, so the server is started anew.
    pub installed_at: String,
}
