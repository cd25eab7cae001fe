//! Finding `run` of a container engine among the words of a command.

const ENGINES: &[&str] = &["docker", "podman", "nerdctl"];
const SHELLS: &[&str] = &["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh"];

/// Options of an engine, before its command, that take the next word with them.
const WITH_VALUE: &[&str] = &[
    // docker
    "-H",
    "--host",
    "-c",
    "--context",
    "--config",
    "-l",
    "--log-level",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
    // podman
    "--connection",
    "--url",
    "--identity",
    "--root",
    "--runroot",
    "--storage-driver",
    "--storage-opt",
    "--cgroup-manager",
    "--conmon",
    "--events-backend",
    "--tmpdir",
    "--runtime",
    "--module",
    "--out",
    "--ssh",
    "--volumepath",
    "--hooks-dir",
    "--namespace",
    "--network-config-dir",
    "--network-cmd-path",
    // nerdctl
    "-n",
    "-a",
    "--address",
    "--snapshotter",
    "--cni-path",
    "--cni-netconfpath",
    "--data-root",
    "--hosts-dir",
];

/// Options of an engine that stand alone. One that is in neither list is not understood.
const ALONE: &[&str] = &[
    "-D",
    "--debug",
    "--tls",
    "--tlsverify",
    "-r",
    "--remote",
    "--noout",
    "--syslog",
    "--transient-store",
    "--trace",
    "--debug-full",
    "--experimental",
    "--insecure-registry",
];

const UNKNOWN_OPTION: &str = "an option of the container engine before `run` is not known";
const UNKNOWN_WRAPPER: &str = "an option of the program that starts the container engine is not \
     known";

/// What the words of a command are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Words {
    Other,
    Unsure(&'static str),
    /// `run` is at this place, the engine's name at that.
    Run {
        run: usize,
        engine: usize,
    },
    /// A shell runs the script at this place; what stands before the shell is the wrapper.
    Script {
        wrapper: usize,
        script: usize,
    },
}

pub(super) fn find_run<W: AsRef<str>>(words: &[W]) -> Words {
    let word = |at: usize| words.get(at).map(AsRef::as_ref);
    let mut at = 0;
    while let Some(program) = word(at) {
        let name = base_name(program);
        if ENGINES.contains(&name) {
            return after_engine(words, at);
        }
        if SHELLS.contains(&name) {
            return after_shell(words, at);
        }
        let Some(options) = Options::of_wrapper(name) else {
            return Words::Other;
        };
        at += 1;
        while let Some(option) = word(at) {
            if option == "--" {
                at += 1;
                break;
            }
            if options.with_value.contains(&option) {
                at += 2;
            } else if options.alone.contains(&option)
                || (options.assignments && is_assignment(option))
                || (options.numbers && is_number_option(option))
            {
                at += 1;
            } else if option.starts_with('-') {
                let rest = &words[at..];
                let starts_one = rest.iter().any(|word| mentions_engine(word.as_ref()));
                return match starts_one {
                    true => Words::Unsure(UNKNOWN_WRAPPER),
                    false => Words::Other,
                };
            } else {
                break;
            }
        }
    }
    Words::Other
}

fn after_engine<W: AsRef<str>>(words: &[W], engine: usize) -> Words {
    let mut at = engine + 1;
    while let Some(word) = words.get(at).map(AsRef::as_ref) {
        let next = words.get(at + 1).map(AsRef::as_ref);
        match word {
            "run" => return Words::Run { run: at, engine },
            "container" if next == Some("run") => {
                return Words::Run {
                    run: at + 1,
                    engine,
                };
            }
            _ if WITH_VALUE.contains(&word) => at += 2,
            _ if ALONE.contains(&word) || word.starts_with("--") && word.contains('=') => at += 1,
            _ if word.starts_with('-') => {
                let runs = words[at..].iter().any(|word| word.as_ref() == "run");
                return match runs {
                    true => Words::Unsure(UNKNOWN_OPTION),
                    false => Words::Other,
                };
            }
            _ => return Words::Other,
        }
    }
    Words::Other
}

fn after_shell<W: AsRef<str>>(words: &[W], shell: usize) -> Words {
    let mut at = shell + 1;
    while let Some(word) = words.get(at).map(AsRef::as_ref) {
        match word {
            "-o" | "+o" => at += 2,
            _ if word.starts_with("--") => at += 1,
            _ if word.starts_with('-') && word.contains('c') => {
                let script = at + 1;
                return match words.get(script) {
                    Some(_) => Words::Script {
                        wrapper: shell,
                        script,
                    },
                    None => Words::Other,
                };
            }
            _ if word.starts_with('-') => at += 1,
            // The name of a file.
            _ => return Words::Other,
        }
    }
    Words::Other
}

/// The options of a program that runs another one.
struct Options {
    alone: &'static [&'static str],
    with_value: &'static [&'static str],
    assignments: bool,
    numbers: bool,
}

impl Options {
    fn of_wrapper(name: &str) -> Option<Self> {
        let none = Self {
            alone: &[],
            with_value: &[],
            assignments: false,
            numbers: false,
        };
        Some(match name {
            "env" => Self {
                alone: &["-i", "-", "--ignore-environment"],
                with_value: &["-u", "--unset", "-C", "--chdir"],
                assignments: true,
                ..none
            },
            "sudo" => Self {
                alone: &[
                    "-n",
                    "--non-interactive",
                    "-E",
                    "--preserve-env",
                    "-H",
                    "--set-home",
                ],
                with_value: &["-u", "--user", "-g", "--group"],
                assignments: true,
                ..none
            },
            "doas" => Self {
                alone: &["-n"],
                with_value: &["-u"],
                ..none
            },
            "nice" => Self {
                with_value: &["-n", "--adjustment"],
                numbers: true,
                ..none
            },
            "nohup" => none,
            _ => return None,
        })
    }
}

/// The name of a program without its folders.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Whether a text speaks of an engine at all.
pub(super) fn mentions_engine(text: &str) -> bool {
    ENGINES.iter().any(|engine| text.contains(engine))
}

/// Whether a word sets a variable.
pub(super) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    !name.is_empty()
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name
            .chars()
            .all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
}

fn is_number_option(word: &str) -> bool {
    let number = word.strip_prefix('-').unwrap_or_default();
    !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit())
}
