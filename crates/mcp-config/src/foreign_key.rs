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
    // Other names for what we know.
    ("cmd", renamed("write \"command\"")),
    ("envs", renamed("write \"env\"")),
    ("environment", renamed("write \"env\"")),
    (
        "env_vars",
        renamed("write \"inheritEnv\" with a list of names"),
    ),
    (
        "env_keys",
        renamed("write \"inheritEnv\" with a list of names"),
    ),
    ("workingDirectory", renamed("write \"cwd\"")),
    ("working_directory", renamed("write \"cwd\"")),
    ("workdir", renamed("write \"cwd\"")),
    ("workingDir", renamed("write \"cwd\"")),
    ("working_dir", renamed("write \"cwd\"")),
    ("serverUrl", renamed("write \"url\"")),
    ("httpUrl", renamed("write \"url\"")),
    ("uri", renamed("write \"url\"")),
    ("endpoint", renamed("write \"url\"")),
    ("http_headers", renamed("write \"headers\"")),
    ("requestInit", renamed("write \"headers\"")),
    (
        "env_http_headers",
        renamed("write \"headers\": { \"NAME\": \"${VARIABLE}\" }"),
    ),
    (
        "bearer_token_env_var",
        renamed("write \"headers\": { \"Authorization\": \"Bearer ${VARIABLE}\" }"),
    ),
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
        "allowedTools",
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
    // What a later version may know, and without which the server is another.
    (
        "http",
        later(
            "is not available in this version: a command must speak MCP on its standard streams",
            "start the server in its stdio mode",
        ),
    ),
    (
        "auth",
        later(
            "is not available in this version: there is no sign-in yet",
            "write a token that you have into \"headers\", or run the server through a bridge that signs in",
        ),
    ),
    (
        "oauth",
        later(
            "is not available in this version: there is no sign-in yet",
            "write a token that you have into \"headers\", or run the server through a bridge that signs in",
        ),
    ),
    (
        "authProviderType",
        later(
            "is not available in this version: there is no sign-in yet",
            "write a token that you have into \"headers\", or run the server through a bridge that signs in",
        ),
    ),
    (
        "oauth_resource",
        later(
            "is not available in this version: there is no sign-in yet",
            "write a token that you have into \"headers\", or run the server through a bridge that signs in",
        ),
    ),
    (
        "scopes",
        later(
            "is not available in this version: there is no sign-in yet",
            "write a token that you have into \"headers\", or run the server through a bridge that signs in",
        ),
    ),
    (
        "headersHelper",
        later(
            "is not available in this version",
            "write \"headers\": { \"NAME\": \"${cmd:COMMAND}\" }",
        ),
    ),
    // What belongs to another host alone.
    (
        "timeout",
        Spare(
            "is ignored, since its unit differs from host to host; write \"toolTimeout\": \"60s\"",
        ),
    ),
    (
        "startup_timeout_sec",
        Spare("is ignored; write \"startupTimeout\": \"30s\""),
    ),
    (
        "startup_timeout_ms",
        Spare("is ignored; write \"startupTimeout\": \"500ms\""),
    ),
    (
        "tool_timeout_sec",
        Spare("is ignored; write \"toolTimeout\": \"60s\""),
    ),
    (
        "alwaysAllow",
        Spare("is ignored: which calls need a permission stays with your host"),
    ),
    (
        "autoApprove",
        Spare("is ignored: which calls need a permission stays with your host"),
    ),
    (
        "trust",
        Spare("is ignored: which calls need a permission stays with your host"),
    ),
    (
        "default_tools_approval_mode",
        Spare("is ignored: which calls need a permission stays with your host"),
    ),
];

/// What is known of a key of another host.
pub(crate) fn find(key: &str) -> Option<&'static ForeignKey> {
    FOREIGN_KEYS
        .iter()
        .find(|(name, _)| *name == key)
        .map(|(_, foreign)| foreign)
}
