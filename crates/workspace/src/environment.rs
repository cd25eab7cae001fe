//! Which variables of our own a local process inherits.

use std::collections::BTreeMap;

const NAMES: &[&str] = &[
    "HOME",
    "LOGNAME",
    "USER",
    "PATH",
    "SHELL",
    "TERM",
    "LANG",
    "TZ",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];
const PREFIXES: &[&str] = &["LC_", "XDG_"];
const SUFFIXES: &[&str] = &["_PROXY", "_proxy"];

/// Keeps the variables that a local process inherits, out of those passed in.
///
/// Those are `HOME`, `LOGNAME`, `USER`, `PATH`, `SHELL`, `TERM`, `LANG`, `LC_*`, `TZ`, `TMPDIR`,
/// `XDG_*`, `*_PROXY` and `*_proxy`, `SSL_CERT_FILE` and `SSL_CERT_DIR`. A value that starts with
/// `()` is left out, because some shells would run it as a function.
pub fn inherited_environment(
    vars: impl Iterator<Item = (String, String)>,
) -> BTreeMap<String, String> {
    vars.filter(|(name, value)| is_inherited(name) && !value.starts_with("()"))
        .collect()
}

fn is_inherited(name: &str) -> bool {
    NAMES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_allow_list_is_inherited() {
        let given = [
            ("HOME", "/h"),
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("XDG_RUNTIME_DIR", "/run"),
            ("HTTPS_PROXY", "http://p"),
            ("no_proxy", "x"),
            ("SSL_CERT_FILE", "/c"),
            ("AWS_SECRET_ACCESS_KEY", "s"),
            ("LD_PRELOAD", "/x.so"),
            ("HOMEBREW", "y"),
            ("LANG", "() { :; }; echo"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let kept = inherited_environment(given.into_iter());
        let names: Vec<_> = kept.keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "HOME",
                "HTTPS_PROXY",
                "LC_ALL",
                "PATH",
                "SSL_CERT_FILE",
                "XDG_RUNTIME_DIR",
                "no_proxy"
            ]
        );
    }
}
