//! Blocks of content in results and prompts; a kind that is not known is kept whole.

use crate::RawObject;
use crate::open_enum::open_enum;
use crate::open_struct::open_struct;
use crate::open_union::open_union;
use crate::resource::{Resource, ResourceContents};

open_enum! {
    /// Who speaks, or who something is for.
    #[derive(Default)]
    pub enum Role {
        /// The person.
        #[default]
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

open_struct! {
    /// Hints on how content is to be used.
    pub struct Annotations is "Annotations|TextContent/annotations" {
        /// Who it is for.
        optional audience: Vec<Role> = "audience",
        /// How important it is, 0 to 1.
        optional priority: f64 = "priority",
        /// When it was changed last, ISO 8601.
        optional last_modified: String = "lastModified" since V2025_06_18,
    }
}

open_struct! {
    /// Text.
    pub struct TextContent {
        /// The text.
        required text: String = "text",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Data of the sender.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// An image or a sound.
    pub struct MediaContent is "ImageContent|AudioContent" {
        /// The bytes in base64.
        required data: String = "data",
        /// What they are.
        required mime_type: String = "mimeType",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Data of the sender.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// The contents of a resource, in place.
    pub struct EmbeddedResource {
        /// The contents.
        required resource: ResourceContents = "resource",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Data of the sender.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_union! {
    /// One block of content, by its `type` (protocol.md §3). A kind that a peer's revision does not have
    /// becomes text for it (D43).
    pub enum ContentBlock is "ContentBlock|PromptMessage/content" by "type" else Text {
        /// `text`
        Text(TextContent) = "text",
        /// `image`
        Image(MediaContent) = "image",
        /// `audio`
        Audio(MediaContent) = "audio" since V2025_03_26,
        /// `resource_link`
        ResourceLink(Resource) = "resource_link" since V2025_06_18,
        /// `resource`
        Resource(EmbeddedResource) = "resource",
    }
}

impl Default for ContentBlock {
    fn default() -> Self {
        ContentBlock::Text(TextContent::default())
    }
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        ContentBlock::Text(TextContent {
            text: text.into(),
            ..TextContent::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_round_trips_and_unknown_ones_are_kept() {
        for text in [
            r#"{"type":"text","text":"a","annotations":{"audience":["user","critic"],"priority":0.6}}"#,
            r#"{"type":"image","data":"AA==","mimeType":"image/png","x":1}"#,
            r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#,
            r#"{"type":"resource_link","uri":"file:///a","name":"a","size":3}"#,
            r#"{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":"x"}}"#,
            r#"{"type":"hologram","depth": 3.50}"#,
            r#"{"no":"type"}"#,
        ] {
            let block: ContentBlock = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&block).unwrap(), text);
        }
    }
}
