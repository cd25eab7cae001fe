//! The four lists of a server and their pages. Items stay raw, so that a bad one costs itself alone.

use crate::meta::{RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::prompt::Prompt;
use crate::resource::{Resource, ResourceTemplate};
use crate::result::CacheScope;
use crate::tool::Tool;
use crate::{Raw, RawObject, methods};

/// One of the lists that a server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListKind {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    ResourceTemplates,
    /// `prompts/list`
    Prompts,
}

impl ListKind {
    /// The request for one page.
    pub fn method(self) -> &'static str {
        match self {
            ListKind::Tools => methods::TOOLS_LIST,
            ListKind::Resources => methods::RESOURCES_LIST,
            ListKind::ResourceTemplates => methods::RESOURCE_TEMPLATES_LIST,
            ListKind::Prompts => methods::PROMPTS_LIST,
        }
    }

    /// Where the items stand in a page.
    pub fn key(self) -> &'static str {
        match self {
            ListKind::Tools => "tools",
            ListKind::Resources => "resources",
            ListKind::ResourceTemplates => "resourceTemplates",
            ListKind::Prompts => "prompts",
        }
    }
}

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPage {
    /// The items, in the server's order and bytes.
    pub items: Vec<Raw>,
    /// Where the next page begins; only its absence ends the list. Opaque, and `""` is a cursor.
    pub next_cursor: Option<String>,
    /// How long the page may be kept, in milliseconds (2026-07-28).
    pub ttl_ms: Option<u64>,
}

impl ListPage {
    /// Decodes the result of a list request. A cursor or a time to live of the wrong type reads as absent.
    pub fn parse(kind: ListKind, result: &Raw) -> Result<Self, serde_json::Error> {
        let page = RawObject::parse(result)?;
        let items = match page.get(kind.key()) {
            Some(items) => items.decode()?,
            None => return Err(serde::de::Error::missing_field(kind.key())),
        };
        Ok(ListPage {
            items,
            next_cursor: page.get_as("nextCursor"),
            ttl_ms: page.get_as("ttlMs"),
        })
    }

    /// The whole list as one page, as a result of `kind`.
    pub fn whole<'a>(kind: ListKind, items: impl IntoIterator<Item = &'a Raw>) -> Raw {
        let items: Vec<&Raw> = items.into_iter().collect();
        let mut page = RawObject::default();
        page.set(kind.key(), Raw::of(&items).unwrap_or_default());
        page.to_raw()
    }
}

open_struct! {
    /// The parameters of the four list requests.
    pub struct ListParams is "PaginatedRequestParams" {
        /// Where the page begins; absent for the first.
        optional cursor: String = "cursor",
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The result of `tools/list`.
    pub struct ListToolsResult {
        /// The items of this page, each a [`Tool`], in the server's order and bytes.
        required tools: Vec<Raw> as Vec<Tool> = "tools",
        /// Where the next page begins.
        optional next_cursor: String = "nextCursor",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// How long it may be kept, in milliseconds; less than 0 means 0 (2026-07-28).
        optional ttl_ms: i64 = "ttlMs" since V2026_07_28,
        /// Who may share it (2026-07-28).
        optional cache_scope: CacheScope = "cacheScope" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// The result of `resources/list`.
    pub struct ListResourcesResult {
        /// The items of this page, each a [`Resource`], in the server's order and bytes.
        required resources: Vec<Raw> as Vec<Resource> = "resources",
        /// Where the next page begins.
        optional next_cursor: String = "nextCursor",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// How long it may be kept, in milliseconds; less than 0 means 0 (2026-07-28).
        optional ttl_ms: i64 = "ttlMs" since V2026_07_28,
        /// Who may share it (2026-07-28).
        optional cache_scope: CacheScope = "cacheScope" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// The result of `resources/templates/list`.
    pub struct ListResourceTemplatesResult {
        /// The items of this page, each a [`ResourceTemplate`], in the server's order and bytes.
        required resource_templates: Vec<Raw> as Vec<ResourceTemplate> = "resourceTemplates",
        /// Where the next page begins.
        optional next_cursor: String = "nextCursor",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// How long it may be kept, in milliseconds; less than 0 means 0 (2026-07-28).
        optional ttl_ms: i64 = "ttlMs" since V2026_07_28,
        /// Who may share it (2026-07-28).
        optional cache_scope: CacheScope = "cacheScope" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// The result of `prompts/list`.
    pub struct ListPromptsResult {
        /// The items of this page, each a [`Prompt`], in the server's order and bytes.
        required prompts: Vec<Raw> as Vec<Prompt> = "prompts",
        /// Where the next page begins.
        optional next_cursor: String = "nextCursor",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// How long it may be kept, in milliseconds; less than 0 means 0 (2026-07-28).
        optional ttl_ms: i64 = "ttlMs" since V2026_07_28,
        /// Who may share it (2026-07-28).
        optional cache_scope: CacheScope = "cacheScope" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_bytes_and_odd_cursors_end_the_list() {
        let result = Raw::parse(r#"{"tools":[{"a" : 1},7],"nextCursor":null,"ttlMs":-1}"#).unwrap();
        let page = ListPage::parse(ListKind::Tools, &result).unwrap();
        assert_eq!(
            page.items.iter().map(Raw::get).collect::<Vec<_>>(),
            [r#"{"a" : 1}"#, "7"]
        );
        assert_eq!((page.next_cursor, page.ttl_ms), (None, None));
        assert_eq!(
            ListPage::whole(ListKind::Tools, &page.items).get(),
            r#"{"tools":[{"a" : 1},7]}"#
        );
        assert!(ListPage::parse(ListKind::Prompts, &result).is_err());
    }
}
