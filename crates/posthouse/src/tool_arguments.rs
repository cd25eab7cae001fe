//! The arguments of a tool as people type them: one JSON object, or `key=value` typed by the schema.

use mcp_proto::{Raw, RawObject};

/// Reads `words` as the arguments of a tool with this schema. The error says which word is wrong and how
/// it would be right.
pub(crate) fn parse(words: &[String], schema: &Raw) -> Result<Raw, String> {
    if let [only] = words
        && only.trim_start().starts_with('{')
    {
        return match Raw::parse(only.trim()) {
            Ok(raw) if raw.is_object() => Ok(raw),
            Ok(_) => Err("the arguments are no JSON object".to_owned()),
            Err(error) => Err(format!("the arguments are no JSON object: {error}")),
        };
    }
    let properties = RawObject::parse(schema)
        .ok()
        .and_then(|schema| schema.get_as::<RawObject>("properties"))
        .unwrap_or_default();
    let mut arguments = RawObject::default();
    for word in words {
        let Some((key, value)) = word.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Err(format!(
                "{word:?} is no argument: write key=value, or give one JSON object"
            ));
        };
        if arguments.get(key).is_some() {
            return Err(format!("{key:?} is given twice"));
        }
        arguments.set(key, typed(key, value, properties.get_as(key).as_ref())?);
    }
    Ok(arguments.to_raw())
}

/// The value as JSON of the type that the property's schema names.
fn typed(key: &str, value: &str, schema: Option<&RawObject>) -> Result<Raw, String> {
    let text = || Raw::of(value).map_err(|error| error.to_string());
    let json = || Raw::parse(value.trim());
    let Some(schema) = schema else {
        // Nobody says what it is: JSON if it reads as such, else text.
        return json().or_else(|_| text());
    };
    let types: Vec<String> = match schema.get_as::<String>("type") {
        Some(one) => vec![one],
        None => schema.get_as("type").unwrap_or_default(),
    };
    if types.is_empty() {
        return json().or_else(|_| text());
    }
    let fits = |raw: &Raw| types.iter().any(|name| is_of(raw, name));
    match json() {
        Ok(raw) if fits(&raw) && !raw.get().starts_with('"') => Ok(raw),
        _ if types.iter().any(|name| name == "string") => text(),
        _ => Err(format!(
            "{key}={value}: the tool wants {} here",
            types.join(" or ")
        )),
    }
}

fn is_of(raw: &Raw, name: &str) -> bool {
    let text = raw.get();
    match name {
        "integer" => {
            text.parse::<i128>().is_ok()
                || text
                    .parse::<f64>()
                    .is_ok_and(|number| number.fract() == 0.0)
        }
        "number" => text.starts_with(|c: char| c == '-' || c.is_ascii_digit()),
        "boolean" => matches!(text, "true" | "false"),
        "null" => text == "null",
        "array" => text.starts_with('['),
        "object" => text.starts_with('{'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<String, String> {
        let schema = Raw::parse(
            r#"{"properties":{"s":{"type":"string"},"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"a":{"type":"array"},"o":{"type":"object"},"u":{"type":["integer","string"]},"x":{}}}"#,
        );
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        parse(&words, &schema.unwrap()).map(|raw| raw.get().to_owned())
    }

    #[test]
    fn values_are_read_as_the_schema_types_them() {
        for (words, arguments) in [
            (&[][..], "{}"),
            (&["s=5"], r#"{"s":"5"}"#),
            (&["s=true", "i=5"], r#"{"s":"true","i":5}"#),
            (&["s=a=b"], r#"{"s":"a=b"}"#),
            (&["s="], r#"{"s":""}"#),
            (
                &["i=-12345678901234567890123"],
                r#"{"i":-12345678901234567890123}"#,
            ),
            (&["n=1e400", "b=false"], r#"{"n":1e400,"b":false}"#),
            (&["a=[1, 2]", "o={\"k\":1}"], r#"{"a":[1, 2],"o":{"k":1}}"#),
            (&["u=7"], r#"{"u":7}"#),
            (&["u=seven"], r#"{"u":"seven"}"#),
            (
                &["x=7", "new=[1]", "other=word"],
                r#"{"x":7,"new":[1],"other":"word"}"#,
            ),
            (&[r#"{"s": "x", "i": 1e2}"#], r#"{"s": "x", "i": 1e2}"#),
        ] {
            assert_eq!(read(words).as_deref(), Ok(arguments), "{words:?}");
        }
    }

    #[test]
    fn what_does_not_fit_says_how_it_would() {
        for (words, error) in [
            (&["i=five"][..], "i=five: the tool wants integer here"),
            (&["i=1.5"], "i=1.5: the tool wants integer here"),
            (&["b=yes"], "b=yes: the tool wants boolean here"),
            (&["a=1"], "a=1: the tool wants array here"),
            (
                &["word"],
                "\"word\" is no argument: write key=value, or give one JSON object",
            ),
            (
                &["=x"],
                "\"=x\" is no argument: write key=value, or give one JSON object",
            ),
            (&["i=1", "i=2"], "\"i\" is given twice"),
            (
                &["{oops"],
                "the arguments are no JSON object: key must be a string at line 1 column 2",
            ),
        ] {
            assert_eq!(read(words), Err(error.to_owned()), "{words:?}");
        }
    }
}
