//! The rules of paging, without I/O: when a list ends, and when it is an error instead of a list.

use std::collections::HashSet;

use mcp_proto::Raw;
use mcp_proto::list::ListPage;

use crate::ListLimits;

/// Puts the pages of one list together.
#[derive(Debug)]
pub struct Pager {
    limits: ListLimits,
    items: Vec<Raw>,
    bytes: usize,
    pages: usize,
    seen: HashSet<String>,
    first_page: usize,
    warning: Option<String>,
}

/// What to do after a page.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Ask for the page at this cursor.
    Page(String),
    /// The list is complete.
    Done,
}

/// Why the pages are no list. A list is never cut short: that would look like all there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The server has more than we read.
    #[error(
        "the list is longer than the limit of {limit} {what}: {pages} pages with {items} items were read; raise the limit for this server if it is right"
    )]
    TooLong {
        /// The limit.
        limit: usize,
        /// Of what.
        what: &'static str,
        /// Pages read.
        pages: usize,
        /// Items read.
        items: usize,
    },
    /// The server leads in a circle.
    #[error(
        "the server gave the cursor {cursor:?} twice, after {pages} pages: its list has no end"
    )]
    CursorRepeats {
        /// The cursor.
        cursor: String,
        /// Pages read.
        pages: usize,
    },
}

impl Pager {
    /// An empty list.
    pub fn new(limits: ListLimits) -> Self {
        Pager {
            limits,
            items: Vec::new(),
            bytes: 0,
            pages: 0,
            seen: HashSet::new(),
            first_page: 0,
            warning: None,
        }
    }

    /// Takes a page in. Only the absence of a cursor ends a list. `""` is a cursor like any other, but
    /// some servers mean the end by it: it is followed once, and if that leads to it again or to the
    /// first page again, the list is what the first page gave.
    pub fn accept(&mut self, page: ListPage) -> Result<Next, ListError> {
        let after_empty = self.seen.contains("");
        let repeats_first =
            !page.items.is_empty() && page.items[..] == self.items[..self.first_page];
        if after_empty
            && self.pages == 1
            && (page.next_cursor.as_deref() == Some("") || repeats_first)
        {
            self.warning = Some(
                "the server ends its list with an empty cursor instead of none; the first page was taken for the whole list"
                    .to_owned(),
            );
            return Ok(Next::Done);
        }
        self.pages += 1;
        self.bytes += page
            .items
            .iter()
            .map(|item| item.get().len())
            .sum::<usize>();
        self.items.extend(page.items);
        if self.pages == 1 {
            self.first_page = self.items.len();
        }
        self.check(self.items.len(), self.limits.max_items, "items")?;
        self.check(self.bytes, self.limits.max_bytes, "bytes")?;
        let Some(cursor) = page.next_cursor else {
            return Ok(Next::Done);
        };
        self.check(self.pages + 1, self.limits.max_pages, "pages")?;
        if !self.seen.insert(cursor.clone()) {
            return Err(ListError::CursorRepeats {
                cursor,
                pages: self.pages,
            });
        }
        Ok(Next::Page(cursor))
    }

    /// The items in order, and what was odd about the pages.
    pub fn finish(self) -> (Vec<Raw>, Option<String>) {
        (self.items, self.warning)
    }

    fn check(&self, value: usize, limit: usize, what: &'static str) -> Result<(), ListError> {
        if value <= limit {
            return Ok(());
        }
        Err(ListError::TooLong {
            limit,
            what,
            pages: self.pages,
            items: self.items.len(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(items: &[&str], next: Option<&str>) -> ListPage {
        ListPage {
            items: items.iter().map(|item| Raw::of(item).unwrap()).collect(),
            next_cursor: next.map(str::to_owned),
            ttl_ms: None,
        }
    }

    fn read(limits: ListLimits, pages: Vec<ListPage>) -> Result<(Vec<String>, bool), ListError> {
        let mut pager = Pager::new(limits);
        for page in pages {
            if pager.accept(page)? == Next::Done {
                break;
            }
        }
        let (items, warning) = pager.finish();
        Ok((
            items.iter().map(|item| item.decode().unwrap()).collect(),
            warning.is_some(),
        ))
    }

    fn list(items: &[&str], warned: bool) -> Result<(Vec<String>, bool), ListError> {
        Ok((
            items.iter().map(|item| (*item).to_owned()).collect(),
            warned,
        ))
    }

    #[test]
    fn pages_are_followed_to_the_end() {
        let pages = vec![
            page(&["a"], Some("1")),
            page(&["b"], Some("2")),
            page(&["c"], None),
        ];
        assert_eq!(
            read(ListLimits::default(), pages),
            list(&["a", "b", "c"], false)
        );
    }

    #[test]
    fn twenty_pages_are_a_list_and_a_twenty_first_is_an_error() {
        let pages = |count: usize, ends: bool| -> Vec<_> {
            let next = |index: usize| (index + 1 < count || !ends).then(|| index.to_string());
            (0..count)
                .map(|index| page(&["x"], next(index).as_deref()))
                .collect()
        };
        assert_eq!(
            read(ListLimits::default(), pages(20, true))
                .unwrap()
                .0
                .len(),
            20
        );
        let error = ListError::TooLong {
            limit: 20,
            what: "pages",
            pages: 20,
            items: 20,
        };
        assert_eq!(read(ListLimits::default(), pages(20, false)), Err(error));
    }

    #[test]
    fn a_cursor_that_comes_back_is_an_error() {
        let pages = vec![page(&["a"], Some("1")), page(&["b"], Some("1"))];
        let error = ListError::CursorRepeats {
            cursor: "1".into(),
            pages: 2,
        };
        assert_eq!(read(ListLimits::default(), pages), Err(error));
    }

    #[test]
    fn an_empty_cursor_is_followed_once() {
        let again = vec![page(&["a"], Some("")), page(&["a"], Some(""))];
        assert_eq!(read(ListLimits::default(), again), list(&["a"], true));
        let first_page_again = vec![page(&["a"], Some("")), page(&["a"], None)];
        assert_eq!(
            read(ListLimits::default(), first_page_again),
            list(&["a"], true)
        );
        let real = vec![page(&["a"], Some("")), page(&["b"], None)];
        assert_eq!(read(ListLimits::default(), real), list(&["a", "b"], false));
    }

    #[test]
    fn items_and_bytes_are_limited() {
        let limits = ListLimits {
            max_items: 2,
            ..ListLimits::default()
        };
        let error = ListError::TooLong {
            limit: 2,
            what: "items",
            pages: 1,
            items: 3,
        };
        assert_eq!(read(limits, vec![page(&["a", "b", "c"], None)]), Err(error));
        let limits = ListLimits {
            max_bytes: 5,
            ..ListLimits::default()
        };
        let error = ListError::TooLong {
            limit: 5,
            what: "bytes",
            pages: 1,
            items: 2,
        };
        assert_eq!(read(limits, vec![page(&["a", "b"], None)]), Err(error));
    }
}
