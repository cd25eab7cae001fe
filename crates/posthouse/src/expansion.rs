//! Where the values come from that a configuration file asks for: our variables, files, and commands.

use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use mcp_config::{COMMAND_TIMEOUT, Expander, MAX_VALUE_BYTES};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The time from one look at the stop sign to the next.
const LOOK: Duration = Duration::from_millis(20);

/// Gives the values. A command is the leader of a group of its own, and all of that is killed when it
/// takes too long, prints too much, or is stopped.
pub(crate) struct Expansion {
    variables: BTreeMap<String, String>,
    stop: StopSign,
    limit: Duration,
}

/// Stops the commands of an [`Expansion`] on another thread.
#[derive(Clone, Default)]
pub(crate) struct StopSign(Arc<AtomicBool>);

impl StopSign {
    /// What runs is killed, what comes is not started.
    pub(crate) fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_up(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Raises a [`StopSign`] when it is dropped: nobody waits for the values any more.
pub(crate) struct StopOnDrop(pub(crate) StopSign);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl Expansion {
    /// Values from these variables, until the sign is up.
    pub(crate) fn new(variables: BTreeMap<String, String>, stop: StopSign) -> Self {
        Expansion {
            variables,
            stop,
            limit: COMMAND_TIMEOUT,
        }
    }

    /// Waits for what the command prints and for its end.
    fn follow(&self, child: &mut Child, end: Instant) -> Result<(Vec<u8>, ExitStatus), String> {
        let printed = self.printed(child, end)?;
        if printed.len() > MAX_VALUE_BYTES {
            return Err(format!("printed more than {} KiB", MAX_VALUE_BYTES / 1024));
        }
        loop {
            let status = child.try_wait();
            let status = status.map_err(|error| format!("cannot be waited for: {error}"))?;
            if let Some(status) = status {
                return Ok((printed, status));
            }
            self.may_go_on(end)?;
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn printed(&self, child: &mut Child, end: Instant) -> Result<Vec<u8>, String> {
        let printed = child.stdout.take().map(read_aside);
        let Some(printed) = printed else {
            return Err("has no output".to_owned());
        };
        loop {
            match printed.recv_timeout(LOOK) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Timeout) => self.may_go_on(end)?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("has output that cannot be read".to_owned());
                }
            }
        }
    }

    fn may_go_on(&self, end: Instant) -> Result<(), String> {
        if self.stop.is_up() {
            return Err("was stopped".to_owned());
        }
        if Instant::now() >= end {
            return Err(format!("timed out after {}s", self.limit.as_secs()));
        }
        Ok(())
    }
}

impl Expander for Expansion {
    fn variable(&mut self, name: &str) -> Result<Option<String>, String> {
        Ok(self.variables.get(name).cloned())
    }

    fn command(&mut self, line: &str) -> Result<String, String> {
        let end = Instant::now() + self.limit;
        self.may_go_on(end)?;
        // What it complains of may hold what it was asked for.
        let child = Command::new("sh")
            .args(["-c", line])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        let mut child = child.map_err(|error| format!("cannot be started: {error}"))?;
        let (printed, status) = self.follow(&mut child, end).inspect_err(|_| {
            kill(&mut child);
        })?;
        if !status.success() {
            return Err(told(status));
        }
        String::from_utf8(printed).map_err(|_| "printed what is not UTF-8".to_owned())
    }
}

/// Reads all that is wanted of an output on a thread that ends with it.
fn read_aside(output: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let wanted = MAX_VALUE_BYTES as u64 + 1;
        if output.take(wanted).read_to_end(&mut bytes).is_ok() {
            // Nobody may wait for it any more.
            drop(sender.send(bytes));
        }
    });
    receiver
}

fn kill(child: &mut Child) {
    if let Ok(id) = i32::try_from(child.id()) {
        // Fails when all of the group have gone.
        killpg(Pid::from_raw(id), Signal::SIGKILL).ok();
    }
    drop(child.wait());
}

fn told(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expansion(limit: Duration) -> Expansion {
        Expansion {
            limit,
            ..Expansion::new(BTreeMap::new(), StopSign::default())
        }
    }

    /// The processes that have this word in their command line.
    fn alive(mark: &str) -> usize {
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        let lines = all.filter_map(|it| std::fs::read(it.path().join("cmdline")).ok());
        let has = |line: &Vec<u8>| String::from_utf8_lossy(line).contains(mark);
        lines.filter(has).count()
    }

    #[test]
    fn a_command_gives_what_it_prints_or_why_it_does_not_without_its_words() {
        let run = |line: &str| expansion(COMMAND_TIMEOUT).command(line);
        for (line, given) in [
            ("echo a b", Ok("a b\n")),
            ("cat; echo end", Ok("end\n")),
            (
                "echo secret; echo secret >&2; exit 3",
                Err("exited with code 3"),
            ),
            ("kill -9 $$", Err("was ended by signal 9")),
            ("no-such-program-at-all", Err("exited with code 127")),
            ("printf '\\377'", Err("printed what is not UTF-8")),
            ("head -c 65537 /dev/zero", Err("printed more than 64 KiB")),
            ("yes", Err("printed more than 64 KiB")),
        ] {
            let expected = given.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(run(line), expected, "{line}");
        }
        assert_eq!(run("head -c 65536 /dev/zero").map(|it| it.len()), Ok(65536));
    }

    #[test]
    fn a_command_that_takes_too_long_is_killed_with_what_it_started() {
        let mark = format!("{}.0421", 4000 + std::process::id());
        let line = format!("sleep {mark} & sleep {mark}");
        let run = expansion(Duration::from_millis(100)).command(&line);
        assert_eq!(run, Err("timed out after 0s".to_owned()));
        let quiet = format!("exec >&-; sleep {mark}");
        let run = expansion(Duration::from_millis(100)).command(&quiet);
        assert_eq!(run, Err("timed out after 0s".to_owned()));
        let end = Instant::now() + Duration::from_secs(5);
        while alive(&mark) > 0 && Instant::now() < end {
            thread::yield_now();
        }
        assert_eq!(alive(&mark), 0);
    }

    #[test]
    fn a_stop_ends_the_command_that_runs_and_starts_no_other() {
        let mark = format!("{}.0422", 4000 + std::process::id());
        let stop = StopSign::default();
        let mut expansion = Expansion::new(BTreeMap::new(), stop.clone());
        let raise = StopOnDrop(stop);
        let line = format!("sleep {mark}");
        let running = thread::spawn(move || [expansion.command(&line), expansion.command("echo")]);
        drop(raise);
        let stopped = Err("was stopped".to_owned());
        assert_eq!(running.join().unwrap(), [stopped.clone(), stopped]);
    }
}
