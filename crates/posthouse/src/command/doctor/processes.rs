//! What earlier runs have left: sockets that nobody listens to, owners without a front, servers without
//! an owner.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Line;
use crate::environment::Environment;

const AREA: &str = "processes";
/// Every local server and what it starts has this in its environment: `NONCE-NUMBER`, where a nonce is
/// one run of its owner.
const MARK: &[u8] = b"POSTHOUSE_REAP=";

/// How long what is on its way to its end may take.
const ENDING: Duration = Duration::from_secs(6);
const LOOK: Duration = Duration::from_millis(100);

/// Something that was left, and what tells it from others.
struct Left {
    key: String,
    line: Line,
}

pub(super) async fn lines(environment: &Environment) -> Vec<Line> {
    let folder = environment.runtime_folder();
    let mut lines = stale_sockets(&folder);
    lines.extend(staying(|| ending(&folder, &processes())).await);
    if lines.is_empty() {
        lines.push(Line::ok(AREA, "none of an earlier run is left"));
    }
    lines
}

/// What is still there after it has had its time to end.
async fn staying(look: impl Fn() -> Vec<Left>) -> Vec<Line> {
    let deadline = Instant::now() + ENDING;
    let mut left = look();
    while !left.is_empty() && Instant::now() < deadline {
        sleep(LOOK).await;
        let before: BTreeSet<_> = left.into_iter().map(|it| it.key).collect();
        left = look();
        left.retain(|it| before.contains(&it.key));
    }
    left.into_iter().map(|it| it.line).collect()
}

/// What ends by itself if all is well.
fn ending(folder: &Path, processes: &[Process]) -> Vec<Left> {
    let mut left = lost_fronts(folder, processes);
    left.extend(orphans(processes));
    left
}

fn sockets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "sock")
    });
    paths.sort();
    paths
}

/// Looked up, not connected to: a connection that says nothing would end an owner that waits for its
/// front.
fn stale_sockets(folder: &Path) -> Vec<Line> {
    let mut paths = sockets(folder);
    // Read after the folder, as a socket is there before it is listened at.
    let table = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let open: BTreeSet<_> = table
        .lines()
        .filter_map(|line| Some(Path::new(&line[line.find('/')?..])))
        .collect();
    paths.retain(|path| !open.contains(path.as_path()) && path.exists());
    let lines = paths.iter().map(|path| {
        let shown = path.display();
        Line::finding(
            AREA,
            format!("nobody listens at {shown}: its owner was killed"),
            format!("remove it: rm '{shown}'"),
        )
    });
    lines.collect()
}

/// Owners whose front has gone. A socket is named for its front.
fn lost_fronts(folder: &Path, processes: &[Process]) -> Vec<Left> {
    let mut left = Vec::new();
    for path in sockets(folder) {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let Some(front) = stem.and_then(|stem| stem.parse::<u32>().ok()) else {
            continue;
        };
        let shown = path.display().to_string();
        let owner = processes.iter().find(|it| it.command.contains(&shown));
        if let Some(owner) = owner.filter(|_| processes.iter().all(|it| it.id != front)) {
            let id = owner.id;
            left.push(Left {
                line: Line::finding(
                    AREA,
                    format!("the owner {id} that listens at {shown} has lost its front"),
                    format!("stop it: kill {id}"),
                ),
                key: shown,
            });
        }
    }
    left
}

/// Servers whose owner has gone.
fn orphans(processes: &[Process]) -> Vec<Left> {
    let by_id: BTreeMap<u32, &Process> = processes.iter().map(|it| (it.id, it)).collect();
    let mut runs: BTreeMap<&str, Vec<&Process>> = BTreeMap::new();
    for process in processes {
        if let Some(run) = &process.run {
            runs.entry(run).or_default().push(process);
        }
    }
    let mut left = Vec::new();
    for (run, members) in runs {
        // An owner has children; those of a dead one belong to init.
        let has_owner = members.iter().any(|member| {
            let parent = by_id.get(&member.parent);
            parent.is_some_and(|it| it.run != member.run && !it.is_init())
        });
        if has_owner {
            continue;
        }
        let names = members.iter().map(|it| format!("{} ({})", it.name, it.id));
        let names: Vec<_> = names.collect();
        let ids: Vec<_> = members.iter().map(|it| it.id.to_string()).collect();
        left.push(Left {
            key: run.to_owned(),
            line: Line::finding(
                AREA,
                format!("left by an owner that has gone: {}", names.join(", ")),
                format!("stop them: kill {}", ids.join(" ")),
            ),
        });
    }
    left
}

