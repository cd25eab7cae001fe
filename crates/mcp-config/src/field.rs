//! The keys of an entry: which entries they belong to, what they mean, and how they are read.

mod read;

use crate::Context;
use crate::draft::Draft;
use crate::node::Node;
use crate::problem::Problem;
use crate::shape::{Shape, lifecycles, placements, sharings, transports};

/// Which entries a key belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// Every entry.
    Any,
    /// Entries with a `command`.
    Command,
    /// Entries with a `url`.
    Url,
}

/// How a key's value is read into a draft.
type Read = fn(&mut Draft, &Node<'_>, &Context<'_>) -> Result<(), Problem>;

/// One key of an entry.
pub(crate) struct Field {
    /// The key.
    pub(crate) key: &'static str,
    /// Which entries it belongs to.
    pub(crate) of: Of,
    /// What may stand there, for the schema.
    pub(crate) shape: Shape,
    /// What it means, for the schema.
    pub(crate) about: &'static str,
    /// How its value is read.
    pub(crate) read: Read,
}

/// Every key of an entry. A `null` is never read: files that programs write have it for "not
/// given".
pub(crate) const FIELDS: &[Field] = &[
    Field {
        key: "type",
        of: Of::Any,
        shape: Shape::Words(transports),
        about: "How the server is spoken to. Left out, `command` or `url` says it.",
        read: read::transport,
    },
    Field {
        key: "command",
        of: Of::Command,
        shape: Shape::Command,
        about: "The program to start: a name that is looked up in PATH, or a path. A path with a slash is relative to the folder of this file; `~/` is the home folder.",
        read: read::command,
    },
    Field {
        key: "args",
        of: Of::Command,
        shape: Shape::Scalars,
        about: "The arguments, one word per item. What starts with `./`, `../` or `~/` is a path as in `command`.",
        read: read::args,
    },
    Field {
        key: "env",
        of: Of::Command,
        shape: Shape::Map,
        about: "Variables for the program, beside the few that every server gets.",
        read: read::env,
    },
    Field {
        key: "envFile",
        of: Of::Command,
        shape: Shape::Text,
        about: "A file of NAME=value lines, read when the server starts. `env` comes first.",
        read: read::env_file,
    },
    Field {
        key: "inheritEnv",
        of: Of::Command,
        shape: Shape::Texts,
        about: "Names of further variables to hand on from the environment.",
        read: read::inherit_env,
    },
    Field {
        key: "cwd",
        of: Of::Command,
        shape: Shape::Text,
        about: "The folder to start in. Left out, it is the folder of the session that asks.",
        read: read::cwd,
    },
    Field {
        key: "url",
        of: Of::Url,
        shape: Shape::Text,
        about: "The URL of a server that runs already.",
        read: read::url,
    },
    Field {
        key: "headers",
        of: Of::Url,
        shape: Shape::Map,
        about: "Headers sent with every request.",
        read: read::headers,
    },
    Field {
        key: "executors",
        of: Of::Any,
        shape: Shape::Executors,
        about: "Where the server runs: names from `executors` of the file, or `local`.",
        read: read::executors,
    },
    Field {
        key: "placement",
        of: Of::Any,
        shape: Shape::Words(placements),
        about: "What several executors mean: a server on `each`, or one that moves to the next on `failover`.",
        read: read::placement,
    },
    Field {
        key: "sharing",
        of: Of::Any,
        shape: Shape::Words(sharings),
        about: "Who may use one instance: all sessions of the `user` (usual for `url`), those in one `folder` (usual for `command`), or one `session`.",
        read: read::sharing,
    },
    Field {
        key: "lifecycle",
        of: Of::Any,
        shape: Shape::Words(lifecycles),
        about: "When the server starts and whether it stops while nobody uses it. Usually `lazy`.",
        read: read::lifecycle,
    },
    Field {
        key: "startupTimeout",
        of: Of::Any,
        shape: Shape::Duration,
        about: "Longest wait for start, handshake and tool list together.",
        read: read::startup_timeout,
    },
    Field {
        key: "toolTimeout",
        of: Of::Any,
        shape: Shape::Duration,
        about: "Longest wait for one call.",
        read: read::tool_timeout,
    },
    Field {
        key: "idleTimeout",
        of: Of::Any,
        shape: Shape::Duration,
        about: "How long the server may be unused before it is stopped; 0 is never.",
        read: read::idle_timeout,
    },
    Field {
        key: "enabled",
        of: Of::Any,
        shape: Shape::Flag,
        about: "Whether the server runs at all. Usually true.",
        read: read::enabled,
    },
    Field {
        key: "disabled",
        of: Of::Any,
        shape: Shape::Flag,
        about: "The opposite of `enabled`, as other programs write it.",
        read: read::disabled,
    },
    Field {
        key: "required",
        of: Of::Any,
        shape: Shape::Flag,
        about: "Whether work fails without this server, instead of going on without its tools.",
        read: read::required,
    },
    Field {
        key: "tools",
        of: Of::Any,
        shape: Shape::Tools,
        about: "Which of the server's tools are offered. `*` in a name stands for anything.",
        read: read::tools,
    },
    Field {
        key: "about",
        of: Of::Any,
        shape: Shape::Text,
        about: "A few words on what it is for, shown to models and people.",
        read: read::about,
    },
    Field {
        key: "notReadyAdvice",
        of: Of::Any,
        shape: Shape::Text,
        about: "What to do instead while it is not ready; added to the error of a call.",
        read: read::not_ready_advice,
    },
    Field {
        key: "curated",
        of: Of::Any,
        shape: Shape::Texts,
        about: "Names of the tools worth naming first.",
        read: read::curated,
    },
];
