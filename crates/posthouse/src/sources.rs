//! Which files a configuration is read from, and reading them.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use mcp_config::{Configuration, Context, Layers};

use crate::environment::Environment;
use crate::outcome::Failure;
use crate::redaction;
use crate::trust_file::TrustFile;

/// The files of a configuration: the user's, and that of the project in whose folder we are.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// The file that the options name, or the user's own; none when that does not exist.
    pub(crate) user: Option<PathBuf>,
    /// Free of links: trust belongs to a path.
    pub(crate) project: Option<PathBuf>,
}

impl Sources {
    /// Looks for them. A file that the options name need not exist; that is for reading to say.
    pub(crate) fn find(config: Option<&Path>, environment: &Environment) -> Result<Self, Failure> {
        let file = user_file(config, environment)?;
        let user = Some(&file).filter(|file| config.is_some() || file.exists());
        let sources = Sources {
            user: user.cloned(),
            project: project_file(user.map(PathBuf::as_path), environment),
        };
        if sources.user.is_none() && sources.project.is_none() {
            return Err(Failure::usage(nothing_configured(&file)));
        }
        Ok(sources)
    }

    /// Looks again: the user's file is the same as before, if there was one.
    pub(crate) fn again(&self, environment: &Environment) -> Result<Self, Failure> {
        Sources::find(self.user.as_deref(), environment)
    }

    /// Reads them, as far as they are trusted. No value is filled in.
    pub(crate) fn read(
        &self,
        environment: &Environment,
    ) -> Result<(Configuration, TrustFile), Failure> {
        let trust = TrustFile::read(environment)?;
        let cwd = environment.cwd.as_deref().unwrap_or(Path::new(""));
        let folder = |path: &Path| cwd.join(path.parent().unwrap_or(Path::new("")));
        let with_folder = |path: &Option<PathBuf>| {
            let path = path.clone()?;
            let folder = folder(&path);
            Some((path, folder))
        };
        let (user, project) = (with_folder(&self.user), with_folder(&self.project));
        let mut layers = Layers::new();
        if let Some((path, folder)) = &user {
            layers = layers.user(context(path, folder, environment));
        }
        if let Some((path, folder)) = &project {
            layers = layers.project(context(path, folder, environment));
        }
        let configuration = Configuration::read(&layers, &trust.store)
            .map_err(|error| Failure::usage(format!("failed to {error}")))?;
        redaction::learn_written(configuration.outlines());
        Ok((configuration, trust))
    }
}

fn context<'a>(path: &'a Path, folder: &'a Path, environment: &'a Environment) -> Context<'a> {
    Context {
        path,
        folder,
        home: environment.home(),
    }
}

/// The file that the options name, or the user's own.
pub(crate) fn user_file(
    config: Option<&Path>,
    environment: &Environment,
) -> Result<PathBuf, Failure> {
    match config {
        Some(path) => Ok(path.to_owned()),
        None => environment.user_file().ok_or_else(|| {
            Failure::usage("there is no home folder to find a configuration in; name the file with --config FILE")
        }),
    }
}

/// The `.mcp.json` of the folder we are in, unless it is the user's file.
fn project_file(user: Option<&Path>, environment: &Environment) -> Option<PathBuf> {
    let path = environment.cwd.as_deref()?.join(".mcp.json");
    let project = match path.canonicalize() {
        Ok(project) => project,
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        // Reading it says why it cannot be had.
        Err(_) => path,
    };
    let user = user.and_then(|path| path.canonicalize().ok());
    (user.as_ref() != Some(&project)).then_some(project)
}

fn nothing_configured(path: &Path) -> String {
    format!(
        "there is no configuration yet. Write {} with the servers you use, such as\n  \
         {{\"mcpServers\": {{\"time\": {{\"command\": \"uvx\", \"args\": [\"mcp-server-time\"]}}}}}}\n\
         (the `mcpServers` of a host's own file fit as they are), name another file with --config FILE, \
         or see it work first: posthouse try, posthouse serve --demo",
        path.display()
    )
}
