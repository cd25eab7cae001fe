//! `posthouse logs`: what a server, or posthouse itself, has written.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::cli::{Cli, LogsArgs};
use crate::environment::Environment;
use crate::exit::Exit;
use crate::logs::{OWN, rotated_file};
use crate::outcome::Failure;
use crate::{server_logs, terminal};

/// From one look at a file that is followed to the next.
const LOOK: Duration = Duration::from_millis(200);

pub(super) async fn run(
    cli: &Cli,
    args: &LogsArgs,
    environment: &Environment,
) -> Result<Exit, Failure> {
    let folder = environment.logs_folder().ok_or_else(|| {
        Failure::usage("there is no home folder to find logs in; set HOME or XDG_STATE_HOME")
    })?;
    let path = match &args.server {
        Some(server) => folder.join(server_logs::file(server)),
        None => folder.join(OWN),
    };
    if !path.exists() && !args.follow {
        return Err(Failure::usage(nothing(
            args.server.as_deref(),
            &path,
            &folder,
        )));
    }
    let mut signals = super::listen()?;
    let cannot = |error: io::Error| {
        let path = path.display();
        Failure::unavailable(format!("cannot read the log {path}: {error}"))
    };
    // Opened first: what comes while the older files are read is not missed.
    let mut followed = Followed::open(&path).map_err(cannot)?;
    let mut text = String::new();
    for older in &rotated_file::files(&path)[..rotated_file::FILES - 1] {
        text.push_str(&String::from_utf8_lossy(
            &fs::read(older).unwrap_or_default(),
        ));
    }
    text.push_str(&followed.more().map_err(cannot)?);
    let lines: Vec<_> = text.lines().map(shown).collect();
    let last = &lines[lines.len().saturating_sub(args.lines)..];
    if cli.global.json && !args.follow {
        terminal::print(&json!({ "file": path, "lines": last }).to_string());
        return Ok(Exit::Done);
    }
    let mut wanted = tell(last, cli);
    while args.follow && wanted {
        tokio::select! {
            () = signals.stop() => return Ok(Exit::Interrupted),
            () = sleep(LOOK) => {}
        }
        let text = followed.more().map_err(cannot)?;
        wanted = tell(&text.lines().map(shown).collect::<Vec<_>>(), cli);
    }
    Ok(Exit::Done)
}

/// Prints lines; whether anybody still reads them.
fn tell(lines: &[String], cli: &Cli) -> bool {
    let as_json = |line: &String| json!(line).to_string();
    let lines: Vec<_> = match cli.global.json {
        true => lines.iter().map(as_json).collect(),
        false => lines.to_vec(),
    };
    lines.is_empty() || terminal::write(&lines.join("\n")).is_ok()
}

/// A line for a terminal: what would move the cursor or change colours is left out.
fn shown(line: &str) -> String {
    let mut shown = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        if c == '\u{1b}' && rest.next_if_eq(&'[').is_some() {
            // A colour or the like: it goes on to its first letter.
            while rest.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
        } else if !c.is_control() || c == '\t' {
            shown.push(c);
        }
    }
    shown
}

fn nothing(server: Option<&str>, path: &Path, folder: &Path) -> String {
    let Some(server) = server else {
        return format!(
            "there is no log at {} yet; it begins with the next `posthouse serve` or `status`",
            path.display()
        );
    };
    let entries = fs::read_dir(folder.join(server_logs::FOLDER));
    let names = entries.into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some(name.strip_suffix(".log")?.to_owned())
    });
    let mut names: Vec<_> = names.collect();
    names.sort();
    let there = match names.is_empty() {
        true => "no server has written any".to_owned(),
        false => format!("there are those of {}", names.join(", ")),
    };
    format!(
        "there is no log of a server {server:?} at {}; {there}. A log begins when its server writes to standard error",
        path.display()
    )
}

/// A file that is read on as it grows, and its successor after it has been moved away.
struct Followed {
    path: PathBuf,
    file: Option<File>,
    /// The beginning of a line whose end has not been written.
    partial: Vec<u8>,
}

impl Followed {
    fn open(path: &Path) -> io::Result<Self> {
        let mut followed = Followed {
            path: path.to_owned(),
            file: None,
            partial: Vec::new(),
        };
        followed.reopen()?;
        Ok(followed)
    }

    fn reopen(&mut self) -> io::Result<()> {
        match File::open(&self.path) {
            Ok(file) => self.file = Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The whole lines that have come since.
    fn more(&mut self) -> io::Result<String> {
        self.read()?;
        let there = fs::metadata(&self.path).map(|it| it.ino()).ok();
        let ours = self.file.as_ref().and_then(|file| file.metadata().ok());
        if there.is_some() && ours.map(|it| it.ino()) != there {
            // Once more: it may have been written to until it was moved.
            self.read()?;
            self.reopen()?;
            self.read()?;
        }
        let end = self.partial.iter().rposition(|byte| *byte == b'\n');
        let whole: Vec<_> = self.partial.drain(..end.map_or(0, |end| end + 1)).collect();
        Ok(String::from_utf8_lossy(&whole).into_owned())
    }

    fn read(&mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.read_to_end(&mut self.partial)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_followed_through_its_successor_in_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut followed = Followed::open(&path).unwrap();
        assert_eq!(followed.more().unwrap(), "");
        fs::write(&path, "one\ntw").unwrap();
        assert_eq!(followed.more().unwrap(), "one\n");
        fs::write(&path, "one\ntwo\n").unwrap();
        assert_eq!(followed.more().unwrap(), "two\n");
        fs::rename(&path, folder.path().join("a.log.1")).unwrap();
        fs::write(&path, "three\n").unwrap();
        assert_eq!(followed.more().unwrap(), "three\n");
    }

    #[test]
    fn colours_and_control_characters_are_left_out() {
        assert_eq!(shown("a\u{1b}[1;31mred\u{1b}[0m\tb\u{7}"), "ared\tb");
    }
}
