//! Debug forms that show what there is without showing what it says.

use std::collections::BTreeMap;
use std::fmt;

/// A map of names to secrets: only the names are shown.
pub(crate) struct Names<'a>(pub(crate) &'a BTreeMap<String, String>);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// A list of texts of which any may be a secret: only their number is shown.
pub(crate) struct Count(pub(crate) usize);

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{} not shown]", self.0)
    }
}

/// A URL: scheme, host and port are shown; user, password, path and query may be secrets.
pub(crate) struct Origin<'a>(pub(crate) &'a str);

impl fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((scheme, rest)) = self.0.split_once("://") else {
            return f.write_str("(not shown)");
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        write!(f, "{scheme}://{host}/…")
    }
}
