//! The rows that projections work by, against the schemas: no field, kind or method more or less.

use std::collections::BTreeSet;

use mcp_proto::Revision;
use mcp_proto::methods::{self, Sender};
use serde_json::Value;

use crate::official::{self, Official, properties};
use crate::subject;

#[test]
fn the_rows_of_our_types_are_those_of_the_schemas() {
    let Some(folder) = official::folder() else {
        return;
    };
    let all = official::all(&folder);
    let (objects, unions) = subject::shapes();
    let mut compared = 0;
    for official in &all {
        let revision = official.revision;
        for object in &objects {
            let Some(theirs) = fields(official, object.official) else {
                continue;
            };
            let ours: BTreeSet<String> = object
                .fields
                .iter()
                .filter(|field| field.is_in(revision))
                .map(|field| field.name.to_owned())
                // In the text of the specification only.
                .filter(|name| name != mcp_proto::meta::RELATED_TASK)
                .collect();
            assert_eq!(ours, theirs, "{} in {revision}", object.official);
            compared += theirs.len();
        }
        for union in &unions {
            let theirs: BTreeSet<&str> = paths(official, union.official)
                .iter()
                .filter_map(|schema| schema.get("properties")?.get(union.tag))
                .filter_map(official::allowed)
                .flatten()
                .collect();
            let ours = union.kinds.iter().filter(|kind| kind.is_in(revision));
            let ours: BTreeSet<&str> = ours.map(|kind| kind.value).collect();
            if !theirs.is_empty() {
                assert_eq!(ours, theirs, "{} in {revision}", union.official);
            }
        }
    }
    println!(
        "rows: {} objects, {} unions, {compared} fields compared",
        objects.len(),
        unions.len()
    );
}

fn paths<'a>(official: &'a Official, paths: &str) -> Vec<&'a Value> {
    paths
        .split('|')
        .flat_map(|path| official.at(path))
        .collect()
}

/// The fields that a revision has, `None` where it does not have the object.
fn fields(official: &Official, of: &str) -> Option<BTreeSet<String>> {
    // A definition that is an object in one revision may be a union of others in the next.
    let is_union = |path: &&str| {
        let definition = official.definitions().get(*path);
        definition.is_some_and(|definition| definition.get("anyOf").is_some())
    };
    let mut schemas: Vec<&Value> = of
        .split('|')
        .filter(|path| !is_union(path))
        .flat_map(|path| official.at(path))
        .collect();
    let mut extra = BTreeSet::new();
    // Before 2025-11-25 parameters stand inside their message and leave out what all parameters have.
    if schemas.is_empty()
        && let Some(message) = of
            .split('|')
            .next()
            .and_then(|of| of.strip_suffix("Params"))
    {
        schemas = official.at(&format!("{message}/params"));
    }
    let of_message = of.split('|').any(|path| match path.rsplit_once('/') {
        Some((_, last)) => last == "params",
        None => path.ends_with("RequestParams") || path.ends_with("NotificationParams"),
    });
    if of_message && official.revision < Revision::V2025_11_25 {
        extra.insert("_meta".to_owned());
    }
    // The tag of a union is the kind, not a field.
    let tags: BTreeSet<String> = schemas
        .iter()
        .filter_map(|schema| schema.get("properties")?.as_object())
        .flatten()
        .filter(|(name, property)| is_tag(of, name, property))
        .map(|(name, _)| name.clone())
        .collect();
    let mut theirs = properties(&schemas);
    theirs.extend(extra);
    theirs.retain(|name| !tags.contains(name));
    if of.ends_with("Request") {
        for name in ["jsonrpc", "id", "method"] {
            theirs.remove(name);
        }
    }
    (!schemas.is_empty()).then_some(theirs)
}

fn is_tag(of: &str, name: &str, property: &Value) -> bool {
    name == "type" && official::allowed(property).is_some() && !of.contains("requestedSchema")
}

#[test]
fn the_rows_of_the_methods_are_those_of_the_schemas() {
    let Some(folder) = official::folder() else {
        return;
    };
    let mut compared = 0;
    for official in &official::all(&folder) {
        let revision = official.revision;
        for (sender, unions) in [
            (Sender::Client, ["ClientRequest", "ClientNotification"]),
            (Sender::Server, ["ServerRequest", "ServerNotification"]),
        ] {
            let theirs: BTreeSet<&str> = unions
                .iter()
                .flat_map(|union| official.at(union))
                .filter_map(|schema| {
                    schema
                        .get("properties")?
                        .get("method")?
                        .get("const")?
                        .as_str()
                })
                .collect();
            let ours: BTreeSet<&str> = methods::ALL
                .iter()
                .filter(|method| method.is_in(revision))
                .filter(|method| method.sender == sender || method.sender == Sender::Both)
                .map(|method| method.name)
                // Documented with `Method::sender`.
                .filter(|name| {
                    !(revision.is_modern()
                        && sender == Sender::Client
                        && *name == methods::PROGRESS)
                })
                .collect();
            assert_eq!(ours, theirs, "{sender:?} in {revision}");
            compared += theirs.len();
        }
    }
    println!("methods: {compared} rows compared");
}
