//! Keys of other hosts' entries that are not ours, and what they come to here.

/// What a key of another host comes to here.
pub(crate) enum ForeignKey {
    /// Without it the server would not be what the entry says, so the entry is held.
    Needed {
        /// Why, after the key.
        what: &'static str,
        /// What to write instead.
        remedy: &'static str,
        /// Whether a later version may know it.
        later: bool,
    },
    /// The server is the same without it: passed over with this warning, after the key.
    Spare(&'static str),
}

use ForeignKey::{Needed, Spare};

const fn renamed(remedy: &'static str) -> ForeignKey {
    Needed {
        what: "is not known here",
        remedy,
        later: false,
    }
}

const fn later(what: &'static str, remedy: &'static str) -> ForeignKey {
    Needed {
        what,
        remedy,
        later: true,
    }
}

const FOREIGN_KEYS: &[(&str, ForeignKey)] = &[
    ("cmd", renamed("write \"command\"")),
    ("envs", renamed("write \"env\"")),
    ("environment", renamed("write \"env\"")),
    (
        "env_vars",
        renamed("write \"inheritEnv\" with a list of names"),
    ),
    ("workingDirectory", renamed("write \"cwd\"")),
    ("working_directory", renamed("write \"cwd\"")),
    ("serverUrl", renamed("write \"url\"")),
    ("httpUrl", renamed("write \"url\"")),
    (
        "includeTools",
        renamed("write \"tools\": { \"include\": [\"…\"] }"),
    ),
    (
        "enabledTools",
        renamed("write \"tools\": { \"include\": [\"…\"] }"),
    ),
    (
        "enabled_tools",
        renamed("write \"tools\": { \"include\": [\"…\"] }"),
    ),
    (
        "excludeTools",
        renamed("write \"tools\": { \"exclude\": [\"…\"] }"),
    ),
    (
        "disabledTools",
        renamed("write \"tools\": { \"exclude\": [\"…\"] }"),
    ),
    (
        "disabled_tools",
        renamed("write \"tools\": { \"exclude\": [\"…\"] }"),
    ),
    (
        "envFile",
        later(
            "is not available in this version",
            "write the variables in \"env\", or name those to hand on in \"inheritEnv\"",
        ),
    ),
    (
        "http",
        later(
            "is not available in this version: a command must speak MCP on its standard streams",
            "start the server in its stdio mode",
        ),
    ),
    (
        "timeout",
        Spare(
            "is ignored, since its unit differs from host to host; write \"toolTimeout\": \"60s\"",
        ),
    ),
    (
        "auth",
        Spare("is ignored: sign-in is not available in this version"),
    ),
    (
        "oauth",
        Spare("is ignored: sign-in is not available in this version"),
    ),
];

/// What is known of a key of another host.
pub(crate) fn find(key: &str) -> Option<&'static ForeignKey> {
    FOREIGN_KEYS
        .iter()
        .find(|(name, _)| *name == key)
        .map(|(_, foreign)| foreign)
}
