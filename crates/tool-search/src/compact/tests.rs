//! The shapes of schemas, word for word, and of hostile ones.

use serde_json::json;

use super::*;

fn check(cases: &[(Value, &str)]) {
    for (schema, expected) in cases {
        assert_eq!(shape(schema).as_str(), *expected, "{schema}");
    }
}

#[test]
fn plain_schemas_become_a_type() {
    check(&[
        (json!({}), "unknown"),
        (json!(true), "unknown"),
        (json!({"type": "object"}), "{}"),
        (
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            "{}",
        ),
        (
            json!({"type": "object", "required": ["query"],
                "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}),
            "{ query: string; limit?: number; }",
        ),
        (
            json!({"properties": {"any": {"type": "object"}, "odd": {"type": "ignore this"}}}),
            "{ any?: object; odd?: unknown; }",
        ),
        (
            json!({"properties": {"mode": {"enum": ["a", "b", 3, null]}, "kind": {"const": "x"}}}),
            r#"{ mode?: "a" | "b" | 3 | null; kind?: "x"; }"#,
        ),
        (
            json!({"properties": {
                "tags": {"type": "array", "items": {"type": "string"}},
                "any": {"type": "array"},
                "sorts": {"type": "array", "items": {"enum": ["up", "down"]}},
                "pair": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]},
                "rows": {"type": "array", "items": {"properties": {"x": {"type": ["string", "null"]}}}},
            }}),
            r#"{ tags?: string[]; any?: unknown[]; sorts?: ("up" | "down")[]; pair?: [number, string]; rows?: { x?: string | null; }[]; }"#,
        ),
        (
            json!({"properties": {"a-b": {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
                "ünï": {"type": "string", "nullable": true}}}),
            r#"{ "a-b"?: string | boolean; ünï?: string | null; }"#,
        ),
    ]);
}

#[test]
fn local_references_are_resolved_and_recursion_ends() {
    check(&[
        (
            json!({"properties": {"at": {"$ref": "#/$defs/Point"}, "old": {"$ref": "#/definitions/P"}},
                "$defs": {"Point": {"properties": {"x": {"type": "number"}}}},
                "definitions": {"P": {"$ref": "#/$defs/Point"}}}),
            "{ at?: { x?: number; }; old?: { x?: number; }; }",
        ),
        (
            json!({"properties": {"node": {"$ref": "#/$defs/Node"}}, "$defs": {"Node":
                {"properties": {"next": {"$ref": "#/$defs/Node"}, "all": {"$ref": "#"}}}}}),
            "{ node?: { next?: unknown; all?: unknown; }; }",
        ),
        (json!({"$ref": "#"}), ""),
        (
            json!({"properties": {"far": {"$ref": "https://example.org/s.json"}, "near": {"$ref": "#/gone"}}}),
            "far (unknown)\nnear (unknown)",
        ),
    ]);
}

#[test]
fn what_no_type_can_say_becomes_a_list() {
    let schema = json!({
        "type": "object",
        "required": ["query"],
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer", "default": 10},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "filter": {"type": "object", "not": {}, "required": ["by"],
                "properties": {"by": {"enum": ["name", "age"], "default": "name"}}},
        },
        "if": {}, "then": {},
    });
    assert_eq!(
        shape(&schema),
        Shape::List(
            "query (string) *required*\n\
             limit (number) [default: 10]\n\
             labels (object)\n\
             filter (object)\n\
             \x20 by (\"name\" | \"age\") *required* [default: \"name\"]"
                .to_owned()
        )
    );
    let combined = json!({"allOf": [{"properties": {"a": {"type": "string"}}}, {"$ref": "#"}]});
    assert_eq!(shape(&combined).to_string(), "a (string)");
}

#[test]
fn hostile_schemas_are_bounded() {
    let mut doubling = json!({"properties": {}, "$defs": {}});
    for level in 0..40 {
        let next = json!({"$ref": format!("#/$defs/d{}", level + 1)});
        doubling["$defs"][format!("d{level}")] = json!({"properties": {"l": next, "r": next}});
    }
    doubling["properties"]["root"] = json!({"$ref": "#/$defs/d0"});
    let mut deep = json!({"type": "string"});
    for _ in 0..120 {
        deep = json!({"type": "array", "items": deep});
    }
    let many: serde_json::Map<String, Value> = (0..20_000)
        .map(|n| {
            (
                format!("p{n}"),
                json!({"enum": (0..50).collect::<Vec<_>>()}),
            )
        })
        .collect();
    let wide = json!({"properties": many, "required": ["p1"]});
    let long = json!({"enum": ["x".repeat(1_000_000)], "default": "é".repeat(1_000_000)});
    let unions =
        json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}], "properties": {"u": {"$ref": "#"}}});
    for schema in [&doubling, &deep, &wide, &long, &unions] {
        let text = shape(schema).to_string();
        assert!(text.len() <= MAX_BYTES, "{} bytes", text.len());
    }
    assert!(shape(&wide).as_str().ends_with('…'));
    assert_eq!(shape(&deep).as_str(), format!("unknown{}", "[]".repeat(8)));
}

#[test]
fn control_characters_never_come_through() {
    let evil = "a\u{1b}[31m\n\u{202e}b\u{9b}\u{7f}";
    let plain = json!({"properties": {evil: {"type": evil, "enum": [evil]}, "t": {"type": evil}}});
    let listed =
        json!({"not": {}, "properties": {evil: {"type": evil, "default": evil, "not": {}}}});
    for schema in [plain, listed] {
        let text = shape(&schema).to_string();
        let hidden = |c: char| c.is_control() || c == '\u{202e}';
        assert!(!text.chars().any(hidden), "{text:?}");
    }
}

#[test]
fn text_of_a_schema_is_read_or_refused() {
    let text = r#"{"properties":{"b":{"type":"string"},"a":{"type":"null"}}}"#;
    assert_eq!(
        shape_of_text(text).expect(text).as_str(),
        "{ b?: string; a?: null; }"
    );
    assert!(shape_of_text("{").is_err());
    assert!(shape_of_text(&"[".repeat(1000)).is_err());
}
