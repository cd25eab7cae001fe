//! Which of a server's tools are offered, by patterns.

use crate::glob::matches;

/// Which of a server's tools are offered. Patterns are original tool names in which `*` stands for
/// any run of characters.
///
/// The lists that come from a server are stored unfiltered; this is applied when they are shown,
/// so a loosened filter takes effect at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolFilter {
    /// Only these: `None` is all tools, an empty list none.
    pub include: Option<Vec<String>>,
    /// Never these, whatever `include` says.
    pub exclude: Vec<String>,
}

impl ToolFilter {
    /// Whether a tool of this original name passes.
    pub fn allows(&self, tool: &str) -> bool {
        let any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, tool));
        let included = match &self.include {
            None => true,
            Some(patterns) => any(patterns),
        };
        included && !any(&self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&pattern| pattern.to_owned()).collect()
    }

    #[test]
    fn exclusion_wins_over_inclusion() {
        let check = |include: Option<&[&str]>, exclude: &[&str], tool: &str, expect: bool| {
            let filter = ToolFilter {
                include: include.map(texts),
                exclude: texts(exclude),
            };
            assert_eq!(filter.allows(tool), expect, "{filter:?} {tool}");
        };
        check(None, &[], "anything", true);
        check(Some(&[]), &[], "anything", false);
        check(Some(&["read_*"]), &[], "read_file", true);
        check(Some(&["read_*"]), &[], "write_file", false);
        check(Some(&["*"]), &["drop_*"], "drop_table", false);
        check(None, &["drop_*"], "drop_table", false);
        check(None, &["drop_*"], "list_tables", true);
        check(None, &["drop"], "drop_table", true);
    }
}
