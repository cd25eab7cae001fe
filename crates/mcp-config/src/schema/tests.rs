//! The committed schema is the one that the table gives, and the examples keep to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::Context;
use crate::layer::Layer;
use crate::source::Source;

fn of_workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

#[test]
fn the_committed_schema_is_up_to_date() {
    let path = of_workspace("docs/reference/posthouse.schema.json");
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, schema()).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == schema(),
        "docs/reference/posthouse.schema.json is not what crates/mcp-config/src/field.rs says; \
         run UPDATE=1 cargo test -p mcp-config schema"
    );
}

#[test]
fn every_key_that_is_read_is_described_and_no_other() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let entry = schema["$defs"]["server"]["properties"].as_object().unwrap();
    let keys: Vec<_> = FIELDS.iter().map(|field| field.key).collect();
    assert_eq!(entry.keys().collect::<Vec<_>>(), keys);
    assert!(entry.values().all(|it| it["description"].is_string()));
    let defaults = schema["properties"]["defaults"]["properties"]
        .as_object()
        .unwrap();
    assert_eq!(defaults.keys().collect::<Vec<_>>(), defaults::KEYS);
}

#[test]
fn every_example_holds_known_keys_only() {
    let schema: Value = serde_json::from_str(&schema()).unwrap();
    let known = |value: &Value| -> BTreeSet<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let of_file = known(&schema["properties"]);
    let of_entry = known(&schema["$defs"]["server"]["properties"]);
    let mut count = 0;
    for file in fs::read_dir(of_workspace("examples")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        count += 1;
        let text = fs::read_to_string(&path).unwrap();
        let cx = Context::of_file(&path, None);
        let source = Source::read(&text, &cx, Layer::User).unwrap();
        for property in &source.root.properties {
            assert!(
                of_file.contains(property.name.as_str()),
                "{}",
                path.display()
            );
        }
        let entries = source
            .entries(&mut |_, warning| panic!("{warning}"))
            .unwrap();
        for entry in &entries.unwrap().properties {
            for property in &entry.value.as_object().unwrap().properties {
                let key = property.name.as_str();
                assert!(of_entry.contains(key), "{}: {key}", path.display());
            }
        }
    }
    assert!(count >= 2, "{count} examples");
}
