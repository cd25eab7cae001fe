//! Whatever a file holds, reading it ends soon, never panics, and gives servers or an error with a
//! place.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use mcp_config::{
    ConfigError, Configuration, Context, Layers, MAX_FILE_BYTES, TrustStore, Variables, add_server,
    remove_server,
};
use mcp_definitions::HashKey;
use proptest::prelude::*;

/// Far more than any of these takes, far less than anybody waits.
const SOON: Duration = Duration::from_secs(20);

fn cx(path: &str) -> Context<'_> {
    Context::of_file(Path::new(path), Some(Path::new("/home/me")))
}

/// Reads a text as both files, fills it in, and looks at it in every way there is.
fn read(text: &str) -> Result<Configuration, ConfigError> {
    let mut trust = TrustStore::new(HashKey::new([0; 32]));
    let layers = Layers::new()
        .user_text(text, cx("/conf/mcp.json"))
        .project_text(text, cx("/p/.mcp.json"));
    let first = Configuration::read(&layers, &trust)?;
    first.untrusted.iter().for_each(|entry| trust.trust(entry));
    let configuration = Configuration::read(&layers, &trust)?;
    assert_eq!(configuration.untrusted.len(), 0, "{text}");
    let variables = BTreeMap::from([("A".to_owned(), "value".to_owned())]);
    let loaded = configuration.expand_all(&mut Variables(variables));
    let count = loaded.servers.len() + loaded.held.len();
    assert_eq!(
        count,
        configuration.outlines().count() + configuration.held.len()
    );
    assert!(loaded.warnings.len() <= 200);
    let shown = format!(
        "{loaded:?}{}{:?}",
        loaded.dump(),
        configuration.explain(None)
    );
    assert!(!shown.contains('\u{1b}'));
    Ok(configuration)
}

fn check(text: &str) {
    let start = Instant::now();
    match read(text) {
        Ok(configuration) => {
            for server in configuration.explain(None) {
                // Names may be shortened, and then nothing is found.
                let _ = remove_server(text, &cx("/conf/mcp.json"), &server.name);
            }
        }
        Err(error) => {
            let position = error.position();
            assert!(position.is_some() || text.len() > MAX_FILE_BYTES, "{error}");
        }
    }
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

/// Pieces of which files are made, right and wrong.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "/*",
        "*/",
        "//",
        "\n",
        "\r\n",
        " ",
        "null",
        "true",
        "1e999",
        "-0",
        "\"mcpServers\":{",
        "\"a\":{",
        "\"command\":",
        "\"args\":[",
        "\"env\":{",
        "\"url\":",
        "\"headers\":{",
        "\"envFile\":",
        "\"defaults\":{",
        "\"toolTimeout\":",
        "\"executors\":[",
        "\"tools\":",
        "\"${A}\"",
        "\"${A:-b}\"",
        "\"${file:x}\"",
        "\"${cmd:x}\"",
        "\"$${\"",
        "\"${\"",
        "\"https://a/\"",
        "\"x\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\u{feff}",
        "“",
        "é",
        "\u{1b}",
    ]);
    prop_oneof![8 => fixed.prop_map(str::to_owned), 1 => any::<String>()]
}

