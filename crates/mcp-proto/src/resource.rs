//! Resources: what can be read from a server.

use crate::content::Annotations;
use crate::icon::Icon;
use crate::meta::{NotificationMeta, RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::result::CacheScope;
use crate::{Raw, RawObject};

open_struct! {
    /// A resource, or a link to one.
    pub struct Resource {
        /// Where it is.
        required uri: String = "uri",
        /// Its name for programs.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
        /// What it is, for the model.
        optional description: String = "description",
        /// What its bytes are.
        optional mime_type: String = "mimeType",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Its size in bytes.
        optional size: u64 = "size",
        /// Pictures for it.
        optional icons: Raw as Vec<Icon> = "icons" since V2025_11_25,
        /// Data of the server.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// A family of resources, by a URI template (RFC 6570).
    pub struct ResourceTemplate {
        /// Where they are.
        required uri_template: String = "uriTemplate",
        /// Its name for programs.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
        /// What they are, for the model.
        optional description: String = "description",
        /// What their bytes are, where all are alike.
        optional mime_type: String = "mimeType",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Pictures for it.
        optional icons: Raw as Vec<Icon> = "icons" since V2025_11_25,
        /// Data of the server.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// The contents of a resource: `text` or `blob`.
    pub struct ResourceContents is "TextResourceContents|BlobResourceContents" {
        /// Where they are from.
        required uri: String = "uri",
        /// What they are.
        optional mime_type: String = "mimeType",
        /// Text.
        optional text: String = "text",
        /// Bytes in base64.
        optional blob: String = "blob",
        /// Data of the server.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// The parameters of `resources/read`.
    pub struct ReadResourceParams is "ReadResourceRequestParams" {
        /// What to read.
        required uri: String = "uri",
        /// Answers to what the server asked, by its keys, each bare (2026-07-28).
        optional input_responses: RawObject = "inputResponses" since V2026_07_28,
        /// What the server asked to have sent back, byte for byte (2026-07-28).
        optional request_state: Raw = "requestState" since V2026_07_28,
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The result of `resources/read`.
    pub struct ReadResourceResult {
        /// The contents; several where the resource has parts.
        required contents: Vec<ResourceContents> = "contents",
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
    /// The parameters of `resources/subscribe` and `resources/unsubscribe`; legacy era.
    pub struct SubscribeParams is "SubscribeRequestParams|UnsubscribeRequestParams" {
        /// What to watch, or to watch no longer.
        required uri: String = "uri",
        /// The progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The parameters of `notifications/resources/updated`.
    pub struct ResourceUpdatedParams is "ResourceUpdatedNotificationParams" {
        /// What has changed; may lie below what is watched.
        required uri: String = "uri",
        /// The subscription it belongs to.
        optional meta: RawObject as NotificationMeta = "_meta",
    }
}
