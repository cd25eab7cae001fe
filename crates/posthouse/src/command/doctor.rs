//! `posthouse doctor`: what is wrong here, each finding in one line with its remedy.

mod processes;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use mcp_definitions::{ExecutorName, ServerKind};
use serde::Serialize;
use serde_json::json;
use workspace::{Local, LocalOptions};

use crate::cli::Cli;
use crate::environment::Environment;
use crate::exit::Exit;
use crate::outcome::{Failure, Outcome};
use crate::setup::Setup;

/// How much a line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    /// As it should be.
    Ok,
    /// A limit of this system that nobody need mend.
    Note,
    /// To be mended.
    Finding,
}

/// One line.
#[derive(Debug, PartialEq, Serialize)]
struct Line {
    level: Level,
    area: &'static str,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Line {
    fn ok(area: &'static str, text: impl Into<String>) -> Self {
        Line {
            level: Level::Ok,
            area,
            text: text.into(),
            remedy: None,
        }
    }

    fn note(area: &'static str, text: impl Into<String>) -> Self {
        Line {
            level: Level::Note,
            ..Line::ok(area, text)
        }
    }

    fn finding(area: &'static str, text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Line {
            level: Level::Finding,
            remedy: Some(remedy.into()),
            ..Line::ok(area, text)
        }
    }

    fn shown(&self) -> String {
        let level = match self.level {
            Level::Ok => "ok",
            Level::Note => "note",
            Level::Finding => "finding",
        };
        let remedy = self.remedy.iter().map(|remedy| format!("; {remedy}"));
        let line = format!(
            "{level}: {}: {}{}",
            self.area,
            self.text,
            remedy.collect::<String>()
        );
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Looks at everything; nothing is started and nothing is changed.
pub(super) async fn run(cli: &Cli, environment: &Environment) -> Result<Exit, Failure> {
    let mut signals = super::listen()?;
    let config = cli.global.config.as_deref();
    let setup = match Setup::of_files(config, environment, signals.stop()).await {
        Ok(Some(setup)) => Ok(setup),
        Ok(None) => return Ok(Exit::Interrupted),
        Err(failure) => Err(failure),
    };
    let outcome = told(setup, environment).await;
    super::print(&outcome, cli.global.json);
    Ok(outcome.exit)
}

async fn told(setup: Result<Setup, Failure>, environment: &Environment) -> Outcome {
    let mut lines = vec![Line::ok(
        "versions",
        format!(
            "posthouse {}, MCP {}",
            env!("CARGO_PKG_VERSION"),
            revisions().join(", ")
        ),
    )];
    match setup {
        Ok(setup) => {
            lines.extend(configuration(&setup));
            lines.extend(programs(&setup, environment));
        }
        Err(failure) => lines.push(Line {
            level: Level::Finding,
            ..Line::ok("configuration", failure.message)
        }),
    }
    lines.extend(executors(environment));
    lines.extend(processes::lines(environment).await);
    let findings = lines.iter().filter(|line| line.level == Level::Finding);
    let findings = findings.count();
    let summary = match findings {
        0 => "nothing wrong".to_owned(),
        1 => "1 finding".to_owned(),
        _ => format!("{findings} findings"),
    };
    let mut text: Vec<_> = lines.iter().map(Line::shown).collect();
    text.push(summary);
    Outcome {
        exit: match findings {
            0 => Exit::Done,
            _ => Exit::ToolError,
        },
        ..Outcome::done(
            text.join("\n"),
            &json!({ "lines": lines, "findings": findings }),
        )
    }
}

fn revisions() -> Vec<&'static str> {
    mcp_proto::Revision::ALL
        .iter()
        .map(|revision| revision.as_str())
        .collect()
}

fn configuration(setup: &Setup) -> Vec<Line> {
    let area = "configuration";
    let path = setup.path.display();
    let count = setup.servers.len();
    let mut lines = vec![Line::ok(
        area,
        format!(
            "{path}: {count} {}",
            if count == 1 { "server" } else { "servers" }
        ),
    )];
    // Each names its place, its cause and its remedy.
    lines.extend(setup.notices().into_iter().map(|notice| Line {
        level: Level::Finding,
        ..Line::ok(area, notice)
    }));
    lines
}

/// Whether the command of each server that runs here can be started.
fn programs(setup: &Setup, environment: &Environment) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut found = 0;
    for definition in setup.servers.iter().filter(|it| it.enabled) {
        let ServerKind::Stdio(command) = &definition.server else {
            continue;
        };
        let executors = &definition.executor_ids;
        if !executors.is_empty() && !executors.iter().any(ExecutorName::is_local) {
            continue;
        }
        let folder = command.cwd.as_ref().map(PathBuf::from);
        let folder = folder.or_else(|| environment.cwd.clone());
        let own_path = command.env.get("PATH").map(String::as_str);
        let search_path = own_path.unwrap_or(environment.search_path());
        if is_found(&command.command, folder.as_deref(), search_path) {
            found += 1;
        } else {
            let (name, program) = (&definition.id, &command.command);
            lines.push(Line::finding(
                "programs",
                format!("{name}: {program:?} is not found, or cannot be run"),
                "install it, or write its whole path as the `command`",
            ));
        }
    }
    let ok = Line::ok(
        "programs",
        format!("{found} of the servers' commands found"),
    );
    lines.insert(0, ok);
    lines
}

fn is_found(program: &str, folder: Option<&Path>, search_path: &str) -> bool {
    let is_program = |path: &Path| {
        let there = fs::metadata(path);
        there.is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    };
    if program.contains('/') {
        return is_program(&folder.unwrap_or(Path::new("")).join(program));
    }
    std::env::split_paths(search_path).any(|folder| is_program(&folder.join(program)))
}

fn executors(environment: &Environment) -> Vec<Line> {
    let local = Local::new(LocalOptions {
        search_path: environment.search_path().to_owned(),
        ..LocalOptions::default()
    });
    let mut lines = vec![Line::ok("executors", "local: this machine")];
    let limits = local.coverage().into_iter();
    lines.extend(limits.map(|limit| Line::note("executors", format!("local: {limit}"))));
    lines
}
