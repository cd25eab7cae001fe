//! A server that already runs somewhere and is reached by its URL.

use std::collections::BTreeMap;
use std::fmt;

use crate::redaction::{Names, Origin};

/// A server reached over HTTP.
///
/// `Debug` shows the names of `headers` and the origin of `url` only: the rest may hold a secret.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HttpServer {
    /// An `http` or `https` URL.
    pub url: String,
    /// Headers sent with every request.
    pub headers: BTreeMap<String, String>,
}

impl HttpServer {
    /// The URL as it may be shown: scheme, host and port. User, password, path and query may be
    /// secrets.
    pub fn shown_url(&self) -> String {
        Origin(&self.url).to_string()
    }
}

impl fmt::Debug for HttpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpServer")
            .field("url", &Origin(&self.url))
            .field("headers", &Names(&self.headers))
            .finish()
    }
}
