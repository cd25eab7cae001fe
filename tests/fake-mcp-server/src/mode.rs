//! The modes: one per way a server can behave or misbehave.

use std::fmt;
use std::str::FromStr;

/// Declares the enum, its names and its one-line summaries from one table.
macro_rules! modes {
    ($($variant:ident, $name:literal, $summary:literal;)*) => {
        /// One way for the server to behave.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Mode {
            $(#[doc = $summary] $variant,)*
        }

        impl Mode {
            /// Every mode.
            pub const ALL: &'static [Mode] = &[$(Mode::$variant,)*];

            /// The mode's kebab-case name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Mode::$variant => $name,)* }
            }

            /// One line on what the mode does.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Mode::$variant => $summary,)* }
            }
        }
    };
}

modes! {
    Plain, "plain", "A well-behaved legacy server with the default tools in one page.";
    JunkFirst, "junk-first", "Prints lines that are no messages before its first answer and between answers.";
    Reverse, "reverse", "Collects `reverse-batch` calls (3), then answers them last one first.";
    Slow, "slow", "Answers each call after `delay-ms` (200), cancelled or not.";
    Hang, "hang", "Never answers a call.";
    DieOnCall, "die-on-call", "Exits with code 1 when the tool `die` is called.";
    ToolsList, "tools-list", "Adds the tool `described`, which uses every field a tool may have.";
    ToolsListPaged, "tools-list-paged", "Lists its tools in pages of `page-size` (3).";
    ToolsListEndless, "tools-list-endless", "Every page of the tool list names a further, new cursor.";
    EmptyList, "empty-list", "Declares tools and lists none.";
    ListChanged, "list-changed", "A call of `grow` adds the tool `grown` and announces it before the call is answered.";
    SlowList, "slow-list", "Answers `tools/list` only after `delay-ms` (60000).";
    NoInitialize, "no-initialize", "Never answers `initialize`.";
    SlowInitialize, "slow-initialize", "Answers `initialize` only after `delay-ms` (2000).";
    CrashLoop, "crash-loop", "Exits with code 1, `delay-ms` (50) after each successful handshake.";
    BigList, "big-list", "Lists `tool-count` tools (10000) in pages of `page-size` (1000).";
    SameCursor, "same-cursor", "Every page of the tool list is the same and names the same cursor.";
    EmptyCursor, "empty-cursor", "The first page names the cursor \"\", which leads to a second and last page.";
    EmptyCursorLoop, "empty-cursor-loop", "Ignores the cursor: the only page always names the cursor \"\".";
    SlowDrain, "slow-drain", "Goes on for `delay-ms` (1000) after its input has ended.";
    NotifyBeforeInit, "notify-before-init", "Sends `tools/list_changed` before the answer to `initialize`.";
    PingFirst, "ping-first", "Pings the client, and answers `initialize` once the client has answered.";
    DuplicateNames, "duplicate-names", "Lists a second, different tool named `echo`.";
    BadSchema, "bad-schema", "Lists unusable tools among the good ones.";
    Images, "images", "Adds the tools `image` and `mixed`, whose results hold other blocks than text.";
    Progress, "progress", "Adds the tool `progress`, which reports `steps` steps, `delay-ms` (20) apart.";
    Annotations, "annotations", "Lists three tools: readOnlyHint true, false and absent.";
    BigNumbers, "big-numbers", "Numbers, spaces, escapes and key orders that only survive if bytes are kept.";
    ResourcesOnly, "resources-only", "No tools: resources (in pages of 2), a template and a prompt.";
    Old, "old", "Speaks 2024-11-05 only.";
    Modern, "modern", "Speaks 2026-07-28 only; `grow` announces on listen streams, `end_listen` ends them.";
    ExitOnProbe, "exit-on-probe", "Exits with code 0 at any request before `initialize`.";
    SilentProbe, "silent-probe", "Ignores any request before `initialize`.";
    EmptyProbe, "empty-probe", "Answers `{}` to any request that it does not know.";
    ExitAtOnce, "exit-at-once", "Prints a line to stderr and exits with code 3.";
    Junk, "junk", "Prints junk, and never a message.";
    Stubborn, "stubborn", "Ignores the end of its input; the binary also ignores SIGTERM, as do its `grandchildren` (1).";
}

impl Mode {
    /// Whether the server declares the `tools` capability.
    #[must_use]
    pub fn has_tools(self) -> bool {
        self != Mode::ResourcesOnly
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(name: &str) -> Result<Mode, UnknownMode> {
        Mode::ALL
            .iter()
            .copied()
            .find(|mode| mode.name() == name)
            .ok_or_else(|| UnknownMode(name.to_owned()))
    }
}

/// There is no mode of this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMode(pub String);

impl fmt::Display for UnknownMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "no mode is called {:?}", self.0)
    }
}

impl std::error::Error for UnknownMode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for mode in Mode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(*mode));
        }
        assert_eq!(
            "planar".parse::<Mode>(),
            Err(UnknownMode("planar".to_owned()))
        );
    }
}
