//! Processes of the same user that have nothing to do with us and look as if they had.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tests::process_table::Process;
use tests::until::{LIMIT, until};
use tests::world::Programs;

/// Dropping them ends them.
pub(super) struct Bystanders {
    leaders: Vec<Child>,
    all: Vec<Process>,
}

impl Bystanders {
    /// Starts a server as we start them, one with the nonce of another owner, and one that looks like
    /// an owner.
    pub(super) fn start(programs: Programs) -> Bystanders {
        let nonce = "00112233445566778899aabbccddeeff";
        let mut server = Command::new(programs.fake);
        server.arg("stubborn");
        let mut of_another = Command::new("sleep");
        of_another
            .arg("600")
            .env("POSTHOUSE_REAP", format!("{nonce}-0"));
        let mut lookalike = Command::new("sh");
        lookalike.args([
            "-c",
            "sleep 600; exit",
            "posthouse",
            "owner",
            "--socket",
            "x",
        ]);
        let leaders = [server, of_another, lookalike].map(|mut command| {
            let command = command.process_group(0).stdin(Stdio::piped());
            command.stdout(Stdio::null()).spawn().unwrap()
        });
        let groups = leaders.each_ref().map(|it| it.id().cast_signed());
        let all = until("the bystanders", LIMIT, || {
            let mut all = Process::all();
            all.retain(|process| groups.contains(&process.group));
            // The stubborn one has a child, the lookalike too.
            let settled = all.iter().filter(|it| it.name == "sleep").count() == 3;
            settled.then_some(all)
        });
        Bystanders {
            leaders: leaders.into(),
            all,
        }
    }

    /// Those who have gone.
    pub(super) fn touched(&self) -> Vec<String> {
        let gone = |it: &&Process| !it.now().is_some_and(|now| now.lives());
        self.all
            .iter()
            .filter(gone)
            .map(|it| format!("{it:?}"))
            .collect()
    }
}

impl Drop for Bystanders {
    fn drop(&mut self) {
        for leader in &mut self.leaders {
            // Not waited for until now, so that the group is theirs.
            killpg(Pid::from_raw(leader.id().cast_signed()), Signal::SIGKILL).ok();
            leader.wait().ok();
        }
    }
}
