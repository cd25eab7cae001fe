//! `posthouse add`: a server more in the user's file, and nothing else changed.

use std::path::{Component, Path, PathBuf};

use mcp_config::{Context, add_server};
use serde_json::{Map, Value, json};

use crate::cli::{AddArgs, Global};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::user_file::{UserFile, explained};

pub(super) fn run(
    args: &AddArgs,
    global: &Global,
    environment: &Environment,
) -> Result<Outcome, Failure> {
    let file = UserFile::read(global.config.as_deref(), environment)?;
    let cx = file.context(environment);
    let entry = entry(args, environment)?;
    let text = add_server(&file.text, &cx, &args.name, &entry)
        .map_err(|error| Failure::usage(format!("failed to {error}")))?;
    let backup = file.replace(&text)?;
    outcome(args, &cx, &text, backup)
}

fn outcome(
    args: &AddArgs,
    cx: &Context<'_>,
    text: &str,
    backup: Option<PathBuf>,
) -> Result<Outcome, Failure> {
    let added = explained(text, cx, &args.name)?;
    let kept = match &backup {
        Some(backup) => format!("the file as it was is {}", backup.display()),
        None => "there was no file before".to_owned(),
    };
    let path = cx.path.display();
    let text = format!("added {} to {path}; {kept}\n{}", args.name, added.text);
    let data = json!({ "file": cx.path, "backup": backup, "added": added.json });
    Ok(Outcome::done(text, &data))
}

fn entry(args: &AddArgs, environment: &Environment) -> Result<Map<String, Value>, Failure> {
    let mut entry = Map::new();
    let cwd = environment.cwd.as_deref();
    let mut words = args.command.iter();
    let program = words.next().map(|word| program(word, cwd));
    entry.insert("command".to_owned(), program.into());
    let words: Vec<_> = words.map(|word| argument(word, cwd)).collect();
    if !words.is_empty() {
        entry.insert("args".to_owned(), words.into());
    }
    let mut env = Map::new();
    for pair in &args.env {
        // The value may be a secret: not even a wrong one is repeated.
        let Some((key, value)) = pair.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Err(Failure::usage(
                "a value of --env is not KEY=VALUE; to hand a variable of your own on, write --env 'NAME=${NAME}'",
            ));
        };
        env.insert(key.to_owned(), value.into());
    }
    if !env.is_empty() {
        entry.insert("env".to_owned(), env.into());
    }
    if let Some(about) = &args.about {
        entry.insert("about".to_owned(), about.as_str().into());
    }
    Ok(entry)
}

/// The file takes relative paths from its own folder; who types one means this one.
fn program(word: &str, cwd: Option<&Path>) -> String {
    match word.contains('/') && !word.starts_with(['/', '~', '$']) {
        true => here(word, cwd),
        false => word.to_owned(),
    }
}

fn argument(word: &str, cwd: Option<&Path>) -> String {
    match word.starts_with("./") || word.starts_with("../") {
        true => here(word, cwd),
        false => word.to_owned(),
    }
}

fn here(word: &str, cwd: Option<&Path>) -> String {
    let Some(path) = cwd.map(|cwd| cwd.join(word)) else {
        return word.to_owned();
    };
    let parts = path.components().filter(|part| *part != Component::CurDir);
    parts.collect::<PathBuf>().display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_those_of_the_folder_it_is_typed_in() {
        let cwd = Some(Path::new("/w"));
        for (word, as_program, as_argument) in [
            ("uvx", "uvx", "uvx"),
            ("./a", "/w/a", "/w/a"),
            ("bin/a", "/w/bin/a", "bin/a"),
            ("../a", "/w/../a", "/w/../a"),
            ("/bin/a", "/bin/a", "/bin/a"),
            ("~/a", "~/a", "~/a"),
            ("${HOME}/a", "${HOME}/a", "${HOME}/a"),
        ] {
            let given = (program(word, cwd), argument(word, cwd));
            assert_eq!(given, (as_program.to_owned(), as_argument.to_owned()));
        }
    }
}
