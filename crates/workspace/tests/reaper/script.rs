//! The script alone, in every shell that is named here: what it stops and what it leaves.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::held::exists;

const SCRIPT: &str = include_str!("../../src/reaper/script.sh");
const SHELLS: &[&str] = &["sh", "dash", "bash"];

/// A process that ends only by `KILL`, in a group of its own, perhaps with the nonce.
struct Victim(Child);

impl Victim {
    fn new(nonce: Option<&str>, leaves: bool) -> Self {
        use std::os::unix::process::CommandExt;
        let program = if leaves { "setsid" } else { "sh" };
        let args: &[&str] = if leaves { &["sh"] } else { &[] };
        let mut command = Command::new(program);
        command
            .args(args)
            .args(["-c", "trap '' TERM; echo; while :; do sleep 0.1; done"]);
        command.env_remove("POSTHOUSE_REAP");
        if let Some(nonce) = nonce {
            command.env("POSTHOUSE_REAP", format!("{nonce}-0"));
        }
        if !leaves {
            command.process_group(0);
        }
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut first = [0];
        let stdout = child.stdout.as_mut().unwrap();
        std::io::Read::read_exact(stdout, &mut first).unwrap();
        Self(child)
    }

    fn start_time(&self) -> String {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let rest = stat.rsplit(") ").next().unwrap();
        rest.split(' ').nth(19).unwrap().to_owned()
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let group = Pid::from_raw(-i32::try_from(self.0.id()).unwrap());
        let _ = kill(group, Signal::SIGKILL);
        self.0.wait().unwrap();
    }
}

/// Runs the script with these lines as all that its owner ever says.
fn run(shell: &str, nonce: &str, proc: &str, path: &str, lines: &str) -> Duration {
    let begun = Instant::now();
    let mut script = Command::new(shell)
        .args(["-c", SCRIPT, "reaper", nonce, proc])
        .env_clear()
        .env("PATH", path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    script
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    assert!(script.wait().unwrap().code().is_some());
    begun.elapsed()
}

#[test]
fn what_carries_the_nonce_is_stopped_and_nothing_else() {
    std::thread::scope(|scope| {
        for (index, shell) in SHELLS.iter().enumerate() {
            scope.spawn(move || {
                let nonce = format!("{index:08x}{:024x}", std::process::id());
                let registered = Victim::new(Some(&nonce), false);
                let unregistered = Victim::new(Some(&nonce), false);
                let stray = Victim::new(Some(&nonce), true);
                let cleared = Victim::new(None, false);
                // Its group was registered, but by an earlier process of that number.
                let reused = Victim::new(None, false);
                let forgotten = Victim::new(None, false);
                let foreign = Victim::new(Some("0123"), true);
                let lines = format!(
                    "add {}:1\nadd {}:{}\nadd {}:1\nadd {}:{}\ndel {}:{}\nadd 12",
                    registered.0.id(),
                    cleared.0.id(),
                    cleared.start_time(),
                    reused.0.id(),
                    forgotten.0.id(),
                    forgotten.start_time(),
                    forgotten.0.id(),
                    forgotten.start_time(),
                );
                run(shell, &nonce, "/proc", "/usr/bin:/bin", &lines);
                for gone in [&registered, &unregistered, &stray, &cleared] {
                    assert!(!exists(gone.0.id()), "{shell}");
                }
                for kept in [&reused, &forgotten, &foreign] {
                    assert!(exists(kept.0.id()), "{shell}");
                }
            });
        }
    });
}

#[test]
fn without_proc_the_groups_are_stopped() {
    let group = Victim::new(None, false);
    let other = Victim::new(None, false);
    let lines = format!("add {}:0\n", group.0.id());
    run("sh", "ffff", "/nowhere", "/usr/bin:/bin", &lines);
    assert!(!exists(group.0.id()));
    assert!(exists(other.0.id()));
}

#[test]
fn without_any_other_program_what_carries_the_nonce_is_stopped() {
    std::thread::scope(|scope| {
        for (index, shell) in SHELLS.iter().enumerate() {
            scope.spawn(move || {
                let nonce = format!("a{index:07x}{:024x}", std::process::id());
                let stray = Victim::new(Some(&nonce), true);
                let other = Victim::new(None, true);
                let shell = format!("/bin/{shell}");
                run(&shell, &nonce, "/proc", "/nowhere", "");
                assert!(!exists(stray.0.id()), "{shell}");
                assert!(exists(other.0.id()), "{shell}");
            });
        }
    });
}

#[test]
fn a_goodbye_ends_it_at_once() {
    let victim = Victim::new(Some("beef"), false);
    let lines = format!("add {}:{}\nbye\n", victim.0.id(), victim.start_time());
    let took = run("sh", "beef", "/proc", "/usr/bin:/bin", &lines);
    assert!(exists(victim.0.id()));
    assert!(took < Duration::from_secs(2), "{took:?}");
}
