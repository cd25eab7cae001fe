//! Servers that run in a container which their command starts, as `docker run` does.
//!
//! Such a command is only a client: the container belongs to an engine, and outlives the client's
//! `KILL`. So each gets a label that names its server and our process, and, where that is sure to
//! work, a file for its id. By these it is removed when the server is stopped, by the reaper when
//! we are killed, and by the next start when the reaper was killed too.
//!
//! Recognised are `docker`, `podman` and `nerdctl` with `run` or `container run`, also behind
//! `env`, `sudo`, `doas`, `nohup` and `nice`, and where the script of a `sh -c` has them in plain
//! words. Everything else is left as it is: `compose`, `exec` and `start` (which work on containers
//! that are not ours alone), and programs that start a container by themselves.

mod command_line;
mod engine;
mod owner;
mod script;

#[cfg(test)]
mod tests;

use command_line::{Words, find_run, mentions_engine};

pub(crate) use engine::{Container, Engine};
pub(crate) use owner::Owner;

/// The name of our label.
const LABEL: &str = "posthouse";

/// What is put into a command that starts a container.
#[derive(Debug, Clone)]
pub(crate) struct Marks {
    /// The label's value.
    pub(crate) label: String,
    /// Where the engine is to write the container's id. The file must not exist.
    pub(crate) id_file: Option<String>,
}

/// What a command is, as far as containers go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Prepared {
    /// It starts no container that we know of.
    Other,
    /// It seems to start one, but not in a way that we surely understand: it is left as it is.
    Unsure(&'static str),
    /// It starts one.
    Run(Run),
}

/// A command that starts a container, marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// All its words, with the program.
    pub(crate) words: Vec<String>,
    /// The words that come before `run`: with others after them, they remove the container. More
    /// than one if a script starts several.
    pub(crate) engines: Vec<Vec<String>>,
    /// Whether the engine writes the id file.
    pub(crate) has_id_file: bool,
}

/// Whether a command speaks of an engine at all: cheaper than [`prepare`].
pub(crate) fn is_conceivable(words: &[String]) -> bool {
    words.iter().any(|word| mentions_engine(word))
}

/// Marks a command that starts a container. `words` are the program and its arguments.
pub(crate) fn prepare(words: &[String], marks: &Marks) -> Prepared {
    match find_run(words) {
        Words::Other => Prepared::Other,
        Words::Unsure(reason) => Prepared::Unsure(reason),
        Words::Run { run, engine } => run_marked(words, run, engine, marks),
        Words::Script { wrapper, script } => script_marked(words, wrapper, script, marks),
    }
}

fn run_marked(words: &[String], run: usize, engine: usize, marks: &Marks) -> Prepared {
    let after = &words[run + 1..];
    let mut options = after.iter().take_while(|word| word.starts_with('-'));
    if after.is_empty() || options.any(|word| word == "--help") {
        return Prepared::Other;
    }
    // One after the image would be an argument of the server, but nothing is lost by caution.
    let has_its_own = after
        .iter()
        .any(|word| word == "--cidfile" || word.starts_with("--cidfile="));
    // Another user may not be able to write it, which would keep the server from starting.
    let is_wrapped = words[..engine].iter().any(|word| is_other_user(word));
    let id_file = marks
        .id_file
        .as_ref()
        .filter(|_| !has_its_own && !is_wrapped);

    let mut marked = words[..=run].to_vec();
    if let Some(id_file) = id_file {
        marked.extend(["--cidfile".to_owned(), id_file.clone()]);
    }
    marked.extend(["--label".to_owned(), label(marks)]);
    marked.extend_from_slice(after);
    Prepared::Run(Run {
        words: marked,
        engines: vec![engine_words(&words[..run])],
        has_id_file: id_file.is_some(),
    })
}

fn script_marked(words: &[String], wrapper: usize, script: usize, marks: &Marks) -> Prepared {
    let runs = match script::find_runs(&words[script]) {
        Ok(runs) if runs.is_empty() => return Prepared::Other,
        Ok(runs) => runs,
        Err(reason) => return Prepared::Unsure(reason),
    };
    let mut text = words[script].clone();
    let mut engines = Vec::new();
    // From the end, so that the places before stay where they are. No id file: a script may come
    // by the same command twice, and the engine refuses a file that exists.
    for run in runs.into_iter().rev() {
        text.insert_str(run.end, &format!(" --label {}", label(marks)));
        let engine = [&words[..wrapper], &engine_words(&run.words)].concat();
        if !engines.contains(&engine) {
            engines.insert(0, engine);
        }
    }
    let mut marked = words.to_vec();
    marked[script] = text;
    Prepared::Run(Run {
        words: marked,
        engines,
        has_id_file: false,
    })
}

fn label(marks: &Marks) -> String {
    format!("{LABEL}={}", marks.label)
}

fn is_other_user(word: &str) -> bool {
    matches!(command_line::base_name(word), "sudo" | "doas")
}

/// The words before `run`, without the `container` of `container run`.
fn engine_words(before_run: &[String]) -> Vec<String> {
    match before_run {
        [words @ .., last] if last == "container" => words.to_vec(),
        words => words.to_vec(),
    }
}
