//! What one revision says and another does not: the only edits that crossing between them may make (D2).
//!
//! A field of a later revision is left out for an older peer, one that a later revision removed for a
//! newer peer, by the rows that are declared with the types ([`crate::shape`]). What no revision knows
//! passes, and every value that is not edited keeps its bytes. A projection never adds what a revision
//! demands: that is done by name, in [`result_to_modern`] and by those who speak with the peer.

use std::borrow::Cow;

use crate::content::ContentBlock;
use crate::input::{COMPLETE, INPUT_REQUIRED, InputRequiredResult};
use crate::lifecycle::Implementation;
use crate::result::{AnyResult, CacheScope};
use crate::shape::{Shape, Wire};
use crate::tool::Tool;
use crate::{Raw, RawObject, Revision, meta, methods};

mod edit;
mod text_block;

/// A value of the shape, for a peer of `to`.
pub fn shaped<'a>(shape: &Shape, value: &'a Raw, to: Revision) -> Cow<'a, Raw> {
    match edit::edit(shape, value.get(), to) {
        edit::Fate::Becomes(text) => Raw::parse(text).map_or(Cow::Borrowed(value), Cow::Owned),
        // A value that stands alone cannot be left out; only fields can.
        edit::Fate::Stays | edit::Fate::Goes => Cow::Borrowed(value),
    }
}

/// A typed value as JSON, for a peer of `to`.
pub fn value<T: Wire + serde::Serialize>(value: &T, to: Revision) -> serde_json::Result<Raw> {
    let raw = Raw::of(value)?;
    Ok(match shaped(&T::SHAPE, &raw, to) {
        Cow::Borrowed(_) => raw,
        Cow::Owned(projected) => projected,
    })
}

/// The parameters of `method`, for a peer of `to`. Those of a method that no revision has stay.
pub fn params<'a>(method: &str, params: &'a Raw, to: Revision) -> Cow<'a, Raw> {
    match methods::find(method) {
        Some(row) => shaped(&row.params, params, to),
        None => Cow::Borrowed(params),
    }
}

/// The result of `method`, for a peer of `to`; its type is told by the method and its `resultType`.
/// That of a method that no revision has stays.
pub fn result<'a>(method: &str, result: &'a Raw, to: Revision) -> Cow<'a, Raw> {
    match methods::find(method).and_then(|row| row.result) {
        Some(_) if asks_back(method, result) => shaped(&InputRequiredResult::SHAPE, result, to),
        Some(shape) => shaped(&shape, result, to),
        None => Cow::Borrowed(result),
    }
}

/// Whether `method` can ask back (protocol.md §4.7) and the result does.
fn asks_back(method: &str, result: &Raw) -> bool {
    matches!(
        method,
        methods::TOOLS_CALL | methods::PROMPTS_GET | methods::RESOURCES_READ
    ) && RawObject::parse(result).is_ok_and(|result| {
        result.get_as::<String>("resultType").as_deref() == Some(INPUT_REQUIRED)
    })
}

/// A tool as a peer of `to` may see it.
pub fn tool(tool: &Raw, to: Revision) -> Cow<'_, Raw> {
    shaped(&Tool::SHAPE, tool, to)
}

/// A block of a result or a prompt as a peer of `to` may see it. A kind that its revision does not have,
/// also one that no revision has, becomes a block of text: many hosts refuse the whole result otherwise
/// (D43).
pub fn content(block: &Raw, to: Revision) -> Cow<'_, Raw> {
    shaped(&ContentBlock::SHAPE, block, to)
}

/// A result for a peer of the legacy era, without what only the modern one has around any result. Where
/// the method is known, [`result`] does more.
pub fn result_to_legacy(result: Raw) -> Raw {
    match shaped(&AnyResult::SHAPE, &result, Revision::LATEST_LEGACY) {
        Cow::Borrowed(_) => result,
        Cow::Owned(projected) => projected,
    }
}

/// Whether a result of `method` must say how long it may be kept.
pub fn is_cacheable(method: &str) -> bool {
    matches!(
        methods::find(method).and_then(|row| row.result),
        Some(Shape::Object(result)) if result.field("ttlMs").is_some()
    )
}

/// A result for a peer of the modern era: what it must have and lacks is added, nothing else changes.
pub fn result_to_modern(method: &str, result: Raw, server: &Implementation) -> Raw {
    let Ok(mut object) = RawObject::parse(&result) else {
        return result;
    };
    let mut add = |key: &str, value: &dyn Fn() -> Option<Raw>| {
        if object.get(key).is_none()
            && let Some(value) = value()
        {
            object.set(key, value);
        }
    };
    add("resultType", &|| Raw::of(COMPLETE).ok());
    if is_cacheable(method) {
        add("ttlMs", &|| Raw::of(&0).ok());
        add("cacheScope", &|| Raw::of(&CacheScope::Private).ok());
    }
    let mut inner = object.get_as::<RawObject>(meta::META).unwrap_or_default();
    if inner.get(meta::SERVER_INFO).is_none()
        && let Ok(info) = Raw::of(server)
    {
        inner.set(meta::SERVER_INFO, info);
        object.set(meta::META, inner.to_raw());
    }
    object.to_raw()
}

#[cfg(test)]
mod tests;
