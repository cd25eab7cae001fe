//! Everything that is read from the environment, once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ColorChoice;

/// What this process was given beside its arguments.
#[derive(Clone)]
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

    /// Where the resolved configuration is written, for looking at.
    pub(crate) fn resolved_file(&self) -> PathBuf {
        let given = self.variable("XDG_RUNTIME_DIR").map(PathBuf::from);
        let given = given.filter(|path| path.is_absolute() && path.is_dir());
        given
            .unwrap_or_else(|| self.runtime_folder())
            .join("posthouse-resolved.json")
    }

    /// Where we keep what outlives us, whether it exists or not.
    pub(crate) fn state_folder(&self) -> Option<PathBuf> {
        self.under("XDG_STATE_HOME", ".local/state")
    }

    /// Where logs go.
    pub(crate) fn logs_folder(&self) -> Option<PathBuf> {
        Some(self.state_folder()?.join("logs"))
    }

    /// Whether to colour what goes to a terminal, where the options leave it open.
    pub(crate) fn colour(&self, asked: ColorChoice) -> ColorChoice {
        let is_on = |name: &str| self.variable(name).is_some_and(|value| value != "0");
        match asked {
            ColorChoice::Auto if self.variable("NO_COLOR").is_some() => ColorChoice::Never,
            ColorChoice::Auto if is_on("CLICOLOR_FORCE") => ColorChoice::Always,
            ColorChoice::Auto if self.variable("CLICOLOR") == Some("0") => ColorChoice::Never,
            ColorChoice::Auto if self.variable("TERM") == Some("dumb") => ColorChoice::Never,
            asked => asked,
        }
    }

    /// The user's configuration file, whether it exists or not.
    pub(crate) fn user_file(&self) -> Option<PathBuf> {
        Some(self.under("XDG_CONFIG_HOME", ".config")?.join("mcp.json"))
    }

    /// Our folder in the one that the variable names, or else in that under the home folder.
    fn under(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        // The specification has relative values ignored.
        let given = self
            .variable(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute());
        let folder = given.or_else(|| Some(self.home()?.join(below_home)))?;
        Some(folder.join("posthouse"))
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
    fn the_environment_has_a_say_in_colours_only_where_the_options_leave_it_open() {
        let colour = |variables: &[(&str, &str)]| with(variables).colour(ColorChoice::Auto);
        assert_eq!(colour(&[]), ColorChoice::Auto);
        assert_eq!(colour(&[("NO_COLOR", "")]), ColorChoice::Auto);
        assert_eq!(colour(&[("CLICOLOR", "1")]), ColorChoice::Auto);
        assert_eq!(colour(&[("CLICOLOR", "0")]), ColorChoice::Never);
        assert_eq!(colour(&[("TERM", "dumb")]), ColorChoice::Never);
        let forced = ("CLICOLOR_FORCE", "1");
        assert_eq!(colour(&[forced]), ColorChoice::Always);
        let none = [forced, ("NO_COLOR", "1")];
        assert_eq!(colour(&none), ColorChoice::Never);
        let asked = with(&none).colour(ColorChoice::Always);
        assert_eq!(asked, ColorChoice::Always);
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

    #[test]
    fn the_state_folder_is_under_the_state_home() {
        let folder = |variables: &[(&str, &str)]| with(variables).state_folder();
        let default = folder(&[("HOME", "/h")]);
        assert_eq!(default, Some("/h/.local/state/posthouse".into()));
        let both = folder(&[("HOME", "/h"), ("XDG_STATE_HOME", "/s")]);
        assert_eq!(both, Some("/s/posthouse".into()));
    }
}
