//! The text of a file as a tree that knows its places.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};

use crate::position::Lines;
use crate::{ConfigError, Context, MAX_FILE_BYTES, Position, template};

/// JSON with comments and trailing commas, and no further liberties: a comma that is missing is a
/// slip, and a file that other programs read as well should be one they can read.
pub(crate) const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads the file's text. With `only_files`, nothing else is opened: a pipe would wait for whoever
/// writes to it.
pub(crate) fn read(cx: &Context<'_>, only_files: bool) -> Result<String, ConfigError> {
    let failed = |source| ConfigError::Read {
        path: cx.path.to_owned(),
        source,
    };
    if only_files && !std::fs::metadata(cx.path).map_err(failed)?.is_file() {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a file");
        return Err(failed(error));
    }
    let file = File::open(cx.path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    // Before the encoding: the limit may have cut a character in two.
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ConfigError::TooLarge {
            path: cx.path.to_owned(),
        });
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let text = String::from_utf8_lossy(valid);
        let position = Lines::new(&text).position(text.len());
        ConfigError::NotUtf8 {
            path: cx.path.to_owned(),
            position,
        }
    })
}

/// The text without the mark that some editors put before it.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Parses a text whose root is an object, without a key that stands twice anywhere.
pub(crate) fn root<'t>(
    text: &'t str,
    lines: &Lines<'_>,
    cx: &Context<'_>,
) -> Result<Object<'t>, ConfigError> {
    if text.len() > MAX_FILE_BYTES {
        return Err(ConfigError::TooLarge {
            path: cx.path.to_owned(),
        });
    }
    let syntax = |position, cause: &str, remedy: &str| ConfigError::Syntax {
        path: cx.path.to_owned(),
        position,
        cause: cause.to_owned(),
        remedy: remedy.to_owned(),
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map_err(|error| {
        if is_toml(text) {
            let cause = "this is TOML, not JSON";
            let remedy = "write { \"mcpServers\": { \"NAME\": { \"command\": \"…\" } } }";
            return syntax(lines.position(0), cause, remedy);
        }
        let at = error.range().start;
        let odd = text
            .get(at..)
            .and_then(|rest| odd_character(rest.chars().next()?));
        let (cause, remedy) = odd.unwrap_or_else(|| explain(error.kind()));
        syntax(lines.position(error.range().start), &cause, remedy)
    })?;
    // An empty file is more likely half-written than meant; taking it for "no servers" would stop
    // all that run.
    let value = parsed.value.ok_or_else(|| {
        syntax(
            lines.position(0),
            "the file is empty",
            "write { \"mcpServers\": {} } for no servers",
        )
    })?;
    reject_duplicate_keys(&value, lines, cx)?;
    match value {
        Value::Object(object) => Ok(object),
        other => Err(ConfigError::Shape {
            path: cx.path.to_owned(),
            position: lines.position(other.range().start),
            cause: "the file must hold an object".to_owned(),
            remedy: "write { \"mcpServers\": { … } }".to_owned(),
        }),
    }
}

/// What is said of a character that people write for another.
fn odd_character(found: char) -> Option<(String, &'static str)> {
    let (cause, remedy) = match found {
        '“' | '”' | '„' | '‘' | '’' => ("curly quotes", "use straight double quotes"),
        '=' => ("there is = where a colon should be", "write \"key\": value"),
        '\u{a0}' => ("there is a space of another kind", "write a plain space"),
        _ => return None,
    };
    Some((cause.to_owned(), remedy))
}

/// Whether the text looks like the configuration of a host that writes TOML.
fn is_toml(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    first.is_some_and(|line| {
        let table = line.starts_with('[')
            && line.ends_with(']')
            && !line.contains(['"', ',', '{'])
            && line.len() > 2;
        let setting = line
            .split_once('=')
            .is_some_and(|(key, _)| template::is_variable(key.trim()));
        table || setting
    })
}

/// Cause and remedy in our words. The parser's own text is the fallback; it quotes nothing from
/// the file.
fn explain(kind: &ParseErrorKind) -> (String, &'static str) {
    use ParseErrorKind as Kind;
    let (cause, remedy) = match kind {
        Kind::ExpectedComma => ("a comma is missing", "write one here"),
        Kind::UnterminatedObject => ("this { is never closed", "add the missing }"),
        Kind::UnterminatedArray => ("this [ is never closed", "add the missing ]"),
        Kind::UnterminatedCommentBlock => ("this /* is never closed", "add the missing */"),
        Kind::UnexpectedWord => (
            "a bare word stands where a value should",
            "put it in double quotes",
        ),
        Kind::ExpectedStringObjectProperty => ("a key is not quoted", "put it in double quotes"),
        Kind::SingleQuotedStringsNotAllowed => ("single quotes", "use double quotes"),
        Kind::ExpectedColonAfterObjectKey => {
            ("a colon is missing after a key", "write \"key\": value")
        }
        Kind::ExpectedObjectValue => ("a value is missing after a key", "write \"key\": value"),
        Kind::UnexpectedComma => ("there is a comma too many", "remove it"),
        Kind::UnexpectedCloseBrace => ("this } closes nothing", "remove it or add the {"),
        Kind::UnexpectedCloseBracket => ("this ] closes nothing", "remove it or add the ["),
        Kind::MultipleRootJsonValues => (
            "something follows the end of the object",
            "remove it, or a } that comes too early",
        ),
        Kind::NestingDepthExceeded => (
            "it is nested too deeply",
            "take out what is not configuration",
        ),
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => {
            ("this text is never closed", "add the missing double quote")
        }
        Kind::String(_) => ("an escape is not known", "write \\\\ for a backslash"),
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            let first = letters
                .next()
                .map(|c| c.to_lowercase().to_string())
                .unwrap_or_default();
            return (first + letters.as_str(), "correct the JSON here");
        }
    };
    (cause.to_owned(), remedy)
}

fn reject_duplicate_keys(
    value: &Value<'_>,
    lines: &Lines<'_>,
    cx: &Context<'_>,
) -> Result<(), ConfigError> {
    match value {
        Value::Array(array) => array
            .elements
            .iter()
            .try_for_each(|item| reject_duplicate_keys(item, lines, cx)),
        Value::Object(object) => {
            let mut seen: HashMap<&str, usize> = HashMap::new();
            for property in &object.properties {
                let at = property.range.start;
                if let Some(first) = seen.insert(property.name.as_str(), at) {
                    return Err(duplicate(
                        property.name.as_str(),
                        lines.position(at),
                        lines.position(first),
                        cx,
                    ));
                }
                reject_duplicate_keys(&property.value, lines, cx)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn duplicate(key: &str, position: Position, first: Position, cx: &Context<'_>) -> ConfigError {
    let key = key.chars().take(64).collect();
    ConfigError::DuplicateKey {
        path: cx.path.to_owned(),
        position,
        key,
        first,
    }
}
