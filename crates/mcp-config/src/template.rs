//! A text that may ask for values: `${NAME}`, `${file:PATH}`, `${cmd:COMMAND}`.

/// A text in pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text that stands for itself.
    Literal(String),
    /// `${NAME}`, `${env:NAME}`, or either with `:-default`.
    Variable {
        /// The variable.
        name: String,
        /// What to take when it is not set, or empty.
        default: Option<String>,
    },
    /// `${file:PATH}`: what the file holds.
    File(String),
    /// `${cmd:COMMAND}`: what the command prints.
    Command(String),
}

/// Why a text that asks for something cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// `${` without its `}`.
    Unclosed,
    /// A name that only an editor knows, such as `workspaceFolder`.
    OfEditors(&'static str),
    /// `${input:…}`.
    Input,
    /// `{env:…}` or `{file:…}`, as one host writes it.
    WithoutDollar,
    /// `${…}` within a default.
    Nested,
    /// Any other form.
    Unknown,
}

/// Names that editors expand. None of them is a likely variable.
const OF_EDITORS: &[&str] = &[
    "workspaceFolder",
    "workspaceFolderBasename",
    "workspaceRoot",
    "userHome",
    "pathSeparator",
    "/",
];

impl Template {
    /// Takes a text apart. `$${` stands for the characters `${`.
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            literal.push_str(&rest[..dollar]);
            rest = &rest[dollar..];
            if let Some(after) = rest.strip_prefix("$${") {
                literal.push_str("${");
                rest = after;
            } else if let Some(after) = rest.strip_prefix("${") {
                let end = closing_brace(after).ok_or(Fault::Unclosed)?;
                push_literal(&mut pieces, &mut literal)?;
                pieces.push(asked(&after[..end])?);
                rest = &after[end + 1..];
            } else {
                literal.push('$');
                rest = &rest[1..];
            }
        }
        literal.push_str(rest);
        push_literal(&mut pieces, &mut literal)?;
        Ok(Self { pieces })
    }

    /// The text, when it asks for nothing.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [] => Some(""),
            [Piece::Literal(text)] => Some(text),
            _ => None,
        }
    }

    /// The text with what it asks for, but not the text between, which may be a secret. Neither are
    /// a default and a command shown.
    pub(crate) fn outline(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Literal(_) => "…".to_owned(),
            Piece::Variable {
                name,
                default: None,
            } => format!("${{{name}}}"),
            Piece::Variable {
                name,
                default: Some(_),
            } => format!("${{{name}:-…}}"),
            Piece::File(path) => format!("${{file:{path}}}"),
            Piece::Command(_) => "${cmd:…}".to_owned(),
        };
        self.pieces.iter().map(piece).collect()
    }
}

fn push_literal(pieces: &mut Vec<Piece>, literal: &mut String) -> Result<(), Fault> {
    if literal.contains("{env:") || literal.contains("{file:") {
        // `$${env:` is how one writes it when it is meant.
        let escaped = literal.replace("${env:", "").replace("${file:", "");
        if escaped.contains("{env:") || escaped.contains("{file:") {
            return Err(Fault::WithoutDollar);
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(std::mem::take(literal)));
    }
    Ok(())
}

/// Where the `}` stands that closes what was opened before `text`. Braces within are paired, for
/// commands and for defaults of JSON.
fn closing_brace(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' if open == 0 => return Some(at),
            b'}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// What stands between `${` and `}`.
fn asked(inside: &str) -> Result<Piece, Fault> {
    if let Some(path) = inside.strip_prefix("file:") {
        let path = path.trim();
        return match path {
            "" => Err(Fault::Unknown),
            path if path.contains("${") => Err(Fault::Nested),
            path => Ok(Piece::File(path.to_owned())),
        };
    }
    if let Some(command) = inside.strip_prefix("cmd:") {
        let command = command.trim();
        return match command {
            "" => Err(Fault::Unknown),
            command => Ok(Piece::Command(command.to_owned())),
        };
    }
    if inside.starts_with("input:") {
        return Err(Fault::Input);
    }
    if let Some(name) = OF_EDITORS.iter().find(|name| **name == inside) {
        return Err(Fault::OfEditors(name));
    }
    let inside = inside.strip_prefix("env:").unwrap_or(inside);
    let (name, default) = match inside.split_once(":-") {
        Some((name, default)) => (name, Some(default)),
        None => (inside, None),
    };
    if !is_variable(name) {
        return Err(Fault::Unknown);
    }
    if default.is_some_and(|default| default.contains("${")) {
        return Err(Fault::Nested);
    }
    Ok(Piece::Variable {
        name: name.to_owned(),
        default: default.map(str::to_owned),
    })
}

pub(crate) fn is_variable(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(text: &str) -> Piece {
        Piece::Literal(text.to_owned())
    }

    fn variable(name: &str, default: Option<&str>) -> Piece {
        Piece::Variable {
            name: name.to_owned(),
            default: default.map(str::to_owned),
        }
    }

    #[test]
    fn texts_are_taken_apart() {
        let check = |text: &str, pieces: Vec<Piece>| {
            assert_eq!(Template::parse(text), Ok(Template { pieces }), "{text}");
        };
        check("", vec![]);
        check(
            "plain $HOME {x} $ $$",
            vec![literal("plain $HOME {x} $ $$")],
        );
        check("${A}", vec![variable("A", None)]);
        check(
            "x${env:A_1}y${B}",
            vec![
                literal("x"),
                variable("A_1", None),
                literal("y"),
                variable("B", None),
            ],
        );
        check("${A:-}", vec![variable("A", Some(""))]);
        check("${A:-b:-c}", vec![variable("A", Some("b:-c"))]);
        check("${env:A:-b}", vec![variable("A", Some("b"))]);
        check(
            "${A:-{\"x\":{}}}.",
            vec![variable("A", Some("{\"x\":{}}")), literal(".")],
        );
        check("${file: ~/x y }", vec![Piece::File("~/x y".to_owned())]);
        check(
            "${cmd:awk '{print ${X}}' f}",
            vec![Piece::Command("awk '{print ${X}}' f".to_owned())],
        );
        check("$${A}", vec![literal("${A}")]);
        check("$$${A}", vec![literal("$${A}")]);
        check("$${env:A}", vec![literal("${env:A}")]);
        check(
            "é${A}é",
            vec![literal("é"), variable("A", None), literal("é")],
        );
    }

    #[test]
    fn other_forms_are_told_apart() {
        let check = |text: &str, fault: Fault| {
            assert_eq!(Template::parse(text), Err(fault), "{text}");
        };
        check("${", Fault::Unclosed);
        check("a${b{}", Fault::Unclosed);
        check("${input:token}", Fault::Input);
        check("${userHome}/x", Fault::OfEditors("userHome"));
        check("${/}", Fault::OfEditors("/"));
        check("{env:TOKEN}", Fault::WithoutDollar);
        check("Bearer {file:~/token}", Fault::WithoutDollar);
        check("${A:-${B}}", Fault::Nested);
        for text in [
            "${}", "${1}", "${A-b}", "${A:=b}", "${A.b}", "${ A }", "${file:}", "${cmd: }", "${é}",
        ] {
            check(text, Fault::Unknown);
        }
    }

    #[test]
    fn the_outline_shows_what_is_asked_for_and_nothing_else() {
        let template = Template::parse("s${A}s${B:-s}${file:/t}${cmd:s}").unwrap();
        assert_eq!(template.outline(), "…${A}…${B:-…}${file:/t}${cmd:…}");
    }
}
