//! An entry that was read and is right, before the values it asks for are filled in.

use std::collections::BTreeMap;

use mcp_definitions::{Command, HttpServer, ServerDefinition, ServerKind};

use crate::expander::Answers;
use crate::field::Field;
use crate::files::Files;
use crate::layer::At;
use crate::problem::Problem;
use crate::text::Text;
use crate::{Expander, Secrets, env_file};

/// A field that an entry gives.
#[derive(Clone)]
pub(crate) struct Given {
    pub(crate) field: &'static Field,
    pub(crate) at: At,
    /// Where a lower layer gave it too.
    pub(crate) replaced: Option<At>,
}

/// An entry that was read and is right.
#[derive(Clone)]
pub(crate) struct Blueprint {
    /// The entry's name, as the file has it.
    pub(crate) name: String,
    /// The entry's place.
    pub(crate) at: At,
    /// The definition, with outlines for the texts that ask for values.
    pub(crate) definition: ServerDefinition,
    pub(crate) texts: Texts,
    pub(crate) given: Vec<Given>,
}

/// The texts of an entry that may ask for values.
#[derive(Clone, Default)]
pub(crate) struct Texts {
    pub(crate) command: Option<Text>,
    pub(crate) args: Vec<Text>,
    pub(crate) env: BTreeMap<String, Text>,
    pub(crate) env_file: Option<Text>,
    pub(crate) cwd: Option<Text>,
    pub(crate) url: Option<Text>,
    pub(crate) headers: BTreeMap<String, Text>,
}

impl Blueprint {
    /// The definition with every value filled in, and the values that are secret.
    ///
    /// A disabled server asks for nothing: nobody needs its values.
    pub(crate) fn expand(
        &self,
        expander: &mut dyn Expander,
        files: &Files,
    ) -> Result<(ServerDefinition, Secrets), Problem> {
        let mut definition = self.definition.clone();
        let mut answers = Answers::new(expander, self.texts.env.keys());
        if definition.enabled {
            match &mut definition.server {
                ServerKind::Stdio(command) => self.fill_command(command, &mut answers, files)?,
                ServerKind::Http(server) | ServerKind::Sse(server) => {
                    self.fill_url(server, &mut answers, files)?;
                }
            }
        }
        let mut secrets = Secrets::of(&definition);
        secrets.extend(&answers.secrets);
        Ok((definition, secrets))
    }

    fn fill_command(
        &self,
        command: &mut Command,
        answers: &mut Answers<'_>,
        files: &Files,
    ) -> Result<(), Problem> {
        let mut fill = |text: &Text| text.expand(answers, &files.cx(text.at.layer));
        let texts = &self.texts;
        if let Some(text) = &texts.command {
            command.command = fill(text)?;
        }
        command.args = texts.args.iter().map(&mut fill).collect::<Result<_, _>>()?;
        command.cwd = texts.cwd.as_ref().map(&mut fill).transpose()?;
        let file = texts.env_file.as_ref();
        let path = file.map(&mut fill).transpose()?;
        let mut env = BTreeMap::new();
        for (name, text) in &texts.env {
            env.insert(name.clone(), fill(text)?);
        }
        if let (Some(text), Some(path)) = (file, path) {
            // What the entry itself says comes first.
            for (name, value) in read_env_file(text, &path, answers)? {
                env.entry(name).or_insert(value);
            }
        }
        command.env = env;
        Ok(())
    }

    fn fill_url(
        &self,
        server: &mut HttpServer,
        answers: &mut Answers<'_>,
        files: &Files,
    ) -> Result<(), Problem> {
        let mut fill = |text: &Text| text.expand(answers, &files.cx(text.at.layer));
        if let Some(text) = &self.texts.url {
            server.url = fill(text)?;
        }
        for (name, text) in &self.texts.headers {
            server.headers.insert(name.clone(), fill(text)?);
        }
        Ok(())
    }
}

fn read_env_file(
    text: &Text,
    path: &str,
    answers: &mut Answers<'_>,
) -> Result<BTreeMap<String, String>, Problem> {
    let whole = answers.whole_file(path);
    let whole = whole.map_err(|it| text.problem(&format!("names {}", it.what), it.remedy))?;
    let variables = env_file::parse(&whole).map_err(|bad| {
        let what = format!("names {path}, whose line {} {}", bad.line, bad.what);
        text.problem(&what, "write NAME=value, with quotes around what is odd")
    })?;
    variables
        .values()
        .for_each(|value| answers.secrets.add(value));
    Ok(variables)
}
