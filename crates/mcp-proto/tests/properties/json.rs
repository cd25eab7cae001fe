//! JSON text as peers write it: odd numbers, escapes and blanks, which a value tree would not keep.

use proptest::prelude::*;

/// A value, at most four deep.
pub(crate) fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|flag| flag.to_string()),
        any::<i64>().prop_map(|number| number.to_string()),
        Just("1.0".to_owned()),
        Just("-0.50E+3".to_owned()),
        Just("1e400".to_owned()),
        Just("18446744073709551616".to_owned()),
        Just(r#""A\/""#.to_owned()),
        string(),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4)
                .prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::vec((string(), inner), 0..4).prop_map(|entries| object(&entries)),
        ]
    })
}

/// A string, quoted.
pub(crate) fn string() -> impl Strategy<Value = String> {
    "\\PC{0,8}".prop_map(|text| serde_json::Value::from(text).to_string())
}

/// Entries, their keys quoted, as an object.
pub(crate) fn object(entries: &[(String, String)]) -> String {
    let entries: Vec<String> = entries
        .iter()
        .map(|(key, value)| format!("{key} :{value}"))
        .collect();
    format!("{{{}}}", entries.join(", "))
}