/// A value of JSON that may stand anywhere in an entry.
fn value() -> impl Strategy<Value = serde_json::Value> {
    let text = prop_oneof![
        any::<String>(),
        "\\$?\\$\\{(env:|file:|cmd:|input:)?[A-Z]{0,3}(:-[a-z]*)?\\}?",
        "[0-9]{1,3}(ms|s|m|h|d|x)?",
    ];
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        text.prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::btree_map(key(), inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "type",
        "command",
        "args",
        "env",
        "envFile",
        "inheritEnv",
        "cwd",
        "url",
        "headers",
        "executors",
        "placement",
        "sharing",
        "lifecycle",
        "startupTimeout",
        "toolTimeout",
        "idleTimeout",
        "enabled",
        "disabled",
        "required",
        "tools",
        "about",
        "notReadyAdvice",
        "curated",
        "comand",
        "http",
        "include",
        "exclude",
    ]);
    prop_oneof![6 => known.prop_map(str::to_owned), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused_with_a_place(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_pieces_are_read_or_refused_with_a_place(pieces in prop::collection::vec(piece(), 0..40)) {
        check(&pieces.concat());
    }

    #[test]
    fn any_list_of_trusted_servers_is_read_or_refused(
        text in any::<String>(),
        value in value(),
        key in "[0-9a-f]{62,66}",
    ) {
        let _ = TrustStore::parse(&text);
        for trusted in [value.clone(), serde_json::json!([value])] {
            let text = serde_json::json!({ "format": 1, "key": key, "trusted": trusted }).to_string();
            let store = TrustStore::parse(&text);
            prop_assert_eq!(store.is_ok(), key.len() == 64 && trusted.is_array());
        }
    }

    #[test]
    fn any_entries_are_loaded_or_held(
        entries in prop::collection::btree_map(
            any::<String>(),
            prop::collection::btree_map(key(), value(), 0..6),
            0..4,
        )
    ) {
        let text = serde_json::json!({ "mcpServers": entries }).to_string();
        let configuration = read(&text).unwrap();
        prop_assert_eq!(configuration.outlines().count() + configuration.held.len(), entries.len());
    }

    #[test]
    fn what_was_added_is_there_and_can_be_removed(
        name in any::<String>(),
        args in prop::collection::vec(any::<String>(), 0..4),
    ) {
        let args: Vec<_> = args.iter().map(|it| it.replace('$', "").replace(['\0', '{'], "")).collect();
        let entry = serde_json::json!({ "command": "x", "args": args });
        let text = "{\n  // mine\n  \"mcpServers\": { \"other-one\": { \"command\": \"y\" } }\n}\n";
        let added = add_server(text, &cx("/conf/mcp.json"), &name, entry.as_object().unwrap());
        let added = added.unwrap_or_else(|error| panic!("{error}"));
        prop_assert_eq!(read(&added).unwrap().outlines().count(), 2);
        let removed = remove_server(&added, &cx("/conf/mcp.json"), &name).unwrap();
        prop_assert_eq!(read(&removed).unwrap().outlines().count(), 1);
        prop_assert!(removed.contains("// mine"));
    }
}

#[test]
fn the_worst_files_are_read_soon() {
    let many = |one: &dyn Fn(usize) -> String| -> String {
        let mut text = String::new();
        for number in 0.. {
            let next = one(number);
            if text.len() + next.len() + 64 > MAX_FILE_BYTES / 8 {
                return text;
            }
            text += &next;
        }
        text
    };
    let wrong_keys = many(&|number| format!("\"comman{number}\":1,"));
    let texts = [
        format!("{{\"mcpServers\":{{\"a\":{{\"command\":\"x\",{wrong_keys}}}}}}}"),
        format!("{{\"mcpServers\":{{}},{wrong_keys}}}"),
        format!("{{{wrong_keys}}}"),
        format!("{{\"mcpServers\":{{}},\"defaults\":{{{wrong_keys}}}}}"),
        format!(
            "{{\"mcpServers\":{{{}}}}}",
            many(&|number| format!("\"{number}\":{{\"command\":\"x\"}},"))
        ),
        format!(
            "{{\"mcpServers\":{{\"a\":{{\"command\":\"x\",\"args\":[{}]}}}}}}",
            many(&|_| "\"${A}\",".to_owned())
        ),
        format!(
            "{{\"mcpServers\":{{\"a\":{{\"command\":\"x\",\"args\":[\"{}\"]}}}}}}",
            many(&|_| "${A}".to_owned())
        ),
        format!(
            "{{\"mcpServers\":{{\"a\":{{\"command\":\"x\",\"args\":[\"{}\"]}}}}}}",
            many(&|_| "${".to_owned())
        ),
        format!(
            "{{\"mcpServers\":{{\"a\":{{\"command\":\"{}\"}}}}}}",
            many(&|_| "x ".to_owned())
        ),
        "\n".repeat(MAX_FILE_BYTES),
        "[".repeat(MAX_FILE_BYTES),
        format!("\"{}", "\\".repeat(MAX_FILE_BYTES - 1)),
    ];
    for text in texts {
        let start = Instant::now();
        let outcome = read(&text).map(|_| ()).map_err(|error| error.to_string());
        let elapsed = start.elapsed();
        let begin: String = text.chars().take(60).collect();
        assert!(elapsed < SOON, "{begin}: {elapsed:?} {outcome:?}");
    }
}

#[test]
fn a_thousand_servers_are_enough() {
    let text = |count: usize| {
        let one = |number| format!("\"s{number}\": {{ \"command\": \"x\" }}");
        let entries: Vec<_> = (0..count).map(one).collect();
        format!("{{ \"mcpServers\": {{ {} }} }}", entries.join(",\n"))
    };
    assert_eq!(read(&text(1000)).unwrap().outlines().count(), 1000);
    assert_eq!(
        read(&text(1001)).err().unwrap().to_string(),
        "read /conf/mcp.json:1001:1: there are more than 1000 servers; take out those that nobody uses"
    );
}
