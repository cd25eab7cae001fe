//! The list of gates, and the runner that prints one line for each.

mod build;
mod dependencies;
mod documents;
mod layers;
mod licences;
mod own;
mod real;
mod sources;

use std::io::{self, Write};
use std::time::Instant;

use anyhow::{Result, bail};

/// What a passed gate shows.
pub(crate) struct Passed {
    /// One short figure, such as "14 crates".
    figure: String,
    /// Lines to show below; empty for most gates.
    notes: Vec<String>,
}

impl Passed {
    /// A figure alone.
    fn figure(figure: impl Into<String>) -> Result<Self> {
        Ok(Self {
            figure: figure.into(),
            notes: Vec::new(),
        })
    }
}

/// One check of the whole.
struct Gate {
    name: &'static str,
    /// Part of `--quick`: seconds, not minutes.
    quick: bool,
    says: &'static str,
    run: fn() -> Result<Passed>,
}

const GATES: &[Gate] = &[
    Gate {
        name: "format",
        quick: true,
        says: "rustfmt has nothing to change",
        run: build::format,
    },
    Gate {
        name: "clippy",
        quick: true,
        says: "no warning in any target",
        run: build::clippy,
    },
    Gate {
        name: "layers",
        quick: true,
        says: "who depends on whom, and what sources may not hold",
        run: layers::run,
    },
    Gate {
        name: "dependencies",
        quick: true,
        says: "licences, sources, duplicates, unused; how lean mcp-manager is",
        run: dependencies::run,
    },
    Gate {
        name: "documents",
        quick: true,
        says: "what pages point at is there; every crate has its page",
        run: documents::run,
    },
    Gate {
        name: "test",
        quick: false,
        says: "every test but those of the gates below",
        run: own::all,
    },
    Gate {
        name: "doctest",
        quick: false,
        says: "every example in the documentation",
        run: own::doc,
    },
    Gate {
        name: "rustdoc",
        quick: false,
        says: "the documentation builds without a warning",
        run: build::rustdoc,
    },
    Gate {
        name: "examples",
        quick: false,
        says: "every example configuration loads, every example program builds",
        run: own::examples,
    },
    Gate {
        name: "search",
        quick: false,
        says: "search quality on TOOL_SEARCH_DATA",
        run: own::search,
    },
    Gate {
        name: "schema",
        quick: false,
        says: "what we write against the schemas in MCP_SCHEMA_DIR",
        run: own::schema,
    },
    Gate {
        name: "servers",
        quick: false,
        says: "real public servers, installed below target/",
        run: real::servers,
    },
    Gate {
        name: "clients",
        quick: false,
        says: "real client SDKs, installed below target/",
        run: real::clients,
    },
    Gate {
        name: "killing",
        quick: false,
        says: "what is left after kill -9; also of containers, by podman, which is installed",
        run: real::killing,
    },
];

/// Runs what the command line asks for. True when nothing failed; an error is wrong usage.
pub(crate) fn main(words: &[String]) -> Result<bool> {
    let mut quick = false;
    let mut names = Vec::new();
    for word in words {
        match word.as_str() {
            "--list" => {
                list();
                return Ok(true);
            }
            "--quick" => quick = true,
            option if option.starts_with('-') => bail!("there is no option {option}"),
            name if GATES.iter().any(|gate| gate.name == name) => names.push(name),
            name => {
                let known: Vec<&str> = GATES.iter().map(|gate| gate.name).collect();
                bail!("there is no gate {name}; there are {}", known.join(", "));
            }
        }
    }
    let chosen =
        |gate: &&Gate| (!quick || gate.quick) && (names.is_empty() || names.contains(&gate.name));
    run(GATES.iter().filter(chosen))
}

fn list() {
    for gate in GATES {
        let quick = if gate.quick { "quick" } else { "" };
        println!("{:<14}{quick:<7}{}", gate.name, gate.says);
    }
}

fn run<'a>(gates: impl Iterator<Item = &'a Gate>) -> Result<bool> {
    let (mut passed, mut failed) = (0, 0);
    for gate in gates {
        // The name comes first, so that one sees what takes its time.
        print!("{:<14}", gate.name);
        io::stdout().flush()?;
        let start = Instant::now();
        let told = (gate.run)();
        let seconds = start.elapsed().as_secs_f64();
        match told {
            Ok(Passed { figure, notes }) => {
                passed += 1;
                println!("{:<7}{seconds:>7.1} s  {figure}", "ok");
                for note in notes {
                    println!("    {note}");
                }
            }
            Err(error) => {
                failed += 1;
                println!("{:<7}{seconds:>7.1} s", "FAILED");
                println!(
                    "---- {} ----\n{error:#}\n---- end of {} ----",
                    gate.name, gate.name
                );
            }
        }
    }
    println!("\n{passed} passed, {failed} failed");
    Ok(failed == 0)
}

/// Fails with one line per finding, when there are any.
fn no_findings(findings: &[String]) -> Result<()> {
    if !findings.is_empty() {
        bail!("{}", findings.join("\n"));
    }
    Ok(())
}

/// What to do about data that is not there: CI fails, elsewhere the gate's line says so.
fn missing_data(variable: &str, unchecked: &str) -> Result<Option<String>> {
    if std::env::var_os(variable).is_some_and(|value| !value.is_empty()) {
        return Ok(None);
    }
    if std::env::var_os("CI").is_some_and(|value| value == "true" || value == "1") {
        bail!("{variable} is not set, so {unchecked} cannot be checked; in CI that fails");
    }
    Ok(Some(format!(
        "NOT CHECKED: {unchecked} ({variable} is not set)"
    )))
}
