//! What may outlive us on this system, said plainly.

use std::fs;
use std::path::Path;

use crate::process_table::ROOT;
use crate::reaper::find_shell;

/// What a system offers to find and stop processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct System {
    has_shell: bool,
    shows_environments: bool,
    is_root: bool,
}

impl System {
    pub(crate) fn look(search_path: &str) -> Self {
        let own_environment = Path::new(ROOT).join("self/environ");
        Self {
            has_shell: find_shell(search_path).is_some(),
            shows_environments: fs::File::open(own_environment).is_ok(),
            is_root: nix::unistd::geteuid().is_root(),
        }
    }
}

/// The limits, gravest first.
pub(crate) fn sentences(system: &System) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut say = |sentence: &str| sentences.push(sentence.to_owned());
    if !system.has_shell {
        say(
            "There is no `sh`: after a crash or `kill -9` of posthouse, servers that ignore the \
             end of their input stay; install a POSIX shell as /bin/sh.",
        );
    }
    if system.shows_environments {
        say(
            "A descendant of a server that left its process group and also cleared or overwrote \
             its environment cannot be found and stays.",
        );
    } else {
        say(
            "There is no /proc that shows environments: descendants of a server that leave its \
             process group (setsid, daemons) stay, and after a crash so does a server that was \
             just being started.",
        );
    }
    if !system.is_root {
        say("What a server starts as another user (sudo, setuid programs) cannot be stopped.");
    }
    say(
        "Containers are removed where the command is `docker run`, `podman run` or `nerdctl run`; \
         those of `compose`, and processes of `exec`, are left to their owner.",
    );
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_that_a_system_lacks_is_a_sentence() {
        let all = System {
            has_shell: true,
            shows_environments: true,
            is_root: true,
        };
        let starts = |system: System| -> Vec<String> {
            let all = sentences(&system);
            all.iter()
                .map(|text| text.chars().take(12).collect())
                .collect()
        };
        assert_eq!(starts(all), ["A descendant", "Containers a"]);
        let none = System {
            has_shell: false,
            shows_environments: false,
            is_root: false,
        };
        assert_eq!(
            starts(none),
            [
                "There is no ",
                "There is no ",
                "What a serve",
                "Containers a"
            ]
        );
    }
}
