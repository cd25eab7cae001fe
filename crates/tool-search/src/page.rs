//! A part of a result list, and which part was asked for.

use std::num::NonZeroUsize;

/// Which part of a result list is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    limit: NonZeroUsize,
    offset: usize,
}

impl Window {
    /// How many items a page has when nothing is said.
    pub const DEFAULT_LIMIT: usize = 12;
    /// How many items a page may have at most.
    pub const MAX_LIMIT: usize = 100;

    /// A window of `limit` items from `offset` on. `limit` is brought into 1 ..= [`Self::MAX_LIMIT`]:
    /// the page says where to go on, so a smaller page than asked for loses nothing.
    pub fn new(limit: usize, offset: usize) -> Self {
        let limit = limit.min(Self::MAX_LIMIT);
        Self {
            limit: NonZeroUsize::new(limit).unwrap_or(NonZeroUsize::MIN),
            offset,
        }
    }

    /// Number of items wanted.
    pub fn limit(self) -> usize {
        self.limit.get()
    }

    /// Number of items to skip.
    pub fn offset(self) -> usize {
        self.offset
    }

    /// One past the last item wanted.
    pub(crate) fn end(self) -> usize {
        self.offset.saturating_add(self.limit())
    }
}

impl Default for Window {
    fn default() -> Self {
        Self::new(Self::DEFAULT_LIMIT, 0)
    }
}

/// One part of a result list. Following `next_offset` from 0 gives every item exactly once.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The items of this part, best first.
    pub items: Vec<T>,
    /// How many items the whole list has.
    pub total: usize,
    /// Offset of the next page; `None` on the last.
    pub next_offset: Option<usize>,
}

impl<T> Page<T> {
    /// Whether items follow after this page.
    pub fn has_more(&self) -> bool {
        self.next_offset.is_some()
    }

    /// Cuts `window` out of a list of `total` items that is sorted at least up to the window's end.
    pub(crate) fn cut(sorted: impl IntoIterator<Item = T>, total: usize, window: Window) -> Self {
        let items: Vec<T> = sorted
            .into_iter()
            .skip(window.offset())
            .take(window.limit())
            .collect();
        Self {
            items,
            total,
            next_offset: (window.end() < total).then(|| window.end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_brought_into_range() {
        for (asked, given) in [(0, 1), (1, 1), (12, 12), (100, 100), (usize::MAX, 100)] {
            assert_eq!(Window::new(asked, 0).limit(), given);
        }
    }

    #[test]
    fn offset_beyond_the_end_is_an_empty_last_page() {
        let page = Page::cut([1, 2, 3], 3, Window::new(100, usize::MAX));
        assert_eq!(
            (page.items, page.total, page.next_offset),
            (vec![], 3, None)
        );
    }
}
