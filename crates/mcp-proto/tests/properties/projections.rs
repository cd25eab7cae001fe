//! Projections of arbitrary objects: nothing but the rows decides what goes, and everything else stays.

use mcp_proto::shape::{ObjectShape, Shape};
use mcp_proto::{Raw, RawObject, Revision, methods, project};
use proptest::prelude::*;

use crate::json;

/// The objects at the top of every method.
fn objects() -> Vec<&'static ObjectShape> {
    let shapes = methods::ALL
        .iter()
        .flat_map(|method| [Some(method.params), method.result]);
    shapes
        .flatten()
        .filter_map(|shape| match shape {
            Shape::Object(object) => Some(object),
            _ => None,
        })
        .collect()
}

/// A value that may have keys and kinds that some revision knows.
fn value() -> impl Strategy<Value = String> {
    const NAMES: [&str; 14] = [
        "type",
        "title",
        "icons",
        "_meta",
        "text",
        "content",
        "name",
        "uri",
        "annotations",
        "mimeType",
        "lastModified",
        "tools",
        "task",
        "xNew",
    ];
    const KINDS: [&str; 8] = [
        "text",
        "audio",
        "image",
        "resource_link",
        "tool_use",
        "tool_result",
        "hologram",
        "string",
    ];
    let leaf = prop_oneof![
        json::value(),
        prop::sample::select(&KINDS[..]).prop_map(|kind| format!("\"{kind}\"")),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        let key = prop::sample::select(&NAMES[..]).prop_map(|name| format!("\"{name}\""));
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec((key, inner), 0..5).prop_map(|entries| json::object(&entries)),
        ]
    })
}

/// One of the objects, and a value with fields of it and others, some twice.
fn of_a_shape() -> impl Strategy<Value = (&'static ObjectShape, String)> {
    prop::sample::select(objects()).prop_flat_map(|object| {
        let mut names: Vec<String> = object
            .fields
            .iter()
            .map(|field| format!("\"{}\"", field.name))
            .collect();
        names.push("\"xOther\"".to_owned());
        prop::collection::vec((prop::sample::select(names), value()), 0..6)
            .prop_map(move |entries| (object, json::object(&entries)))
    })
}

proptest! {
    #![proptest_config(crate::budget())]

    #[test]
    fn only_rows_take_fields_away((object, text) in of_a_shape()) {
        let shape = Shape::Object(object);
        let whole = Raw::parse(text.as_str()).unwrap();
        let before = RawObject::parse(&whole).unwrap();
        for to in Revision::ALL {
            let projected = project::shaped(&shape, &whole, to);
            let after = RawObject::parse(&projected).unwrap();
            // Doing it twice does nothing more.
            let again = project::shaped(&shape, &projected, to);
            prop_assert_eq!(again.get(), projected.get());
            for (name, value) in before.iter() {
                let twins = before.iter().filter(|(twin, _)| *twin == name).count();
                match object.field(name) {
                    // What no revision knows stays, byte for byte.
                    None if twins == 1 => prop_assert_eq!(after.get(name), Some(value)),
                    None => prop_assert!(after.get(name).is_some()),
                    Some(field) if !field.is_in(to) => prop_assert_eq!(after.get(name), None),
                    Some(field) if matches!(field.shape, Shape::Plain) && twins == 1 => {
                        prop_assert_eq!(after.get(name), Some(value));
                    }
                    Some(_) => {}
                }
            }
            for (name, _) in after.iter() {
                prop_assert!(before.get(name).is_some());
            }
        }
    }

    #[test]
    fn a_block_becomes_one_that_the_revision_has(text in value()) {
        let block = Raw::parse(text.as_str()).unwrap();
        for to in Revision::ALL {
            let projected = project::content(&block, to);
            if let Ok(object) = RawObject::parse(&projected) {
                let kind: Option<String> = object.get_as("type");
                let known = ["text", "image", "resource", "audio", "resource_link"];
                let has = match to {
                    Revision::V2024_11_05 => &known[..3],
                    Revision::V2025_03_26 => &known[..4],
                    _ => &known[..],
                };
                prop_assert!(kind.is_some_and(|kind| has.contains(&kind.as_str())), "{}", projected.get());
            }
        }
    }
}
