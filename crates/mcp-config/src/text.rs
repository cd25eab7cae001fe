//! A text of an entry that may ask for values, and what it must be once it has them.

use crate::expander::{Answers, Unanswered};
use crate::layer::{At, Layer};
use crate::node::{Node, shortened};
use crate::problem::Problem;
use crate::template::{self, Fault, Piece, Template};
use crate::{Context, command_line, paths};

/// What a text is used for, and so what it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The program to start.
    Program,
    /// An argument.
    Argument,
    /// The value of a variable.
    Variable,
    /// A folder.
    Folder,
    /// A file.
    File,
    /// A URL.
    Url,
    /// The value of a header.
    Header,
}

/// A text of an entry.
#[derive(Clone)]
pub(crate) struct Text {
    label: String,
    pub(crate) at: At,
    role: Role,
    template: Template,
    /// The final value, when it asks for nothing.
    settled: Option<String>,
}

/// Whether a text looks like a variable as other hosts write it: `$NAME`, `$env:NAME`, `%NAME%`.
fn looks_like_a_variable(text: &str) -> bool {
    let name = text
        .strip_prefix("$env:")
        .or_else(|| text.strip_prefix('$'))
        .or_else(|| text.strip_prefix('%')?.strip_suffix('%'));
    name.is_some_and(|name| {
        template::is_variable(name) && name.len() > 2 && name == name.to_ascii_uppercase()
    })
}

/// What is wrong with a value, and what to do.
type Wrong = (&'static str, &'static str);

impl Text {
    /// Reads a text. When it asks for what cannot be had, the second value says so.
    pub(crate) fn read(
        node: &Node<'_>,
        role: Role,
        cx: &Context<'_>,
    ) -> Result<(Self, Option<Problem>), Problem> {
        let text = match role {
            Role::Folder | Role::File | Role::Url => node.text()?,
            Role::Program if node.is_text() => node.text()?,
            _ => node.scalar()?,
        };
        let text_of = |template: Template, settled| Self {
            label: node.label.clone(),
            at: node.at(),
            role,
            template,
            settled,
        };
        let template = match Template::parse(text) {
            Ok(template) => template,
            Err(fault) => {
                let (what, remedy) = said(&fault, role);
                let as_it_is = Template {
                    pieces: vec![Piece::Literal(text.to_owned())],
                };
                let problem = node.problem(&what, remedy);
                return Ok((text_of(as_it_is, Some(text.to_owned())), Some(problem)));
            }
        };
        if role == Role::Program {
            command_line::check(node, &sample(&template))?;
        }
        if let Some(literal) = template.literal() {
            let settled = settle(role, literal, literal, cx)
                .map_err(|(what, remedy)| node.problem(what, remedy))?;
            return Ok((text_of(template, Some(settled)), None));
        }
        let commands = template
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Command(_)));
        let refused = (commands && node.layer == Layer::Project).then(|| {
            node.problem(
                "asks for ${cmd:…}, which a project's file may not",
                "write ${NAME} and set that variable, or put the server into your own file",
            )
        });
        Ok((text_of(template, None), refused))
    }

    /// What to say of a text that is taken as it stands and was probably not meant so.
    pub(crate) fn odd(&self) -> Option<(At, String)> {
        let odd = looks_like_a_variable(self.settled.as_deref()?);
        let label = shortened(&self.label);
        let note =
            format!("{label:?} is taken as it stands; write ${{NAME}} for a variable's value");
        odd.then_some((self.at, note))
    }

    /// The text as far as it is known before anything is asked for.
    pub(crate) fn unexpanded(&self) -> String {
        self.settled
            .clone()
            .unwrap_or_else(|| self.template.outline())
    }

    /// What it asks for, without the text between; `None` when it asks for nothing.
    pub(crate) fn outline(&self) -> Option<String> {
        self.settled.is_none().then(|| self.template.outline())
    }

    /// The value, with what it asks for filled in.
    pub(crate) fn expand(
        &self,
        answers: &mut Answers<'_>,
        cx: &Context<'_>,
    ) -> Result<String, Problem> {
        if let Some(settled) = &self.settled {
            return Ok(settled.clone());
        }
        let mut value = String::new();
        for piece in &self.template.pieces {
            let filled = match piece {
                Piece::Literal(text) => Ok(text.clone()),
                Piece::Variable { name, default } => {
                    answers.variable(name, default.as_deref(), self.role)
                }
                Piece::File(path) => paths::folder(path, cx)
                    .map_err(|(what, remedy)| {
                        Unanswered::new(format!("${{file:…}} {what}"), remedy)
                    })
                    .and_then(|path| answers.file(&path)),
                Piece::Command(line) => answers.command(line),
            };
            let filled = filled.map_err(|Unanswered { what, remedy }| {
                self.problem(&format!("asks for {what}"), remedy)
            })?;
            value.push_str(&filled);
        }
        let begins = match self.template.pieces.first() {
            Some(Piece::Literal(text)) => text,
            _ => "",
        };
        if value.contains('\0') {
            return Err(self.problem("comes to a text with a NUL character", "correct the value"));
        }
        settle(self.role, &value, begins, cx)
            .map_err(|(what, remedy)| self.problem(&format!("is expanded, and {what}"), remedy))
    }

    pub(crate) fn problem(&self, what: &str, remedy: impl Into<String>) -> Problem {
        let label = shortened(&self.label);
        Problem::new(self.at, format!("{label:?} {what}"), remedy)
    }
}

