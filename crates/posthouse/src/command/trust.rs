//! `posthouse trust`: what a project's file would do, and the user's leave for it.

use std::io::{BufRead, IsTerminal, stdin};
use std::path::Path;

use mcp_config::Untrusted;
use serde_json::{Value, json};

use crate::cli::{Global, TrustArgs};
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::sources::Sources;
use crate::terminal;
use crate::trust_file::TrustFile;

pub(super) fn run(
    args: &TrustArgs,
    global: &Global,
    environment: &Environment,
) -> Result<Outcome, Failure> {
    let sources = Sources::find(global.config.as_deref(), environment);
    let found = sources.ok().and_then(|it| Some((it.project.clone()?, it)));
    let Some((project, sources)) = found else {
        let folder = environment.cwd.as_deref().unwrap_or(Path::new("."));
        return Err(Failure::usage(format!(
            "there is no .mcp.json in {}; run this in the project's folder",
            folder.display()
        )));
    };
    if args.revoke {
        return revoke(args, &project, environment);
    }
    let (configuration, mut trust) = sources.read(environment)?;
    if let Some(error) = &configuration.broken_project {
        return Err(Failure::usage(format!("failed to {error}")));
    }
    if let Some(problem) = &trust.problem {
        terminal::remark(problem);
    }
    let wanted = wanted(args, &configuration.untrusted)?;
    let mut trusted: Vec<&Untrusted> = Vec::new();
    if args.yes {
        trusted.extend(wanted.iter().copied());
        trusted.iter().for_each(|entry| trust.store.trust(entry));
    } else if !global.json {
        trusted = ask(&wanted, &mut trust)?;
    }
    if !trusted.is_empty() {
        trust.write()?;
    }
    let left = wanted.iter().filter(|entry| !trusted.contains(entry));
    let data = json!({
        "file": project,
        "trusted": trusted.iter().map(|entry| data(entry)).collect::<Vec<_>>(),
        "untrusted": left.map(|entry| data(entry)).collect::<Vec<_>>(),
    });
    let mut lines = Vec::new();
    if args.yes {
        lines.extend(trusted.iter().map(|entry| told(entry)));
    }
    let names: Vec<_> = trusted.iter().map(|entry| entry.name.as_str()).collect();
    lines.push(match (wanted.is_empty(), names.is_empty()) {
        (true, _) => format!("{}: no server waits for trust", project.display()),
        (false, true) => "nothing is trusted that was not before".to_owned(),
        (false, false) => format!(
            "trusted: {}; hosts that are connected get them after a reload",
            names.join(", ")
        ),
    });
    Ok(Outcome::done(lines.join("\n"), &data))
}

fn revoke(args: &TrustArgs, project: &Path, environment: &Environment) -> Result<Outcome, Failure> {
    let mut trust = TrustFile::read(environment)?;
    let revoked = match args.servers.is_empty() {
        true => trust.store.revoke(project, None),
        false => {
            let names = args.servers.iter();
            names
                .map(|name| trust.store.revoke(project, Some(name)))
                .sum()
        }
    };
    if revoked > 0 {
        trust.write()?;
    }
    let servers = match revoked {
        1 => "1 server is".to_owned(),
        more => format!("{more} servers are"),
    };
    let text = format!(
        "{}: {servers} trusted no more; hosts that are connected lose them after a reload",
        project.display()
    );
    Ok(Outcome::done(
        text,
        &json!({ "file": project, "revoked": revoked }),
    ))
}

/// Those that the options name, or all.
fn wanted<'a>(args: &TrustArgs, untrusted: &'a [Untrusted]) -> Result<Vec<&'a Untrusted>, Failure> {
    let names: Vec<_> = untrusted.iter().map(|entry| entry.name.as_str()).collect();
    let unknown = args
        .servers
        .iter()
        .find(|name| !names.contains(&name.as_str()));
    if let Some(unknown) = unknown {
        let there = match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        };
        return Err(Failure::usage(format!(
            "no server {unknown:?} of this folder waits for trust; there are: {there}"
        )));
    }
    let named = |entry: &&Untrusted| args.servers.is_empty() || args.servers.contains(&entry.name);
    Ok(untrusted.iter().filter(named).collect())
}

/// Shows each and asks for it.
fn ask<'a>(wanted: &[&'a Untrusted], trust: &mut TrustFile) -> Result<Vec<&'a Untrusted>, Failure> {
    let mut trusted = Vec::new();
    let asks = stdin().is_terminal();
    for &entry in wanted {
        // Nothing is struck out: an entry could have what another one does hidden as its secret.
        terminal::print(&told(entry));
        if asks {
            terminal::remark("Trust it as it is now? [y/N]");
            if is_yes(&mut stdin().lock()) {
                trust.store.trust(entry);
                trusted.push(entry);
            }
        }
    }
    if !asks && !wanted.is_empty() {
        return Err(Failure::usage(
            "nothing is trusted: there is no terminal to ask on; when all of the above may run, use posthouse trust --yes",
        ));
    }
    Ok(trusted)
}

fn is_yes(input: &mut impl BufRead) -> bool {
    let mut answer = String::new();
    // No answer is no.
    let read = input.read_line(&mut answer).is_ok();
    read && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

fn told(entry: &Untrusted) -> String {
    let place = format!("{}:{}", entry.path.display(), entry.line);
    let mut lines = vec![format!("{} ({place})", entry.name)];
    lines.extend(entry.brings().iter().map(|line| format!("  {line}")));
    if entry.changes_yours {
        lines.push("  It changes your own server of this name.".to_owned());
    }
    if let Some(held) = &entry.problem {
        lines.push(format!(
            "  It would be held: {}; {}",
            held.reason, held.remedy
        ));
    }
    lines.join("\n")
}

fn data(entry: &Untrusted) -> Value {
    json!({
        "name": entry.name,
        "line": entry.line,
        "brings": entry.brings(),
        "changesYours": entry.changes_yours,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_a_yes() {
        for (answer, expected) in [
            ("y\n", true),
            ("Yes\r\n", true),
            ("", false),
            ("\n", false),
            ("yeah\n", false),
            ("n\ny\n", false),
        ] {
            assert_eq!(is_yes(&mut answer.as_bytes()), expected, "{answer:?}");
        }
    }
}
