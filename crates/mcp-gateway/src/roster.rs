//! What the configuration says of the servers: all that the texts for models may be made from.

/// The servers of the configuration, in its order. Nothing here is live: texts made from it are the same
/// until the configuration is read again, and so are the hosts' prompt caches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    /// The servers that are switched on.
    pub servers: Vec<RosterEntry>,
    /// What the configuration holds back and warns of, a line each, for the status.
    pub notices: Vec<String>,
}

/// One server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosterEntry {
    /// The name it is shown under.
    pub name: String,
    /// What it is for, in a few words of the configuration.
    pub about: Option<String>,
}

impl Roster {
    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.iter().map(|server| server.name.as_str())
    }
}
