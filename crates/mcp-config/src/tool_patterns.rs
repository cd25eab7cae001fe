//! The `tools` of an entry: which of the server's tools are offered.

use mcp_definitions::ToolFilter;

use crate::near_miss::near_miss;
use crate::node::{Node, shortened};
use crate::problem::Problem;

const KEYS: &[&str] = &["include", "exclude"];

/// Reads `{ "include": […], "exclude": […] }`, or a list, which is what to include: one host
/// writes `"tools": ["*"]`.
pub(crate) fn read(node: &Node<'_>) -> Result<ToolFilter, Problem> {
    let mut filter = ToolFilter::default();
    if node.items().is_ok() {
        filter.include = Some(node.texts()?);
        return Ok(filter);
    }
    for (property, member) in node.members()? {
        if member.is_null() {
            continue;
        }
        match property.name.as_str() {
            "include" => filter.include = Some(member.texts()?),
            "exclude" => filter.exclude = member.texts()?,
            // Never passed over: a filter that is not understood would offer more than was meant.
            unknown => {
                let what = format!("{:?} is not known", shortened(&format!("tools.{unknown}")));
                let remedy = match near_miss(unknown, KEYS) {
                    Some(key) => format!("did you mean {key:?}?"),
                    None => "write \"include\" or \"exclude\" with a list of tool names".to_owned(),
                };
                return Err(Problem::new(node.place(property.range.start), what, remedy));
            }
        }
    }
    Ok(filter)
}
