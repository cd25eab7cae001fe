//! Types: known fields of any valid value, unknown ones of any value, in any order, come out as they went in.

use mcp_proto::RawObject;
use mcp_proto::content::ContentBlock;
use mcp_proto::prompt::Prompt;
use mcp_proto::resource::Resource;
use mcp_proto::sampling::CreateMessageResult;
use mcp_proto::tool::{CallToolParams, CallToolResult, Tool};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::json;

type Entry = (String, String);

fn named(
    name: &'static str,
    value: impl Strategy<Value = String> + 'static,
) -> BoxedStrategy<Entry> {
    value
        .prop_map(move |value| (format!("\"{name}\""), value))
        .boxed()
}

fn flag() -> impl Strategy<Value = String> {
    any::<bool>().prop_map(|flag| flag.to_string())
}

fn raw_object() -> impl Strategy<Value = String> {
    prop::collection::vec((json::string(), json::value()), 0..3)
        .prop_map(|entries| json::object(&entries))
}

/// An object with those fields, some of the others, and some that nobody knows; shuffled, no key twice.
fn of(
    required: Vec<BoxedStrategy<Entry>>,
    others: Vec<BoxedStrategy<Entry>>,
) -> BoxedStrategy<String> {
    let others: Vec<_> = others.into_iter().map(prop::option::of).collect();
    let unknown =
        ("x[a-z]{1,4}", json::value()).prop_map(|(key, value)| (format!("\"{key}\""), value));
    (required, others, prop::collection::vec(unknown, 0..4))
        .prop_map(|(required, others, unknown)| {
            let mut entries: Vec<Entry> = required;
            entries.extend(others.into_iter().flatten());
            entries.extend(unknown);
            entries.sort();
            entries.dedup_by(|a, b| a.0 == b.0);
            entries
        })
        .prop_shuffle()
        .prop_map(|entries| json::object(&entries))
        .boxed()
}

fn tool() -> BoxedStrategy<String> {
    of(
        vec![
            named("name", json::string()),
            named(
                "inputSchema",
                json::value().prop_filter("no null", |value| value != "null"),
            ),
        ],
        vec![
            named("title", json::string()),
            named("description", json::string()),
            named("outputSchema", raw_object()),
            named(
                "annotations",
                of(
                    vec![],
                    vec![
                        named("readOnlyHint", flag()),
                        named("title", json::string()),
                    ],
                ),
            ),
            named(
                "icons",
                json::value().prop_filter("no null", |value| value != "null"),
            ),
            named("_meta", raw_object()),
        ],
    )
}

fn block() -> BoxedStrategy<String> {
    let text = of(
        vec![
            named("type", Just(r#""text""#.to_owned())),
            named("text", json::string()),
        ],
        vec![named("_meta", raw_object())],
    );
    let link = of(
        vec![
            named("type", Just(r#""resource_link""#.to_owned())),
            named("uri", json::string()),
            named("name", json::string()),
        ],
        vec![named(
            "size",
            any::<u64>().prop_map(|size| size.to_string()),
        )],
    );
    let unknown = of(vec![named("type", json::string())], vec![]);
    prop_oneof![text, link, unknown].boxed()
}

fn blocks() -> impl Strategy<Value = String> {
    prop::collection::vec(block(), 0..4).prop_map(|blocks| format!("[{}]", blocks.join(",")))
}

/// What an object says, apart from the order of its keys; every value that we keep raw by its bytes.
fn said(text: &str) -> Vec<(String, String)> {
    let object: RawObject = serde_json::from_str(text).unwrap();
    let mut said: Vec<_> = object
        .iter()
        .map(|(key, value)| (key.to_owned(), value.get().to_owned()))
        .collect();
    said.sort();
    said
}

/// Every field is there again; those named, which hold other types of ours, as JSON and not by their bytes.
fn round<T: Serialize + DeserializeOwned>(text: &str, inner: &[&str]) {
    let value: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let written = serde_json::to_string(&value).unwrap();
    for ((key, before), (other, after)) in said(text).into_iter().zip(said(&written)) {
        assert_eq!(key, other, "{text}\n{written}");
        let strings = before.starts_with('"') && after.starts_with('"');
        if !strings && !inner.contains(&key.as_str()) {
            assert_eq!(squeezed(&before), squeezed(&after), "{text}\n{written}");
        }
    }
    assert_eq!(said(text).len(), said(&written).len(), "{text}\n{written}");
    let again: T = serde_json::from_str(&written).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), written);
}

/// `_meta` is read as an object, so that the blanks between its values are not kept.
fn squeezed(text: &str) -> String {
    match serde_json::from_str::<RawObject>(text) {
        Ok(object) => object.to_raw().get().to_owned(),
        Err(_) => text.to_owned(),
    }
}

proptest! {
    #![proptest_config(crate::budget())]

    #[test]
    fn tools(text in tool()) {
        round::<Tool>(&text, &["annotations"]);
    }

    #[test]
    fn blocks_of_any_kind(text in block()) {
        round::<ContentBlock>(&text, &[]);
    }

    #[test]
    fn results(text in of(
        vec![named("content", blocks())],
        vec![named("structuredContent", json::value()), named("isError", flag()), named("_meta", raw_object())],
    )) {
        round::<CallToolResult>(&text, &["content"]);
    }

    #[test]
    fn parameters(text in of(
        vec![named("name", json::string())],
        vec![
            named("arguments", raw_object()),
            named("inputResponses", raw_object()),
            named("requestState", json::string()),
            named("_meta", raw_object()),
        ],
    )) {
        round::<CallToolParams>(&text, &[]);
    }

    #[test]
    fn answers_of_a_model(text in of(
        vec![
            named("role", json::string()),
            named("content", prop_oneof![block(), blocks()]),
            named("model", json::string()),
        ],
        vec![named("stopReason", json::string())],
    )) {
        round::<CreateMessageResult>(&text, &["content"]);
    }

    #[test]
    fn resources_and_prompts(text in of(
        vec![named("name", json::string()), named("uri", json::string())],
        vec![named("title", json::string()), named("_meta", raw_object())],
    )) {
        round::<Resource>(&text, &[]);
        round::<Prompt>(&text, &[]);
    }
}
