//! The processes of this machine as `/proc` shows them.

use std::fs;
use std::io;
use std::path::Path;

/// Where the table is mounted on Linux; other systems have none.
pub(crate) const ROOT: &str = "/proc";

/// A process at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: i32,
    pub(crate) group: i32,
    /// In ticks since boot: with the id, it names this process and no later one.
    pub(crate) start: u64,
    state: u8,
}

impl Entry {
    /// Whether it still runs: one that only waits to be reaped does not.
    pub(crate) fn lives(&self) -> bool {
        !matches!(self.state, b'Z' | b'X' | b'x')
    }

    /// Whether this very process is still there and runs.
    pub(crate) fn still_lives(&self) -> bool {
        entry(self.id).is_some_and(|now| now.start == self.start && now.lives())
    }

    /// Its environment. Not known of a process of another user, and none of a dead one.
    pub(crate) fn environment(&self) -> Option<Vec<u8>> {
        read(self.id, "environ")
    }

    /// Whether it holds the user namespace of rootless podman, which every container of the user
    /// shares; it is started by whichever command comes first.
    pub(crate) fn is_shared_namespace(&self) -> bool {
        read(self.id, "comm").is_some_and(|name| {
            let name = name.trim_ascii_end();
            name == b"catatonit" || name.ends_with(b" pause")
        })
    }
}

/// All processes, looked at one by one. An error means that nobody knows.
pub(crate) fn entries() -> io::Result<impl Iterator<Item = Entry>> {
    let names = fs::read_dir(ROOT)?.map_while(Result::ok);
    let ids = names.filter_map(|found| found.file_name().to_str()?.parse().ok());
    // A process that ends meanwhile cannot be read, and is not there any more.
    Ok(ids.filter_map(entry))
}

/// The process with this id.
pub(crate) fn entry(id: i32) -> Option<Entry> {
    parse(id, &read(id, "stat")?)
}

/// This process.
pub(crate) fn own() -> Option<Entry> {
    entry(i32::try_from(std::process::id()).ok()?)
}

fn read(id: i32, file: &str) -> Option<Vec<u8>> {
    fs::read(Path::new(ROOT).join(id.to_string()).join(file)).ok()
}

/// Reads a line of `/proc/PID/stat`, which is `pid (any bytes) state parent group …`; the start
/// time is its 22nd field.
fn parse(id: i32, stat: &[u8]) -> Option<Entry> {
    let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let rest = std::str::from_utf8(&stat[after_name..]).ok()?;
    let mut fields = rest.split_ascii_whitespace();
    Some(Entry {
        id,
        state: fields.next()?.bytes().next()?,
        group: fields.nth(1)?.parse().ok()?,
        start: fields.nth(16)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_from_its_last_parenthesis() {
        let rest = "1 77 12 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 9 9";
        let line = |name: &str| format!("12 ({name}) Z {rest}").into_bytes();
        let expected = Entry {
            id: 12,
            group: 77,
            start: 4711,
            state: b'Z',
        };
        assert_eq!(parse(12, &line("sh")), Some(expected));
        assert_eq!(parse(12, &line("a) R 9 (b")), Some(expected));
        assert_eq!(parse(12, b"12 (sh)"), None);
        assert_eq!(parse(12, b""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_in_the_table() {
        let own = own().unwrap();
        assert!(own.still_lives());
        assert!(entries().unwrap().any(|entry| entry.id == own.id));
    }
}
