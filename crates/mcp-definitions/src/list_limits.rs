//! How much of a list is read from a server.

/// How much of one list (tools, resources, prompts) is read from a server over all its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListLimits {
    /// Most pages.
    pub max_pages: usize,
    /// Most items over all pages.
    pub max_items: usize,
    /// Most bytes of JSON over all pages.
    pub max_bytes: usize,
}

impl Default for ListLimits {
    fn default() -> Self {
        Self {
            max_pages: 20,
            max_items: 50_000,
            max_bytes: 64 * 1024 * 1024,
        }
    }
}
