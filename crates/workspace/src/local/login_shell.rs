//! Starting a program through the user's login shell, without the profile's noise in its output.

use std::path::Path;

/// Moves standard output aside, so that what the profile prints goes to standard error.
const SET_OUTPUT_ASIDE: &str = r#"exec "$@" 3>&1 1>&2"#;
/// Run by the login shell after the profile: brings the output back. The program is its `$0`.
const POSIX_START: &str = r#"exec "$0" "$@" 1>&3 3>&-"#;
const FISH_START: &str = "exec $argv 1>&3 3>&-";

const POSIX_SHELLS: &[&str] = &["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "yash"];

/// Always there, whatever the user's own shell is.
pub(super) const SH: &str = "/bin/sh";

/// The arguments for [`SH`] that run `program` through the login shell `shell`.
///
/// A shell that we do not know how to speak to is replaced by [`SH`].
pub(super) fn arguments(shell: Option<&str>, program: &str, args: Vec<String>) -> Vec<String> {
    let shell = shell.filter(|shell| Path::new(shell).is_absolute());
    let name = shell.and_then(|shell| Path::new(shell).file_name()?.to_str());
    let (shell, start) = match (shell, name) {
        (Some(shell), Some("fish")) => (shell, FISH_START),
        (Some(shell), Some(name)) if POSIX_SHELLS.contains(&name) => (shell, POSIX_START),
        _ => (SH, POSIX_START),
    };
    let fixed = [
        "-c",
        SET_OUTPUT_ASIDE,
        "sh",
        shell,
        "-l",
        "-c",
        start,
        program,
    ];
    fixed.into_iter().map(str::to_owned).chain(args).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell_used(shell: Option<&str>) -> (String, String) {
        let args = arguments(shell, "prog", vec!["a b".into()]);
        assert_eq!(args[7..], ["prog", "a b"]);
        (args[3].clone(), args[6].clone())
    }

    #[test]
    fn a_shell_of_another_kind_is_replaced() {
        let posix = |shell: &str| (shell.to_owned(), POSIX_START.to_owned());
        assert_eq!(shell_used(Some("/bin/bash")), posix("/bin/bash"));
        assert_eq!(
            shell_used(Some("/usr/bin/fish")),
            ("/usr/bin/fish".to_owned(), FISH_START.to_owned())
        );
        for other in [None, Some("/usr/bin/nu"), Some("bash"), Some("/bin/tcsh")] {
            assert_eq!(shell_used(other), posix(SH), "{other:?}");
        }
    }
}
