//! Everything that is read from the environment, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What this process was given beside its arguments.
pub(crate) struct Environment {
    /// The variables whose names and values are text.
    pub(crate) variables: BTreeMap<String, String>,
    /// The folder we were started in.
    pub(crate) cwd: Option<PathBuf>,
    /// Where our own program is, to start the embedded servers.
    pub(crate) program: Option<PathBuf>,
    /// Where temporary files go.
    pub(crate) temporary: PathBuf,
}

impl Environment {
    /// Reads it.
    pub(crate) fn read() -> Self {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Environment {
            variables: std::env::vars_os().filter_map(text).collect(),
            cwd: std::env::current_dir().ok(),
            program: std::env::current_exe().ok(),
            temporary: std::env::temp_dir(),
        }
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// The home folder.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.variable("HOME").map(Path::new)
    }

    /// Where programs are searched.
    pub(crate) fn search_path(&self) -> &str {
        self.variable("PATH")
            .unwrap_or("/usr/local/bin:/usr/bin:/bin")
    }

    /// Where sockets go: a folder that only the user can enter, gone with the session of the user.
    pub(crate) fn runtime_folder(&self) -> PathBuf {
        let given = self.variable("XDG_RUNTIME_DIR").map(PathBuf::from);
        match given.filter(|path| path.is_absolute() && path.is_dir()) {
            Some(folder) => folder.join("posthouse"),
            None => self
                .temporary
                .join(format!("posthouse-{}", nix::unistd::geteuid())),
        }
    }

    /// The user's configuration file, whether it exists or not.
    pub(crate) fn user_file(&self) -> Option<PathBuf> {
        // The specification has relative values ignored.
        let config = self
            .variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        let config = config.or_else(|| Some(self.home()?.join(".config")))?;
        Some(config.join("posthouse").join("mcp.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Environment {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Environment {
            variables: variables.iter().map(pair).collect(),
            cwd: None,
            program: None,
            temporary: PathBuf::new(),
        }
    }

    #[test]
    fn the_user_file_is_under_the_config_home() {
        let file = |variables: &[(&str, &str)]| {
            with(variables)
                .user_file()
                .map(|path| path.display().to_string())
        };
        assert_eq!(
            file(&[("HOME", "/h")]).as_deref(),
            Some("/h/.config/posthouse/mcp.json")
        );
        let both = [("HOME", "/h"), ("XDG_CONFIG_HOME", "/c")];
        assert_eq!(file(&both).as_deref(), Some("/c/posthouse/mcp.json"));
        let relative = [("HOME", "/h"), ("XDG_CONFIG_HOME", "c")];
        assert_eq!(
            file(&relative).as_deref(),
            Some("/h/.config/posthouse/mcp.json")
        );
        assert_eq!(file(&[]), None);
    }
}