/// The final form of a value. `begins` is the text that the file itself has before anything it asks
/// for: an argument is taken for a path only if the file says so.
fn settle(role: Role, value: &str, begins: &str, cx: &Context<'_>) -> Result<String, Wrong> {
    match role {
        Role::Program if value.trim().is_empty() => Err(("is empty", "write the program to start")),
        Role::Program => paths::command(value, cx),
        Role::Argument if paths::is_path(begins) => paths::folder(value, cx),
        Role::Argument | Role::Variable => Ok(value.to_owned()),
        Role::Folder if value.is_empty() => Err(("is empty", "leave it out or write a folder")),
        Role::File if value.is_empty() => Err(("is empty", "leave it out or write a file")),
        Role::Folder | Role::File => paths::folder(value, cx),
        Role::Url if is_url(value) => Ok(value.to_owned()),
        Role::Url => Err(("is not an http or https URL", "write \"https://host/path\"")),
        Role::Header if value.contains(['\r', '\n']) => Err(("holds a line break", "remove it")),
        Role::Header => Ok(value.to_owned()),
    }
}

fn is_url(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// The text with a word for each value that it asks for, to see whether it is a command line.
fn sample(template: &Template) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => text.clone(),
        _ => "${…}".to_owned(),
    };
    template.pieces.iter().map(piece).collect()
}

fn said(fault: &Fault, role: Role) -> (String, String) {
    let forms = "write ${NAME}, ${NAME:-default}, ${file:PATH} or ${cmd:COMMAND}, or $${ for the \
                 characters themselves";
    let (what, remedy) = match fault {
        Fault::Unclosed => (
            "has a ${ that is never closed",
            "add the }, or write $${ for the characters themselves",
        ),
        Fault::OfEditors(name) => {
            let remedy = match (*name, role) {
                ("userHome", _) => "write ~/… or ${HOME}",
                (_, Role::Folder) => {
                    "write the folder itself, or leave \"cwd\" out to start in the session's folder"
                }
                _ => "write the value itself",
            };
            let what = format!("asks for ${{{name}}}, which only an editor knows");
            return (what, remedy.to_owned());
        }
        Fault::Input => (
            "asks for ${input:…}, which only an editor can ask you for",
            "write ${NAME} and set that variable, or ${cmd:COMMAND} for what a password manager prints",
        ),
        Fault::WithoutDollar => (
            "asks for a value as another program writes it",
            "write ${NAME} or ${file:PATH}",
        ),
        Fault::Nested => ("has ${…} within ${…}", "write the inner one as plain text"),
        Fault::Unknown => ("has ${…} in a form that is not known", forms),
    };
    (what.to_owned(), remedy.to_owned())
}

#[cfg(test)]
mod tests;