/// What is known of a process.
#[derive(Debug)]
struct Process {
    id: u32,
    parent: u32,
    name: String,
    /// Its command line, in one piece.
    command: String,
    /// The run of an owner that it belongs to.
    run: Option<String>,
}

impl Process {
    fn is_init(&self) -> bool {
        self.id == 1 || self.name == "systemd"
    }

    fn read(folder: &Path) -> Option<Self> {
        let id = folder.file_name()?.to_str()?.parse().ok()?;
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        // The name is in brackets and may hold some itself.
        let (before, after) = stat.rsplit_once(") ")?;
        let (_, name) = before.split_once(" (")?;
        let mut fields = after.split(' ');
        if fields.next() == Some("Z") {
            return None;
        }
        let parent = fields.next()?.parse().ok()?;
        // Those of other users cannot be read.
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        let command = fs::read(folder.join("cmdline")).unwrap_or_default();
        Some(Process {
            command: String::from_utf8_lossy(&command).replace('\0', " "),
            id,
            parent,
            name: name.to_owned(),
            run: run_in(&environment),
        })
    }
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| Process::read(&entry.path()))
        .collect()
}

fn run_in(environment: &[u8]) -> Option<String> {
    let mut variables = environment.split(|byte| *byte == 0);
    let value = variables.find_map(|variable| variable.strip_prefix(MARK))?;
    let (run, _) = std::str::from_utf8(value).ok()?.rsplit_once('-')?;
    Some(run.to_owned())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::os::unix::net::UnixListener;

    use super::*;

    fn process(id: u32, parent: u32, name: &str, run: Option<&str>) -> Process {
        Process {
            id,
            parent,
            name: name.to_owned(),
            command: String::new(),
            run: run.map(str::to_owned),
        }
    }

    #[test]
    fn servers_without_an_owner_are_found_and_others_are_not() {
        let found = orphans(&[
            process(1, 0, "init", None),
            process(10, 1, "posthouse", None),
            // A living owner's server, and what has left it.
            process(11, 10, "server", Some("a")),
            process(12, 1, "detached", Some("a")),
            // A dead owner's.
            process(21, 1, "server", Some("b")),
            process(22, 21, "helper", Some("b")),
            process(30, 1, "other", None),
        ]);
        let shown: Vec<_> = found.iter().map(|it| it.line.shown()).collect();
        assert_eq!(
            shown,
            [
                "finding: processes: left by an owner that has gone: server (21), helper (22); stop them: kill 21 22"
            ]
        );
    }

    #[test]
    fn a_mark_is_read_from_an_environment() {
        assert_eq!(
            run_in(b"A=b\0POSTHOUSE_REAP=00ff-12\0C="),
            Some("00ff".to_owned())
        );
        assert_eq!(run_in(b"A=POSTHOUSE_REAP=00ff-12"), None);
    }

    #[test]
    fn a_socket_that_nobody_listens_at_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let open = folder.path().join("4000000000.sock");
        let _listener = UnixListener::bind(&open).unwrap();
        drop(UnixListener::bind(folder.path().join("1.sock")).unwrap());
        fs::write(folder.path().join("else"), "").unwrap();
        let found = stale_sockets(folder.path());
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].text.contains("/1.sock"), "{found:?}");

        let mut owner = process(7, 1, "posthouse", None);
        owner.command = format!("posthouse owner --socket {}", open.display());
        let lost = lost_fronts(folder.path(), &[owner]);
        assert_eq!(lost.len(), 1);
        assert!(lost[0].line.shown().ends_with("; stop it: kill 7"));
        let lost = lost_fronts(folder.path(), &[process(4_000_000_000, 1, "front", None)]);
        assert!(lost.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn what_ends_in_time_is_no_finding() {
        let looks = Cell::new(0);
        let left = |key: &str| Left {
            key: key.to_owned(),
            line: Line::ok(AREA, key),
        };
        let staying = staying(|| {
            looks.set(looks.get() + 1);
            let mut all = vec![left("stays")];
            match looks.get() {
                1..5 => all.push(left("ends")),
                // What comes later is another matter.
                _ => all.push(left("new")),
            }
            all
        });
        assert_eq!(staying.await, [Line::ok(AREA, "stays")]);
    }
}
