//! A hundred files as nine hosts' users write them, and what comes of each, to the letter.
//!
//! Every file in `tests/hosts/` is one host's: `## what it is`, the text, `=>`, and what comes of
//! it. `UPDATE=1 cargo test -p mcp-config --test hosts` writes the last part anew.

#![expect(clippy::unwrap_used, reason = "a test that is its own crate")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mcp_config::{Configuration, Context, Layers, TrustStore, Variables};
use mcp_definitions::{HashKey, ServerDefinition, ServerKind};

/// One file and what comes of it.
struct Case {
    title: String,
    text: String,
    expected: String,
}

fn cases(whole: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for section in format!("\n{whole}").split("\n## ").skip(1) {
        let (title, rest) = section.split_once('\n').unwrap();
        let (text, expected) = match rest.split_once("\n=>\n") {
            Some((text, expected)) => (text, expected),
            None => (rest, ""),
        };
        cases.push(Case {
            title: title.to_owned(),
            text: text.to_owned(),
            expected: expected.trim_end().to_owned(),
        });
    }
    cases
}

/// The servers, what is held, warned of, or why the file is refused; a line each.
fn outcome(text: &str) -> String {
    let cx = Context::of_file(Path::new("/conf/mcp.json"), Some(Path::new("/home/me")));
    let trust = TrustStore::new(HashKey::new([0; 32]));
    let layers = Layers::new().user_text(text, cx);
    let configuration = match Configuration::read(&layers, &trust) {
        Ok(configuration) => configuration,
        Err(error) => return format!("refused: failed to {error}"),
    };
    let variables = BTreeMap::from(
        [
            ("HOME", "/home/me"),
            ("PWD", "/home/me/src"),
            ("GITHUB_TOKEN", "ghp-from-outside"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    let loaded = configuration.expand_all(&mut Variables(variables));
    let mut lines: Vec<String> = loaded.servers.iter().map(line).collect();
    lines.extend(loaded.held.iter().map(|held| format!("held: {held}")));
    let warned = loaded.warnings.iter();
    lines.extend(warned.map(|warning| format!("warned: {warning}")));
    if lines.is_empty() {
        lines.push("no servers".to_owned());
    }
    lines.join("\n")
}

fn line(server: &ServerDefinition) -> String {
    let pairs = |map: &BTreeMap<String, String>| -> String {
        map.iter()
            .map(|(name, value)| format!(" {name}={value}"))
            .collect()
    };
    let mut line = format!("loads {}: ", server.id);
    match &server.server {
        ServerKind::Stdio(command) => {
            line += &command.command;
            for argument in &command.args {
                line += &format!(" [{argument}]");
            }
            line += &pairs(&command.env);
            if let Some(cwd) = &command.cwd {
                line += &format!(" in {cwd}");
            }
        }
        ServerKind::Http(http) | ServerKind::Sse(http) => {
            line += &format!("{} {}", server.server.as_str(), http.url);
            line += &pairs(&http.headers);
        }
    }
    for (word, there) in [
        (" (disabled)", !server.enabled),
        (" (required)", server.required),
    ] {
        line += if there { word } else { "" };
    }
    line
}

#[test]
fn a_hundred_files_of_hosts_are_accepted_held_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts");
    let update = std::env::var_os("UPDATE").is_some();
    let mut count = 0;
    let mut wrong = String::new();
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut whole = String::new();
        for case in cases(&fs::read_to_string(&path).unwrap()) {
            count += 1;
            let outcome = outcome(&case.text);
            if outcome != case.expected {
                wrong += &format!(
                    "\n{name}, {}:\nexpected\n{}\nbut\n{outcome}\n",
                    case.title, case.expected
                );
            }
            assert!(
                !outcome.contains("0123456789\""),
                "{name}, {}: {outcome}",
                case.title
            );
            whole += &format!(
                "## {}\n{}\n=>\n{outcome}\n",
                case.title,
                case.text.trim_end_matches('\n')
            );
        }
        if update {
            fs::write(&path, whole).unwrap();
        }
    }
    assert!(update || wrong.is_empty(), "{wrong}");
    assert!(count >= 100, "{count} files");
}
