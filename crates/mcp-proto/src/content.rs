//! Blocks of content in results and prompts; a kind that is not known is kept whole.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::open_enum::open_enum;
use crate::open_struct::open_struct;
use crate::resource::{Resource, ResourceContents};
use crate::{Raw, RawObject};

open_enum! {
    /// Who speaks, or who something is for.
    pub enum Role {
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

open_struct! {
    /// Hints on how content is to be used.
    pub struct Annotations {
        /// Who it is for.
        optional audience: Vec<Role> = "audience",
        /// How important it is, 0 to 1.
        optional priority: f64 = "priority",
        /// When it was changed last, ISO 8601.
        optional last_modified: String = "lastModified",
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
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// An image or a sound.
    pub struct MediaContent {
        /// The bytes in base64.
        required data: String = "data",
        /// What they are.
        required mime_type: String = "mimeType",
        /// Hints.
        optional annotations: Annotations = "annotations",
        /// Data of the sender.
        optional meta: RawObject = "_meta",
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
        optional meta: RawObject = "_meta",
    }
}

/// One block of content, by its `type`.
#[derive(Clone, Debug, PartialEq)]
pub enum ContentBlock {
    /// `text`
    Text(TextContent),
    /// `image`
    Image(MediaContent),
    /// `audio` (since 2025-03-26)
    Audio(MediaContent),
    /// `resource_link` (since 2025-06-18)
    ResourceLink(Resource),
    /// `resource`
    Resource(EmbeddedResource),
    /// A kind that this version does not know, as it came.
    Unknown(Raw),
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

impl Serialize for ContentBlock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kind = match self {
            ContentBlock::Text(_) => "text",
            ContentBlock::Image(_) => "image",
            ContentBlock::Audio(_) => "audio",
            ContentBlock::ResourceLink(_) => "resource_link",
            ContentBlock::Resource(_) => "resource",
            ContentBlock::Unknown(raw) => return raw.serialize(serializer),
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", kind)?;
        match self {
            ContentBlock::Text(block) => block.write_fields(&mut map)?,
            ContentBlock::Image(block) | ContentBlock::Audio(block) => {
                block.write_fields(&mut map)?
            }
            ContentBlock::ResourceLink(block) => block.write_fields(&mut map)?,
            ContentBlock::Resource(block) => block.write_fields(&mut map)?,
            ContentBlock::Unknown(_) => {}
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(deserializer)?;
        let kind = RawObject::parse(&raw)
            .map_err(D::Error::custom)?
            .get_as::<String>("type");
        // The tag is the variant, so it is not kept among the unknown fields.
        macro_rules! block {
            ($variant:ident) => {{
                let mut block = ContentBlock::$variant(raw.decode().map_err(D::Error::custom)?);
                if let ContentBlock::$variant(inner) = &mut block {
                    inner.extra.remove("type");
                }
                block
            }};
        }
        Ok(match kind.as_deref() {
            Some("text") => block!(Text),
            Some("image") => block!(Image),
            Some("audio") => block!(Audio),
            Some("resource_link") => block!(ResourceLink),
            Some("resource") => block!(Resource),
            _ => ContentBlock::Unknown(raw),
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
