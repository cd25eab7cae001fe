//! One value of a file under the name that messages give it, and the shapes it can be asked for.

use std::time::Duration;

use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;

use crate::duration;
use crate::layer::{At, Layer};
use crate::problem::Problem;

/// One value of a file under the name that messages give it, such as `args[1]` or `env.HOME`.
pub(crate) struct Node<'a> {
    pub(crate) label: String,
    pub(crate) value: &'a Value<'a>,
    pub(crate) layer: Layer,
}

impl<'a> Node<'a> {
    pub(crate) fn new(label: impl Into<String>, value: &'a Value<'a>, layer: Layer) -> Self {
        Self {
            label: label.into(),
            value,
            layer,
        }
    }

    fn below(&self, label: String, value: &'a Value<'a>) -> Self {
        Self::new(label, value, self.layer)
    }

    pub(crate) fn at(&self) -> At {
        self.place(self.value.range().start)
    }

    /// A place in the text that this value stands in.
    pub(crate) fn place(&self, offset: usize) -> At {
        At {
            layer: self.layer,
            offset,
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self.value, Value::StringLit(_))
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self.value, Value::NullKeyword(_))
    }

    /// A problem with this value: its label, then what is wrong with it.
    pub(crate) fn problem(&self, what: &str, remedy: impl Into<String>) -> Problem {
        Problem::new(
            self.at(),
            format!("{:?} {what}", shortened(&self.label)),
            remedy,
        )
    }

    fn must_be(&self, what: &str, remedy: &str) -> Problem {
        let kind = match self.value {
            Value::StringLit(_) => "text",
            Value::NumberLit(_) => "a number",
            Value::BooleanLit(_) => "true or false",
            Value::Object(_) => "an object",
            Value::Array(_) => "a list",
            Value::NullKeyword(_) => "null",
        };
        self.problem(&format!("must be {what}, not {kind}"), remedy)
    }

    /// Text.
    pub(crate) fn text(&self) -> Result<&'a str, Problem> {
        match self.value {
            Value::StringLit(text) => self.without_nul(&text.value),
            _ => Err(self.must_be("text", "put it in double quotes")),
        }
    }

    /// Text, or a number or boolean as it is written: many files have `"PORT": 8080`.
    pub(crate) fn scalar(&self) -> Result<&'a str, Problem> {
        match self.value {
            Value::NumberLit(number) => Ok(number.value),
            Value::BooleanLit(flag) if flag.value => Ok("true"),
            Value::BooleanLit(_) => Ok("false"),
            _ => self.text(),
        }
    }

    fn without_nul(&self, text: &'a str) -> Result<&'a str, Problem> {
        if text.contains('\0') {
            return Err(self.problem("holds a NUL character", "remove it"));
        }
        Ok(text)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self) -> Result<bool, Problem> {
        match self.value {
            Value::BooleanLit(flag) => Ok(flag.value),
            _ => Err(self.must_be("true or false", "write it without quotes")),
        }
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<Vec<Node<'a>>, Problem> {
        match self.value {
            Value::Array(array) => {
                let item = |(at, value)| self.below(format!("{}[{at}]", self.label), value);
                Ok(array.elements.iter().enumerate().map(item).collect())
            }
            _ => Err(self.must_be("a list", "write [\"…\", \"…\"], one word per item")),
        }
    }

    /// A list of texts.
    pub(crate) fn texts(&self) -> Result<Vec<String>, Problem> {
        self.items()?
            .iter()
            .map(|item| Ok(item.text()?.to_owned()))
            .collect()
    }

    /// The members of an object.
    pub(crate) fn members(&self) -> Result<Vec<(&'a ObjectProp<'a>, Node<'a>)>, Problem> {
        match self.value {
            Value::Object(object) => {
                let member = |property: &'a ObjectProp<'a>| {
                    let label = format!("{}.{}", self.label, property.name.as_str());
                    (property, self.below(label, &property.value))
                };
                Ok(object.properties.iter().map(member).collect())
            }
            _ => Err(self.must_be("an object", "write { \"NAME\": \"value\" }")),
        }
    }

    /// One of the words that stand for the values of an enumeration.
    pub(crate) fn word<T: Copy>(
        &self,
        all: &[T],
        word: fn(T) -> &'static str,
    ) -> Result<T, Problem> {
        let text = self.text()?;
        all.iter()
            .copied()
            .find(|&value| word(value) == text)
            .ok_or_else(|| {
                let words: Vec<_> = all
                    .iter()
                    .map(|&value| format!("{:?}", word(value)))
                    .collect();
                let what = format!("is {:?}, which is not known", shortened(text));
                self.problem(&what, format!("write one of {}", words.join(", ")))
            })
    }

    /// A span of time: `"30s"`, or a number of seconds.
    pub(crate) fn duration(&self) -> Result<Duration, Problem> {
        let read = match self.value {
            Value::StringLit(text) => duration::from_text(&text.value),
            Value::NumberLit(number) => {
                let seconds = number.value.parse();
                seconds
                    .map_err(|_| "is not a number")
                    .and_then(duration::from_seconds)
            }
            _ => return Err(self.must_be("a span of time", "write \"500ms\", \"30s\" or \"2m\"")),
        };
        read.map_err(|what| self.problem(what, "write \"500ms\", \"30s\" or \"2m\""))
    }

    /// What to say of a bare number that was probably meant in milliseconds, as other hosts have it.
    pub(crate) fn odd_seconds(&self) -> Option<(At, String)> {
        let Value::NumberLit(number) = self.value else {
            return None;
        };
        number
            .value
            .parse::<f64>()
            .ok()
            .filter(|&seconds| seconds >= 1000.0)?;
        let (label, value) = (shortened(&self.label), shortened(number.value));
        let note = format!("{label:?} is {value} seconds; write \"{value}ms\" for milliseconds");
        Some((self.at(), note))
    }

    /// A span of time that is not zero.
    pub(crate) fn timeout(&self) -> Result<Duration, Problem> {
        let duration = self.duration()?;
        if duration.is_zero() {
            return Err(self.problem("is zero", "leave it out for the usual limit"));
        }
        Ok(duration)
    }
}

/// A text from the file, cut to what fits a message.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(64).collect()
}

/// A name from the file as it can be shown bare: without characters that a terminal obeys.
pub(crate) fn shown(name: &str) -> String {
    let visible = |c: char| {
        let escaped = c.escape_debug().count() > 1 && !matches!(c, '"' | '\'' | '\\');
        if escaped { '\u{fffd}' } else { c }
    };
    name.chars().take(64).map(visible).collect()
}
