//! Finding `docker run` in the script of a `sh -c`, where it stands in plain words.

use super::command_line::{Words, find_run, is_assignment, mentions_engine};

const NOT_PLAIN: &str = "the shell script that starts the container is not plain enough to be sure";

/// Words after which a command begins.
const KEYWORDS: &[&str] = &[
    "exec", "then", "do", "else", "elif", "if", "while", "until", "!", "time", "command", "{",
];

/// A `run` that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScriptRun {
    /// The words before it, which name the engine.
    pub(super) words: Vec<String>,
    /// Where it ends in the script.
    pub(super) end: usize,
}

/// One word of a script.
struct Word<'a> {
    text: &'a str,
    end: usize,
    /// Without quotes and expansions: it means what it says.
    plain: bool,
}

/// Every `run` of a container engine in a script. An error says why that cannot be told.
pub(super) fn find_runs(script: &str) -> Result<Vec<ScriptRun>, &'static str> {
    if !mentions_engine(script) {
        return Ok(Vec::new());
    }
    // What these hold is neither a word nor surely run.
    if script.contains("$(") || script.contains('`') || script.contains("<<") {
        return Err(NOT_PLAIN);
    }
    let mut runs = Vec::new();
    for command in commands(script) {
        runs.extend(run_of(&command)?);
    }
    Ok(runs)
}

fn run_of(command: &[Word<'_>]) -> Result<Option<ScriptRun>, &'static str> {
    let start = command
        .iter()
        .position(|word| !KEYWORDS.contains(&word.text))
        .unwrap_or(command.len());
    let command = &command[start..];
    let assignments = command
        .iter()
        .take_while(|word| is_assignment(word.text))
        .count();
    let texts: Vec<&str> = command.iter().map(|word| word.text).collect();
    let (run, is_plain) = match find_run(&texts[assignments..]) {
        Words::Run { run, .. } => {
            let run = assignments + run;
            (run, command[..=run].iter().all(|word| word.plain))
        }
        Words::Other => {
            // An engine in quotes or behind an unknown variable would still be one.
            let first = command.get(assignments);
            return match first.is_some_and(|first| !first.plain && mentions_engine(first.text)) {
                true => Err(NOT_PLAIN),
                false => Ok(None),
            };
        }
        Words::Script { .. } | Words::Unsure(_) => {
            let starts_one = texts.iter().any(|text| mentions_engine(text));
            return match starts_one {
                true => Err(NOT_PLAIN),
                false => Ok(None),
            };
        }
    };
    if !is_plain {
        return Err(NOT_PLAIN);
    }
    let mut words: Vec<String> = texts[..run].iter().map(|text| (*text).to_owned()).collect();
    if assignments > 0 {
        words.insert(0, "env".to_owned());
    }
    let end = command[run].end;
    Ok(Some(ScriptRun { words, end }))
}

/// Cuts a script at its operators and each command at its blanks.
fn commands(script: &str) -> Vec<Vec<Word<'_>>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<(usize, bool)> = None;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut comment = false;
    for (at, letter) in script.char_indices() {
        let mut ends_word = false;
        let mut ends_command = false;
        if comment {
            comment = letter != '\n';
            ends_command = !comment;
        } else if escaped {
            escaped = false;
        } else if let Some(open) = quote {
            escaped = letter == '\\' && open == '"';
            quote = (letter != open).then_some(open);
        } else {
            match letter {
                ' ' | '\t' => ends_word = true,
                '\n' | ';' | '&' | '|' | '(' | ')' => ends_command = true,
                '#' if word.is_none() => comment = true,
                _ => {
                    let (_, plain) = word.get_or_insert((at, true));
                    match letter {
                        '\'' | '"' => quote = Some(letter),
                        '\\' => escaped = true,
                        '$' | '*' | '?' | '[' | '~' | '<' | '>' | '{' | '}' => {}
                        _ => continue,
                    }
                    // A brace alone is a word of the shell.
                    *plain = false;
                }
            }
        }
        if (ends_word || ends_command)
            && let Some((start, plain)) = word.take()
            && let Some(command) = commands.last_mut()
        {
            let text = &script[start..at];
            let end = at;
            command.push(Word { text, end, plain });
        }
        if ends_command {
            commands.push(Vec::new());
        }
    }
    if let Some((start, plain)) = word
        && let Some(command) = commands.last_mut()
    {
        let (text, end) = (&script[start..], script.len());
        command.push(Word { text, end, plain });
    }
    commands
}
