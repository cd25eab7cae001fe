//! A `command` that is really a whole command line.

use crate::node::{Node, shortened};
use crate::problem::Problem;

/// Refuses a command that holds its own arguments: nothing would split it, and "no such program"
/// would be all that is seen of it.
///
/// A path may hold spaces, so one that does is taken for a command line only if a word after the
/// first looks like an option. The arguments are not repeated: they may hold a secret.
pub(crate) fn check(node: &Node<'_>, text: &str) -> Result<(), Problem> {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else {
        return Err(node.problem("is empty", "write the program to start"));
    };
    if text.trim() != text {
        return Err(node.problem("begins or ends with a space", "remove it"));
    }
    let mut rest = words.peekable();
    let alone = rest.peek().is_none();
    if alone || (first.contains('/') && !rest.any(|word| word.len() > 1 && word.starts_with('-'))) {
        return Ok(());
    }
    let remedy = if first.contains('=') {
        "put variables into \"env\", the program alone into \"command\", and its arguments into \
         \"args\", one word per item"
            .to_owned()
    } else {
        let first = shortened(first);
        format!("write \"command\": {first:?} and the rest in \"args\", one word per item")
    };
    Err(node.problem("holds a whole command line", remedy))
}
