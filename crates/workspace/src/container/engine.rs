//! Speaking with a container engine through the program that started the container.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use super::{LABEL, Owner};

/// How long the engine may take to remove what a stopped server left.
const REMOVE_WAIT: Duration = Duration::from_secs(3);
/// How long the engine may take to remove what dead owners left; nobody waits for that.
const SWEEP_WAIT: Duration = Duration::from_secs(60);
/// Between the looks for a container whose client was killed while it made it.
const SECOND_LOOK: Duration = Duration::from_millis(300);

/// What of a server's environment says which engine is meant, by the start of its name.
const ENGINE_VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "TMPDIR",
    "XDG_",
    "SSH_",
    "DOCKER_",
    "CONTAINER",
    "PODMAN_",
    "NERDCTL_",
];

/// A container engine: the words that run its client, and what that needs to find it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Engine {
    words: Vec<String>,
    cwd: PathBuf,
    env: BTreeMap<String, String>,
}

/// The container of one server, or those that its script starts.
#[derive(Debug)]
pub(crate) struct Container {
    pub(crate) engines: Vec<Engine>,
    /// The label's value.
    pub(crate) label: String,
    pub(crate) id_file: Option<PathBuf>,
}

impl Container {
    /// Removes it, if it is still there.
    pub(crate) async fn remove(&self) {
        let removal = async {
            let id = self.id_file.as_ref().map(fs::read_to_string);
            let id = id.and_then(Result::ok).unwrap_or_default();
            for engine in &self.engines {
                engine.remove_labelled(&self.label, id.trim()).await;
            }
        };
        if timeout(REMOVE_WAIT, removal).await.is_err() {
            tracing::warn!(
                label = self.label,
                "the engine did not remove a container in time"
            );
        }
        if let Some(id_file) = &self.id_file {
            let _ = fs::remove_file(id_file);
        }
    }

    /// The words by which the reaper removes it, quoted for a shell, for each engine.
    pub(crate) fn reaper_words(&self) -> Vec<String> {
        let id_file = match &self.id_file {
            Some(path) => path.to_string_lossy(),
            None => "".into(),
        };
        let words = |engine: &Engine| {
            let env = engine.env.iter();
            let words: Vec<String> = [id_file.to_string(), format!("{LABEL}={}", self.label)]
                .into_iter()
                .chain(env.map(|(name, value)| format!("{name}={value}")))
                .chain(["--".to_owned()])
                .chain(engine.words.iter().cloned())
                .collect();
            // Each has one line. A word of two is nothing that an engine needs.
            let is_line = !words.iter().any(|word| word.contains('\n'));
            is_line.then(|| quoted(&words))
        };
        self.engines.iter().filter_map(words).collect()
    }
}

impl Engine {
    /// `words` as the command had them, run in its directory and with its environment.
    pub(crate) fn new(words: Vec<String>, cwd: PathBuf, env: &BTreeMap<&str, &str>) -> Self {
        let is_needed = |name: &str| ENGINE_VARIABLES.iter().any(|start| name.starts_with(start));
        let env = env
            .iter()
            .filter(|(name, _)| is_needed(name))
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Self { words, cwd, env }
    }

    async fn remove_labelled(&self, label: &str, id: &str) {
        if !id.is_empty() {
            self.remove(id).await;
            return;
        }
        // Without an id the client may have been killed before the container was there.
        for look in 0..2 {
            if look > 0 {
                tokio::time::sleep(SECOND_LOOK).await;
            }
            let filter = format!("label={LABEL}={label}");
            let Some(ids) = self.run(&["ps", "-aq", "--filter", &filter]).await else {
                return;
            };
            for id in ids.split_whitespace() {
                self.remove(id).await;
            }
        }
    }

    /// Both fail if the container has gone with its server, as it should.
    async fn remove(&self, id: &str) {
        // `rm -f` alone would first ask politely, for ten seconds with some engines.
        let _ = self.run(&["kill", id]).await;
        let _ = self.run(&["rm", "-f", id]).await;
    }

    /// Removes the containers of owners that are dead, as far as that is sure.
    pub(crate) async fn sweep(&self, owner: &Owner) {
        let _ = timeout(SWEEP_WAIT, self.remove_of_the_dead(owner)).await;
    }

    async fn remove_of_the_dead(&self, owner: &Owner) -> Option<()> {
        let filter = format!("label={LABEL}");
        let ids = self.run(&["ps", "-aq", "--filter", &filter]).await?;
        let format = format!("{{{{index .Config.Labels \"{LABEL}\"}}}}");
        for id in ids.split_whitespace() {
            // One by one: the engine would give up at the first that has gone meanwhile.
            let Some(label) = self.run(&["inspect", "--format", &format, id]).await else {
                continue;
            };
            if owner.knows_dead_owner(label.trim()) {
                tracing::info!(
                    id,
                    label = label.trim(),
                    "removes the container of a dead owner"
                );
                self.remove(id).await;
            }
        }
        Some(())
    }

    /// Runs the client with these arguments; its output, if it succeeded.
    async fn run(&self, args: &[&str]) -> Option<String> {
        let (program, words) = self.words.split_first()?;
        let output = Command::new(program)
            .args(words)
            .args(args)
            .env_clear()
            .envs(&self.env)
            .current_dir(&self.cwd)
            .stdin(Stdio::null())
            // What a terminal sends to our group does not reach it.
            .process_group(0)
            .kill_on_drop(true)
            .output()
            .await;
        match output {
            Ok(output) if output.status.success() => String::from_utf8(output.stdout).ok(),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                tracing::debug!(engine = ?self, ?args, said = said.trim(), "refused");
                None
            }
            Err(error) => {
                tracing::warn!(engine = ?self, %error, "cannot be run");
                None
            }
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Variables may hold secrets.
        f.write_str(&self.words.join(" "))
    }
}

fn quoted(words: &[String]) -> String {
    let quoted = words
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', r"'\''")));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reaper_is_told_in_words_that_a_shell_reads_back() {
        let env = BTreeMap::from([("DOCKER_HOST", "unix:///it's"), ("TOKEN", "secret")]);
        let engine = |word: &str| Engine::new(vec![word.to_owned()], "/".into(), &env);
        let container = |word: &str| Container {
            engines: vec![engine(word)],
            label: "n-1.2.3".into(),
            id_file: Some("/run/a b.cid".into()),
        };
        assert_eq!(
            container("docker").reaper_words(),
            [r"'/run/a b.cid' 'posthouse=n-1.2.3' 'DOCKER_HOST=unix:///it'\''s' '--' 'docker'"]
        );
        assert_eq!(container("do\ncker").reaper_words(), [] as [&str; 0]);
    }
}
