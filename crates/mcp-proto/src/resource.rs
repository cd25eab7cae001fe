//! Resources: what can be read from a server.

use crate::content::Annotations;
use crate::open_struct::open_struct;
use crate::{Raw, RawObject};

open_struct! {
    /// A resource, or a link to one.
    pub struct Resource {
        /// Where it is.
        required uri: String = "uri",
        /// Its name for programs.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title",
        /// What it is, for the model.
        optional description: String = "description",
        /// What its bytes are.
        optional mime_type: String = "mimeType",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Its size in bytes.
        optional size: u64 = "size",
        /// Pictures for it.
        optional icons: Raw = "icons",
        /// Data of the server.
        optional meta: RawObject = "_meta",
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
        optional title: String = "title",
        /// What they are, for the model.
        optional description: String = "description",
        /// What their bytes are, where all are alike.
        optional mime_type: String = "mimeType",
        /// Data of the server.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// The contents of a resource: `text` or `blob`.
    pub struct ResourceContents {
        /// Where they are from.
        required uri: String = "uri",
        /// What they are.
        optional mime_type: String = "mimeType",
        /// Text.
        optional text: String = "text",
        /// Bytes in base64.
        optional blob: String = "blob",
        /// Data of the server.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// The parameters of `resources/read`.
    pub struct ReadResourceParams {
        /// What to read.
        required uri: String = "uri",
        /// The envelope and the progress token.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// The result of `resources/read`.
    pub struct ReadResourceResult {
        /// The contents; several where the resource has parts.
        required contents: Vec<ResourceContents> = "contents",
        /// Data of the server.
        optional meta: RawObject = "_meta",
    }
}
