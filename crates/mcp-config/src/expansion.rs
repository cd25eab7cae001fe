//! Values that ask for expansion, which this version does not do.

use crate::node::Node;
use crate::problem::Problem;

/// What to say about a value that asks for expansion; `None` when it does not.
///
/// The value is not taken literally: a server would start with `${TOKEN}` for its token and fail
/// in a way that nobody connects with this file.
pub(crate) fn problem(node: &Node<'_>, text: &str) -> Option<Problem> {
    let (_, asked) = text.split_once("${")?;
    let asked = asked.strip_prefix("env:").unwrap_or(asked);
    let variable = asked.strip_suffix('}').filter(|name| is_variable(name));
    let remedy = match (node.label.strip_prefix("env."), variable) {
        (Some(key), Some(name)) if text.starts_with("${") && key == name => {
            format!("remove it and write \"inheritEnv\": [{name:?}] to hand the variable on")
        }
        (Some(_), _) => {
            "write the value itself, or name a variable to hand on in \"inheritEnv\"".to_owned()
        }
        (None, _) if node.label == "cwd" => {
            "write the folder itself, or leave \"cwd\" out to start in the session's folder"
                .to_owned()
        }
        (None, _) => "write the value itself".to_owned(),
    };
    Some(node.problem("asks for ${…}, which this version does not expand", remedy))
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
