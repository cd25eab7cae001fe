//! Files of variables: `NAME=value`, a line each.

use std::collections::BTreeMap;

use crate::template::is_variable;

/// Why a file of variables cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadLine {
    pub(crate) line: usize,
    pub(crate) what: &'static str,
}

/// Reads a file of variables.
///
/// A line is `NAME=value`, `export NAME=value`, empty, or a comment after `#`. A value in double
/// quotes knows `\n`, `\t`, `\r`, `\"`, `\$` and `\\`, one in single quotes is as it stands, and
/// one without quotes ends before ` #`. Nothing in it is expanded, and no value goes over a line.
/// Of a name that stands twice the last counts.
pub(crate) fn parse(text: &str) -> Result<BTreeMap<String, String>, BadLine> {
    let mut variables = BTreeMap::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, whole) in text.lines().enumerate() {
        let bad = |what| BadLine {
            line: index + 1,
            what,
        };
        let line = whole.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = match line.strip_prefix("export") {
            Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
            _ => line,
        };
        let (name, value) = line
            .split_once('=')
            .ok_or_else(|| bad("is not NAME=value"))?;
        let name = name.trim();
        if !is_variable(name) {
            return Err(bad("does not begin with the name of a variable"));
        }
        let value = read_value(value.trim()).map_err(bad)?;
        if value.contains('\0') {
            return Err(bad("holds a NUL character"));
        }
        variables.insert(name.to_owned(), value);
    }
    Ok(variables)
}

fn read_value(text: &str) -> Result<String, &'static str> {
    const OPEN: &str = "has a quote that is never closed";
    let (value, rest) = if let Some(quoted) = text.strip_prefix('\'') {
        let (value, rest) = quoted.split_once('\'').ok_or(OPEN)?;
        (value.to_owned(), rest)
    } else if let Some(quoted) = text.strip_prefix('"') {
        unescaped(quoted).ok_or(OPEN)?
    } else {
        let end = text
            .find(" #")
            .or_else(|| text.find("\t#"))
            .unwrap_or(text.len());
        let value = if text.starts_with('#') {
            ""
        } else {
            &text[..end]
        };
        (value.trim_end().to_owned(), "")
    };
    let rest = rest.trim_start();
    if rest.is_empty() || rest.starts_with('#') {
        Ok(value)
    } else {
        Err("has something after the closing quote")
    }
}

/// The text up to the closing quote, and what follows that.
fn unescaped(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' => value.push('\r'),
                other @ ('"' | '\\' | '$' | '`') => value.push(other),
                other => value.extend(['\\', other]),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::ProptestConfig;

    use super::*;

    #[test]
    fn variables_are_read() {
        let text = "\u{feff}# comment\n\nA=1\r\nexport B = two words \nC='a # \"b' # note\nD=\"x\\n\\\"y\\\" \\$Z \\d\"\nE=\nF=a#b\nG=a #b\nH=#b\nexportI=$A\nA=2\n";
        let read = parse(text).unwrap();
        let shown: Vec<_> = read
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        assert_eq!(
            shown,
            [
                "A=2",
                "B=two words",
                "C=a # \"b",
                "D=x\n\"y\" $Z \\d",
                "E=",
                "F=a#b",
                "G=a",
                "H=",
                "exportI=$A"
            ]
        );
    }

    #[test]
    fn other_lines_are_refused_with_their_number() {
        let check = |text: &str, line: usize, what: &'static str| {
            assert_eq!(parse(text), Err(BadLine { line, what }), "{text}");
        };
        check("A=1\nB", 2, "is not NAME=value");
        check("1A=1", 1, "does not begin with the name of a variable");
        check("A B=1", 1, "does not begin with the name of a variable");
        check("=1", 1, "does not begin with the name of a variable");
        check("A='1", 1, "has a quote that is never closed");
        check("A=\"1\\", 1, "has a quote that is never closed");
        check("A=\"1\"2", 1, "has something after the closing quote");
        check("A=1\0", 1, "holds a NUL character");
    }

    proptest::proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read_or_refused_with_a_line(text in "(\\PC|[A=\"'#\n\\\\ ])*") {
            if let Err(bad) = parse(&text) {
                proptest::prop_assert!((1..=text.lines().count()).contains(&bad.line));
            }
        }
    }
}
