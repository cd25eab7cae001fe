//! The tools of one server: one whole generation of its list.

use std::collections::HashSet;

use mcp_proto::Raw;
use mcp_proto::tool::Tool;

/// A tool as it was on the wire: decoded, and the bytes it came in. Nothing of a host's is added.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoveredTool {
    /// The tool, decoded.
    pub tool: Tool,
    /// The tool, as the server wrote it.
    pub raw: Raw,
}

/// Every usable tool of a list, in the server's order.
#[derive(Clone, Debug, Default)]
pub struct ToolSet {
    tools: Vec<DiscoveredTool>,
    warnings: Vec<String>,
}

impl ToolSet {
    /// Decodes the items of a list. A tool that cannot be used is left out with a warning, as is a
    /// second one of the same name; the others stay.
    pub fn decode(items: Vec<Raw>) -> Self {
        let mut set = ToolSet::default();
        let mut names = HashSet::new();
        for (index, raw) in items.into_iter().enumerate() {
            let tool = match raw.decode::<Tool>() {
                Ok(tool) if tool.name.is_empty() => Err("its name is empty".to_owned()),
                Ok(tool) if !tool.input_schema.is_object() => {
                    Err(format!("the inputSchema of {:?} is no object", tool.name))
                }
                Ok(tool) if !names.insert(tool.name.clone()) => Err(format!(
                    "{:?} is in the list already; the first one is kept",
                    tool.name
                )),
                Ok(tool) => Ok(tool),
                Err(error) => Err(error.to_string()),
            };
            match tool {
                Ok(tool) => set.tools.push(DiscoveredTool { tool, raw }),
                Err(why) => set
                    .warnings
                    .push(format!("tool {} of the list is left out: {why}", index + 1)),
            }
        }
        set
    }

    /// The tools in order.
    pub fn tools(&self) -> &[DiscoveredTool] {
        &self.tools
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<&DiscoveredTool> {
        self.tools.iter().find(|tool| tool.tool.name == name)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// What was wrong with the list, in whole sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Adds a warning about the list as a whole.
    pub(crate) fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// Whether both hold the same tools, byte for byte, in whatever order.
    pub fn same_tools(&self, other: &ToolSet) -> bool {
        let sorted = |set: &ToolSet| {
            let mut texts: Vec<_> = set
                .tools
                .iter()
                .map(|tool| tool.raw.get().to_owned())
                .collect();
            texts.sort_unstable();
            texts
        };
        self.len() == other.len()
            && (self
                .tools
                .iter()
                .zip(&other.tools)
                .all(|(ours, theirs)| ours.raw == theirs.raw)
                || sorted(self) == sorted(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(items: &[&str]) -> ToolSet {
        ToolSet::decode(
            items
                .iter()
                .map(|item| Raw::parse(*item).unwrap())
                .collect(),
        )
    }

    #[test]
    fn a_bad_tool_costs_itself_alone() {
        let set = set(&[
            r#"{"name":"a","inputSchema":{"type":"object"}}"#,
            r#"{"inputSchema":{}}"#,
            r#"7"#,
            r#"{"name":"b","inputSchema":"none"}"#,
            r#"{"name":"a","inputSchema":{"other":1}}"#,
            r#"{"name":"","inputSchema":{}}"#,
            r#"{"name":"c"}"#,
        ]);
        let names: Vec<_> = set
            .tools()
            .iter()
            .map(|tool| tool.tool.name.as_str())
            .collect();
        assert_eq!(names, ["a", "c"]);
        assert_eq!(
            set.warnings(),
            [
                "tool 2 of the list is left out: missing field `name` at line 1 column 18",
                "tool 3 of the list is left out: invalid type: integer `7`, expected an object of type Tool at line 1 column 1",
                "tool 4 of the list is left out: the inputSchema of \"b\" is no object",
                "tool 5 of the list is left out: \"a\" is in the list already; the first one is kept",
                "tool 6 of the list is left out: its name is empty",
            ]
        );
    }

    #[test]
    fn the_order_does_not_make_another_set() {
        let (a, b) = (r#"{"name":"a"}"#, r#"{"name":"b"}"#);
        assert!(set(&[a, b]).same_tools(&set(&[b, a])));
        assert!(!set(&[a, b]).same_tools(&set(&[a])));
        assert!(!set(&[a]).same_tools(&set(&[r#"{"name":"a" }"#])));
    }
}
