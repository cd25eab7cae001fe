//! The repair of a tool's schema root: strict hosts refuse a whole list for one root that is no object
//! schema. A tool that needs none keeps its bytes.

use std::borrow::Cow;

use mcp_proto::{Raw, RawObject};

/// The tool with `type: object` and `properties` at the root of its `inputSchema`.
pub(crate) fn tool(tool: &Raw) -> Cow<'_, Raw> {
    let Ok(mut object) = RawObject::parse(tool) else {
        return Cow::Borrowed(tool);
    };
    let mut schema = match object.get("inputSchema") {
        None => RawObject::default(),
        Some(schema) => match RawObject::parse(schema) {
            Ok(schema) => schema,
            Err(_) => return Cow::Borrowed(tool),
        },
    };
    let mut repaired = false;
    if schema.get_as::<String>("type").as_deref() != Some("object") {
        schema.set("type", Raw::of("object").unwrap_or_default());
        repaired = true;
    }
    if schema
        .get("properties")
        .is_none_or(|properties| !properties.is_object())
    {
        schema.set("properties", Raw::empty_object());
        repaired = true;
    }
    if !repaired {
        return Cow::Borrowed(tool);
    }
    object.set("inputSchema", schema.to_raw());
    Cow::Owned(object.to_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bad_root_is_touched() {
        for (before, after) in [
            (
                r#"{ "name":"a", "inputSchema":{"type":"object","properties":{ }} }"#,
                None,
            ),
            (
                r#"{"name":"a","inputSchema":{}}"#,
                Some(r#"{"name":"a","inputSchema":{"type":"object","properties":{}}}"#),
            ),
            (
                r#"{"name":"a"}"#,
                Some(r#"{"name":"a","inputSchema":{"type":"object","properties":{}}}"#),
            ),
            (
                r#"{"name":"a","inputSchema":{"type":"object","required":[ ]},"x":1.0}"#,
                Some(
                    r#"{"name":"a","inputSchema":{"type":"object","required":[ ],"properties":{}},"x":1.0}"#,
                ),
            ),
        ] {
            let raw = Raw::parse(before).unwrap();
            assert_eq!(tool(&raw).get(), after.unwrap_or(before));
        }
    }
}
