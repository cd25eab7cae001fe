//! Every definition of every schema, and the specification's own examples: read, written, projected.

use mcp_proto::Revision;
use serde_json::Value;

use crate::official::{self, Official};
use crate::subject::{self, Kind};
use crate::{check, demand, json, same, sample};

#[test]
fn the_specifications_examples_round_trip() {
    let Some(folder) = official::folder() else {
        return;
    };
    let all = official::all(&folder);
    let newest = &all[4];
    let (mut types, mut messages) = (0, 0);
    let examples = folder.join("2026-07-28").join("examples");
    for of_type in std::fs::read_dir(examples).unwrap() {
        let of_type = of_type.unwrap();
        let definition = of_type.file_name().into_string().unwrap();
        types += 1;
        for example in std::fs::read_dir(of_type.path()).unwrap() {
            let path = example.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let value = json(&text);
            let kind = subject::kind(&definition, &value);
            assert!(matches!(kind, Kind::Value | Kind::Message), "{definition}");
            let written = subject::round(&definition, kind, &text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(
                same(&json(&written), &value),
                "{}\nread  {value}\nwrote {written}",
                path.display()
            );
            // A projection for its own revision changes no byte.
            let projected =
                subject::projected(&definition, kind, text.trim(), Revision::V2026_07_28);
            assert_eq!(projected, text.trim(), "{}", path.display());
            check(&all, newest, &definition, &json(&written), &text);
            for to in &all[..4] {
                cross(&all, to, newest, &definition, kind, &text);
            }
            messages += 1;
        }
    }
    println!("examples of 2026-07-28: {types} types, {messages} messages");
    assert!(types > 80 && messages > 100);
}

/// What `text`, a `definition` of `from`, becomes for a peer of `to`: valid there, and with no key that is
/// foreign. Whether it could be checked.
fn cross(
    all: &[Official],
    to: &Official,
    from: &Official,
    definition: &str,
    kind: Kind,
    text: &str,
) -> bool {
    // Envelopes have no fields that come and go, and a batch is read, never written.
    if definition.starts_with("JSONRPC")
        || !to.has(definition)
        || !can_be_said(definition, text, from.revision, to.revision)
    {
        return false;
    }
    let mut projected = json(&subject::projected(
        definition,
        kind,
        text.trim(),
        to.revision,
    ));
    demand::meet(to, definition, &mut projected);
    let about = format!("{definition} of {}: {text}", from.revision);
    check(all, to, definition, &projected, &about);
    true
}

/// What an older peer has no words for is not sent to it. The list is closed.
fn can_be_said(definition: &str, text: &str, from: Revision, to: Revision) -> bool {
    if from <= to || to >= Revision::V2025_11_25 {
        return true;
    }
    let value = json(text);
    let asked = |params: &Value| {
        serde_json::from_value(params.clone()).is_ok_and(
            |question: mcp_proto::elicitation::ElicitParams| question.can_be_asked_in(to),
        )
    };
    match definition {
        "ElicitRequest" => asked(&value["params"]),
        // Choices of several, and choices with titles.
        "PrimitiveSchemaDefinition" | "EnumSchema" => {
            let field = serde_json::json!({"message": "", "requestedSchema": {"type": "object", "properties": {"f": value}}});
            definition != "EnumSchema" && asked(&field)
        }
        // The answer to a choice of several, which was not asked.
        "ElicitResult" => value["content"]
            .as_object()
            .is_none_or(|content| !content.values().any(Value::is_array)),
        _ => true,
    }
}

#[test]
fn every_definition_is_read_written_and_projected() {
    let Some(folder) = official::folder() else {
        return;
    };
    let all = official::all(&folder);
    for from in &all {
        let (mut types, mut messages, mut crossed, mut left) = (0, 0, 0, Vec::new());
        for definition in from.definitions().keys() {
            let samples = sample::of(from, definition);
            let kind = subject::kind(definition, &samples[0]);
            if matches!(kind, Kind::Abstract | Kind::Task) {
                left.push(definition.as_str());
                continue;
            }
            types += 1;
            // The schema allows an empty batch, JSON-RPC does not.
            for sample in samples
                .into_iter()
                .filter(|sample| *sample != serde_json::json!([]))
            {
                let kind = subject::kind(definition, &sample);
                let text = sample.to_string();
                let errors = from.errors(definition, &sample);
                assert!(errors.is_empty(), "the sample is wrong: {errors:?} {text}");
                let text = enveloped(definition, kind, text);
                let value = json(&text);
                let written = subject::round(definition, kind, &text)
                    .unwrap_or_else(|error| panic!("{definition}: {error}: {text}"));
                let unchanged = same(&json(&written), &with_params(&value));
                assert!(unchanged, "{definition}\nread  {text}\nwrote {written}");
                let projected = subject::projected(definition, kind, &text, from.revision);
                assert_eq!(projected, text, "{definition} for its own revision");
                check(&all, from, definition, &json(&written), &text);
                messages += 1;
                for to in all.iter().filter(|to| to.revision != from.revision) {
                    crossed += usize::from(cross(&all, to, from, definition, kind, &text));
                }
            }
        }
        println!(
            "{}: {types} types, {messages} messages read, written and validated, {crossed} projected from it; {} definitions that nobody says alone or that are refused",
            from.revision,
            left.len()
        );
        assert!(types > 50 && messages > 100 && crossed > 100);
    }
}

/// The schemas before 2025-11-25 describe requests and notifications without their envelope, and responses
/// of any kind with an id: what they leave out is added, since it is not a message without.
fn enveloped(definition: &str, kind: Kind, text: String) -> String {
    if kind != Kind::Message {
        return text;
    }
    let mut value = json(&text);
    let object = value.as_object_mut().unwrap();
    if !object.contains_key("jsonrpc") && object.contains_key("method") {
        let embedded = definition == "CreateMessageRequest"
            || definition == "ElicitRequest"
            || definition == "ListRootsRequest";
        if embedded {
            return text;
        }
        object.insert("jsonrpc".to_owned(), "2.0".into());
        if definition.ends_with("Request") {
            object.insert("id".to_owned(), 1.into());
        }
    }
    // Beside the fields of an envelope, JSON-RPC has none.
    object.remove(sample::UNKNOWN);
    value.to_string()
}

/// We write every request with parameters.
fn with_params(message: &Value) -> Value {
    let mut message = message.clone();
    match &mut message {
        Value::Array(messages) => messages
            .iter_mut()
            .for_each(|each| *each = with_params(each)),
        Value::Object(object) if object.contains_key("jsonrpc") => {
            object.remove(sample::UNKNOWN);
            if object.contains_key("method") && object.contains_key("id") {
                object
                    .entry("params")
                    .or_insert_with(|| serde_json::json!({}));
            }
        }
        _ => {}
    }
    message
}
