//! The arguments of the `mcp` tool, read so that what is wrong with one is told by its name.

use std::collections::BTreeMap;

use mcp_manager::printable;
use mcp_proto::Raw;
use mcp_proto::tool::CallToolParams;
use mcp_server::ToolFailure;
use serde_json::value::RawValue;

use crate::directory::quoted;

/// Every argument there is.
const NAMES: &str = "action, query, tool, args, server, limit, offset, regex";
/// The most of a value that is repeated in an error, in characters.
const MAX_SHOWN: usize = 40;

/// What was given; null is as good as absent. Some hosts and models send numbers as text and objects as
/// their JSON text.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Arguments {
    pub(super) action: Option<String>,
    pub(super) query: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) args: Option<Raw>,
    pub(super) server: Option<String>,
    pub(super) limit: Option<usize>,
    pub(super) offset: Option<usize>,
    pub(super) regex: bool,
}

impl Arguments {
    pub(super) fn read(params: &CallToolParams) -> Result<Self, ToolFailure> {
        let text = params.arguments.as_ref().map_or("{}", Raw::get);
        let given = serde_json::from_str::<Option<BTreeMap<String, &RawValue>>>(text).map_err(
            |_| "the arguments of mcp must be an object, such as {\"query\": \"words\"}",
        )?;
        let mut arguments = Arguments::default();
        for (name, value) in given.iter().flatten() {
            let given = (value.get() != "null").then_some(*value);
            match name.as_str() {
                "action" => arguments.action = read(name, given, text_of, "text")?,
                "query" => arguments.query = read(name, given, text_of, "text")?,
                "tool" => arguments.tool = read(name, given, text_of, "text")?,
                "server" => arguments.server = read(name, given, text_of, "text")?,
                "args" => {
                    let wanted = "an object, such as {\"path\": \".\"}, or its JSON text";
                    arguments.args = read(name, given, object_of, wanted)?.flatten();
                }
                "limit" => {
                    arguments.limit = read(name, given, count_of, "a whole number")?;
                }
                "offset" => {
                    let wanted = "a whole number, 0 or more";
                    arguments.offset = read(name, given, count_of, wanted)?;
                }
                "regex" => {
                    let regex = read(name, given, flag_of, "true or false")?;
                    arguments.regex = regex.unwrap_or_default();
                }
                _ => {
                    return Err(ToolFailure(format!(
                        "mcp has no argument {}; it has {NAMES}. What the called tool takes goes into args. Nothing was sent.",
                        quoted(name)
                    )));
                }
            }
        }
        Ok(arguments)
    }
}

/// The value as what is `wanted`, in words for the model.
fn read<T>(
    name: &str,
    value: Option<&RawValue>,
    read: impl Fn(&RawValue) -> Option<T>,
    wanted: &str,
) -> Result<Option<T>, ToolFailure> {
    let Some(value) = value else {
        return Ok(None);
    };
    match read(value) {
        Some(read) => Ok(Some(read)),
        None => Err(ToolFailure(format!(
            "{name} must be {wanted}, not {}. Nothing was sent.",
            printable(value.get(), MAX_SHOWN)
        ))),
    }
}

fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The value itself, or what its text says.
fn plain(value: &RawValue) -> String {
    text_of(value).unwrap_or_else(|| value.get().to_owned())
}

/// Models write `12`, `"12"` and `12.0`; the least that a count can be is 0.
fn count_of(value: &RawValue) -> Option<usize> {
    let number: f64 = plain(value).trim().parse().ok()?;
    // A conversion of floats saturates, so that the greatest stays in range.
    (number >= 0.0 && number.fract() == 0.0).then_some(number as usize)
}

fn flag_of(value: &RawValue) -> Option<bool> {
    plain(value).trim().parse().ok()
}

/// An object keeps its bytes; empty text is as good as nothing.
fn object_of(value: &RawValue) -> Option<Option<Raw>> {
    let object = match text_of(value) {
        Some(text) if text.trim().is_empty() => return Some(None),
        Some(text) => Raw::parse(text).ok()?,
        None => Raw::from(value),
    };
    object.is_object().then_some(Some(object))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &str) -> Result<Arguments, String> {
        let params = CallToolParams {
            arguments: Some(Raw::parse(arguments).unwrap()),
            ..CallToolParams::default()
        };
        Arguments::read(&params).map_err(|failure| failure.0)
    }

    #[test]
    fn what_fits_is_read_in_every_form_in_which_it_comes() {
        let given = read(
            r#"{"action":"call","limit":"12","offset":3.0,"regex":"true","args":"{\"n\": 1e400}","server":null}"#,
        );
        let wanted = Arguments {
            action: Some("call".to_owned()),
            limit: Some(12),
            offset: Some(3),
            regex: true,
            args: Some(Raw::parse(r#"{"n": 1e400}"#).unwrap()),
            ..Arguments::default()
        };
        assert_eq!(given, Ok(wanted));
        let big = read(r#"{"limit":1e30,"args":""}"#);
        assert_eq!(big.map(|given| given.limit), Ok(Some(usize::MAX)));
        assert_eq!(read("null"), Ok(Arguments::default()));
        assert_eq!(read("{}"), Ok(Arguments::default()));
    }

    #[test]
    fn what_does_not_fit_is_told_by_name() {
        for (arguments, reason) in [
            (
                r#"["status"]"#,
                r#"the arguments of mcp must be an object, such as {"query": "words"}"#,
            ),
            (
                r#"{"limit":-1}"#,
                "limit must be a whole number, not -1. Nothing was sent.",
            ),
            (
                r#"{"offset":1.5}"#,
                "offset must be a whole number, 0 or more, not 1.5. Nothing was sent.",
            ),
            (
                r#"{"limit":"many"}"#,
                r#"limit must be a whole number, not "many". Nothing was sent."#,
            ),
            (
                r#"{"regex":1}"#,
                "regex must be true or false, not 1. Nothing was sent.",
            ),
            (
                r#"{"query":["a"]}"#,
                r#"query must be text, not ["a"]. Nothing was sent."#,
            ),
            (
                r#"{"args":[1]}"#,
                r#"args must be an object, such as {"path": "."}, or its JSON text, not [1]. Nothing was sent."#,
            ),
            (
                r#"{"args":"path=."}"#,
                r#"args must be an object, such as {"path": "."}, or its JSON text, not "path=.". Nothing was sent."#,
            ),
            (
                r#"{"repo_path":"."}"#,
                r#"mcp has no argument "repo_path"; it has action, query, tool, args, server, limit, offset, regex. What the called tool takes goes into args. Nothing was sent."#,
            ),
        ] {
            assert_eq!(read(arguments), Err(reason.to_owned()), "{arguments}");
        }
        let long = read(&format!(r#"{{"limit":"{}"}}"#, "x".repeat(10_000)));
        assert!(long.unwrap_err().len() < 200);
    }
}
