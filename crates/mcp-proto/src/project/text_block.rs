//! The block of text that stands for what a peer's revision has no block for (D43).

use serde_json::value::RawValue;

use super::edit::{Entries, Fate, edit};
use crate::content::TextContent;
use crate::shape::{Shape, Wire};
use crate::{Raw, Revision};

/// The text block for a block of a kind that `to` does not have. Hints and `_meta` go with it.
pub(super) fn instead_of(block: &Entries<'_>, to: Revision) -> String {
    let annotations = block.get("annotations");
    with_text(&text_of(block, to), annotations, block.get("_meta"), to)
}

/// The one block for a list of blocks, for a peer that takes one: the block itself where it is alone, else
/// the text of all, one below the other.
pub(super) fn one_of(blocks: &[&RawValue], item: &Shape, to: Revision) -> String {
    if let [block] = blocks
        && block.get().starts_with('{')
    {
        return match edit(item, block.get(), to) {
            Fate::Becomes(text) => text,
            Fate::Stays | Fate::Goes => block.get().to_owned(),
        };
    }
    let texts: Vec<String> = blocks
        .iter()
        .map(|block| match Entries::parse(block.get()) {
            Some(entries) => text_of(&entries, to),
            None => block.get().to_owned(),
        })
        .collect();
    with_text(&texts.join("\n"), None, None, to)
}

fn with_text(
    text: &str,
    annotations: Option<&RawValue>,
    meta: Option<&RawValue>,
    to: Revision,
) -> String {
    let quoted = Raw::of(text).unwrap_or_default();
    let mut block = format!(r#"{{"type":"text","text":{}"#, quoted.get());
    for (name, value) in [("annotations", annotations), ("_meta", meta)] {
        if let Some(value) = value {
            block.push_str(&format!(r#","{name}":{}"#, value.get()));
        }
    }
    block.push('}');
    match edit(&TextContent::SHAPE, &block, to) {
        Fate::Becomes(projected) => projected,
        Fate::Stays | Fate::Goes => block,
    }
}

/// A block in words: its text, where it leads to, or what it is; the bytes of pictures and sounds would
/// only fill a model's context. Anything else is its JSON.
fn text_of(block: &Entries<'_>, to: Revision) -> String {
    let string = |name| block.string(name);
    let kind = string("type").unwrap_or_default();
    let known = match kind.as_str() {
        "text" => string("text"),
        "image" | "audio" => string("mimeType").map(|mime_type| {
            format!("[{kind} left out: {mime_type}; protocol version {to} has no place for it]")
        }),
        "resource_link" => string("uri").map(|uri| match string("name") {
            Some(name) => format!("[resource: {name}: {uri}]"),
            None => format!("[resource: {uri}]"),
        }),
        _ => None,
    };
    known.unwrap_or_else(|| block.json())
}
