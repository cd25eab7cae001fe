//! What one era says and the other does not: the only edits that crossing between them may make.

use std::borrow::Cow;

use crate::lifecycle::Implementation;
use crate::{Raw, RawObject, Revision, meta, methods};

/// A tool as a peer of `to` may see it: the modern era has no `execution`.
pub fn tool(tool: &Raw, to: Revision) -> Cow<'_, Raw> {
    if !to.is_modern() || !tool.get().contains("\"execution\"") {
        return Cow::Borrowed(tool);
    }
    let Ok(mut object) = RawObject::parse(tool) else {
        return Cow::Borrowed(tool);
    };
    if object.remove("execution") {
        Cow::Owned(object.to_raw())
    } else {
        Cow::Borrowed(tool)
    }
}

/// A result for a peer of the legacy era, without what only the modern one has.
pub fn result_to_legacy(result: Raw) -> Raw {
    let Ok(mut object) = RawObject::parse(&result) else {
        return result;
    };
    let mut changed = false;
    for key in ["resultType", "ttlMs", "cacheScope"] {
        changed |= object.remove(key);
    }
    if let Some(mut inner) = object.get_as::<RawObject>(meta::META)
        && inner.remove(meta::SERVER_INFO)
    {
        changed = true;
        match inner.is_empty() {
            true => drop(object.remove(meta::META)),
            false => object.set(meta::META, inner.to_raw()),
        }
    }
    if changed { object.to_raw() } else { result }
}

/// Whether a result of `method` must say how long it may be kept.
pub fn is_cacheable(method: &str) -> bool {
    matches!(
        method,
        methods::DISCOVER
            | methods::TOOLS_LIST
            | methods::PROMPTS_LIST
            | methods::RESOURCES_LIST
            | methods::RESOURCE_TEMPLATES_LIST
            | methods::RESOURCES_READ
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
    add("resultType", &|| Raw::of("complete").ok());
    if is_cacheable(method) {
        add("ttlMs", &|| Raw::of(&0).ok());
        add("cacheScope", &|| Raw::of("private").ok());
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
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw {
        Raw::parse(text).unwrap()
    }

    #[test]
    fn a_modern_host_does_not_get_execution_and_every_other_byte_stays() {
        let with = raw(
            r#"{"name":"a","inputSchema":{"type" : "object"},"execution":{"taskSupport":"optional"}}"#,
        );
        assert_eq!(
            tool(&with, Revision::V2026_07_28).get(),
            r#"{"name":"a","inputSchema":{"type" : "object"}}"#
        );
        assert_eq!(tool(&with, Revision::V2025_11_25).get(), with.get());
    }

    #[test]
    fn eras_add_and_drop_only_what_is_theirs() {
        let server = Implementation::new("s", "1");
        let modern = result_to_modern("tools/list", raw(r#"{"tools":[ ]}"#), &server);
        assert_eq!(
            modern.get(),
            r#"{"tools":[ ],"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
        );
        assert_eq!(result_to_legacy(modern).get(), r#"{"tools":[ ]}"#);
        let own = raw(r#"{"content":[],"resultType":"input_required","_meta":{"x":1}}"#);
        assert_eq!(
            result_to_modern("tools/call", own, &server).get(),
            r#"{"content":[],"resultType":"input_required","_meta":{"x":1,"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}"#
        );
        let untouched = raw(r#"{ "content" : [] }"#);
        assert_eq!(result_to_legacy(untouched.clone()), untouched);
    }
}
