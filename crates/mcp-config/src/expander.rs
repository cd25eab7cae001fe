//! Where the values come from that a file asks for. The caller has them; nothing here looks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use crate::text::Role;
use crate::{Secrets, value_file};

/// Gives the values that entries ask for. Only the caller knows them: this crate reads no
/// environment and starts nothing.
///
/// An error is a fragment that reads after "…, which", such as `timed out after 10s`; it must not
/// hold a value, nor what a command printed.
pub trait Expander {
    /// The variable `name`; `None` when it is not set.
    ///
    /// # Errors
    /// When it cannot be had: a fragment such as `is not UTF-8`.
    fn variable(&mut self, name: &str) -> Result<Option<String>, String>;

    /// What the file at this absolute path holds. A line break at the end is dropped later.
    ///
    /// # Errors
    /// When it cannot be read: a fragment such as `cannot be read: …`.
    fn file(&mut self, path: &Path) -> Result<String, String> {
        value_file::read(path)
    }

    /// What the command prints, run by `sh -c` with the user's own environment, without standard
    /// input. Only the user's own file gets here. The implementation stops it after
    /// [`COMMAND_TIMEOUT`] and refuses more than [`MAX_VALUE_BYTES`].
    ///
    /// # Errors
    /// When it fails: a fragment such as `exited with code 1`.
    fn command(&mut self, line: &str) -> Result<String, String>;
}

/// How long a `${cmd:…}` may take. Long enough for a password manager that asks to be unlocked by
/// a touch, short enough that a server does not seem to hang.
pub const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);

/// The largest value that a file or a command may give, in bytes.
pub const MAX_VALUE_BYTES: usize = 64 * 1024;

/// An [`Expander`] that knows variables and reads files, but runs no commands.
#[derive(Clone, Default)]
pub struct Variables(
    /// The variables.
    pub BTreeMap<String, String>,
);

impl std::fmt::Debug for Variables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Expander for Variables {
    fn variable(&mut self, name: &str) -> Result<Option<String>, String> {
        Ok(self.0.get(name).cloned())
    }

    fn command(&mut self, _: &str) -> Result<String, String> {
        Err("is not run here".to_owned())
    }
}

/// An [`Expander`] for reading without filling in.
pub(crate) struct Nothing;

impl Expander for Nothing {
    fn variable(&mut self, _: &str) -> Result<Option<String>, String> {
        Err("is not looked up here".to_owned())
    }

    fn file(&mut self, _: &Path) -> Result<String, String> {
        Err("is not read here".to_owned())
    }

    fn command(&mut self, _: &str) -> Result<String, String> {
        Err("is not run here".to_owned())
    }
}

/// Asks an [`Expander`], and remembers what it said as secret.
pub(crate) struct Answers<'a> {
    expander: &'a mut dyn Expander,
    /// Names of the variables that the entry itself gives to its program.
    own: BTreeSet<&'a str>,
    pub(crate) secrets: Secrets,
}

/// What was asked for and not given, and what to do.
pub(crate) struct Unanswered {
    pub(crate) what: String,
    pub(crate) remedy: String,
}

impl Unanswered {
    pub(crate) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

impl<'a> Answers<'a> {
    pub(crate) fn new(
        expander: &'a mut dyn Expander,
        own: impl Iterator<Item = &'a String>,
    ) -> Self {
        Self {
            expander,
            own: own.map(String::as_str).collect(),
            secrets: Secrets::default(),
        }
    }

    pub(crate) fn variable(
        &mut self,
        name: &str,
        default: Option<&str>,
        role: Role,
    ) -> Result<String, Unanswered> {
        let value = self.expander.variable(name).map_err(|reason| {
            Unanswered::new(
                format!("${{{name}}}, which {reason}"),
                "write the value itself, or name the variable in \"inheritEnv\"",
            )
        })?;
        if let Some(value) = value.as_ref().filter(|_| !is_known_to_all(name)) {
            self.secrets.add(value);
        }
        match (value, default) {
            (Some(value), None) => Ok(value),
            (Some(value), Some(_)) if !value.is_empty() => Ok(value),
            (_, Some(default)) => Ok(default.to_owned()),
            (None, None) => {
                let what = format!("${{{name}}}, which is not set");
                // Some programs fill it in themselves, so that it is not seen among the processes.
                let remedy = if role == Role::Argument && self.own.contains(name) {
                    format!("write $${{{name}}} if the program fills it in from its own variables")
                } else {
                    format!("set it, or write ${{{name}:-…}} with a default")
                };
                Err(Unanswered::new(what, remedy))
            }
        }
    }

    pub(crate) fn file(&mut self, path: &str) -> Result<String, Unanswered> {
        let text = self.whole_file(path)?;
        let value = without_line_end(text);
        self.secrets.add(&value);
        Ok(value)
    }

    /// What a file holds, which is not secret as a whole.
    pub(crate) fn whole_file(&mut self, path: &str) -> Result<String, Unanswered> {
        let given = self.expander.file(Path::new(path));
        given.and_then(bounded).map_err(|reason| {
            Unanswered::new(
                format!("the file {path}, which {reason}"),
                "create it, or correct the path",
            )
        })
    }

    pub(crate) fn command(&mut self, line: &str) -> Result<String, Unanswered> {
        // The command is not repeated: it may hold a secret.
        let given = self.expander.command(line).and_then(bounded);
        let text = given.map_err(|reason| {
            Unanswered::new(
                format!("${{cmd:…}}, which {reason}"),
                "run the command by hand to see why",
            )
        })?;
        let value = without_line_end(text);
        self.secrets.add(&value);
        Ok(value)
    }
}

/// Variables that every program is given. Striking their values from what we write would take every
/// path under the home folder with them.
fn is_known_to_all(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
    ];
    NAMES.contains(&name) || name.starts_with("LC_") || name.starts_with("XDG_")
}

fn bounded(text: String) -> Result<String, String> {
    if text.len() > MAX_VALUE_BYTES {
        return Err(format!("is larger than {} KiB", MAX_VALUE_BYTES / 1024));
    }
    Ok(text)
}

/// As a shell has it: what ends a text is not part of the value.
fn without_line_end(mut text: String) -> String {
    let kept = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(kept);
    text
}
