//! A whole list as a handler gives it, and the pages it is sent in.

use std::borrow::Cow;
use std::sync::Arc;

use mcp_proto::list::ListKind;
use mcp_proto::{ErrorObject, Raw, RawObject, Revision, project};

use crate::CacheScope;

/// How many items one page has at most: enough for every list in the field, since one host reads the
/// first page only (D39).
pub const PAGE: usize = 10_000;

/// A whole list, in the order it is shown in.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The items as JSON; they reach the host byte for byte, but for what its era does not have.
    pub items: Arc<[Raw]>,
    /// How long the list may be kept, in milliseconds (2026-07-28); 0 where it may be another at once.
    pub ttl_ms: u64,
    /// The number that [`ServerHandler::changes`](crate::ServerHandler::changes) had when the list was
    /// made. `None` is the one it had when the list was asked for: a list that was long in the making
    /// is then announced once more than it need be.
    pub generation: Option<u64>,
}

impl List {
    /// A list that is not to be kept.
    pub fn new(items: impl Into<Arc<[Raw]>>) -> Self {
        List {
            items: items.into(),
            ttl_ms: 0,
            generation: None,
        }
    }

    /// Says which generation the list is of.
    pub fn of_generation(self, generation: u64) -> Self {
        List {
            generation: Some(generation),
            ..self
        }
    }

    /// A list of descriptions, such as [`ToolSpec`](crate::ToolSpec)s or resources, that is not to be
    /// kept. One that cannot be written as JSON, which none of the protocol's types is, is left out.
    pub fn of<T: serde::Serialize>(items: impl IntoIterator<Item = T>) -> Self {
        let items = items.into_iter().filter_map(|item| Raw::of(&item).ok());
        List::new(items.collect::<Vec<_>>())
    }

    /// The page that begins at `cursor`, as a result for a peer of `to`. Cursors are offsets: while a
    /// list changes, its pages may overlap, and the host hears of the change.
    pub(crate) fn page(
        &self,
        kind: ListKind,
        cursor: Option<&str>,
        to: Revision,
        scope: CacheScope,
    ) -> Result<Raw, ErrorObject> {
        let unknown =
            |cursor| ErrorObject::invalid_params(format_args!("unknown cursor {cursor:?}"));
        let start = match cursor {
            None => 0,
            Some(cursor) => match cursor.parse() {
                Ok(start) if start < self.items.len() => start,
                _ => return Err(unknown(cursor)),
            },
        };
        let end = self.items.len().min(start + PAGE);
        let items: Vec<Cow<'_, Raw>> = self.items[start..end]
            .iter()
            .map(|item| match kind {
                ListKind::Tools => project::tool(item, to),
                _ => Cow::Borrowed(item),
            })
            .collect();
        let mut page = RawObject::default();
        page.push(kind.key(), json(&items));
        if end < self.items.len() {
            page.push("nextCursor", json(&end.to_string()));
        }
        if to.is_modern() {
            page.push("ttlMs", json(&self.ttl_ms));
            page.push("cacheScope", json(scope.as_str()));
        }
        Ok(page.to_raw())
    }
}

/// Strings, numbers and lists of JSON texts can always be written.
fn json<T: serde::Serialize + ?Sized>(value: &T) -> Raw {
    Raw::of(value).unwrap_or_default()
}

#[cfg(test)]
mod tests;
