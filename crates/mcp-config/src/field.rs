//! The keys of an entry, each with the kind of server it belongs to and how it is read.

use mcp_definitions::{ExecutorName, Lifecycle, Placement, Sharing};

use crate::draft::{Draft, Transport};
use crate::node::{Node, shortened};
use crate::problem::Problem;
use crate::{Context, command_line, expansion, paths, tool_patterns};

/// Which entries a key belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    /// How its value is read.
    pub(crate) read: Read,
}

const fn field(key: &'static str, of: Of, read: Read) -> Field {
    Field { key, of, read }
}

/// Every key of an entry. A `null` never gets here: files that programs write have it for "not
/// given".
pub(crate) const FIELDS: &[Field] = &[
    field("type", Of::Any, |draft, node, _| {
        draft.transport = Some(transport(node)?);
        Ok(())
    }),
    field("command", Of::Command, command),
    field("args", Of::Command, |draft, node, cx| {
        draft.args = Some(arguments(draft, node.items()?, cx)?);
        Ok(())
    }),
    field("env", Of::Command, |draft, node, _| {
        for (property, value) in node.members()? {
            // Under the label of the whole: such a name may be `TOKEN=value`.
            let name = variable(node, property.name.as_str())?;
            let text = expandable(draft, &value)?;
            draft.env.insert(name, text);
        }
        Ok(())
    }),
    field("inheritEnv", Of::Command, |draft, node, _| {
        for item in node.items()? {
            draft.inherit_env.push(variable(&item, item.text()?)?);
        }
        Ok(())
    }),
    field("cwd", Of::Command, |draft, node, cx| {
        node.text()?;
        let text = expandable(draft, node)?;
        if text.is_empty() {
            return Err(node.problem("is empty", "leave it out or write a folder"));
        }
        draft.cwd = Some(resolved(node, paths::folder(&text, cx))?);
        Ok(())
    }),
    field("url", Of::Url, url),
    field("headers", Of::Url, |draft, node, _| {
        for (property, value) in node.members()? {
            let text = expandable(draft, &value)?;
            draft
                .headers
                .insert(property.name.as_str().to_owned(), text);
        }
        Ok(())
    }),
    field("executors", Of::Any, executors),
    field("placement", Of::Any, |draft, node, _| {
        draft.placement = Some(node.word(&Placement::ALL, Placement::as_str)?);
        Ok(())
    }),
    field("sharing", Of::Any, |draft, node, _| {
        draft.sharing = Some(node.word(&Sharing::ALL, Sharing::as_str)?);
        Ok(())
    }),
    field("lifecycle", Of::Any, |draft, node, _| {
        draft.lifecycle = Some(node.word(&Lifecycle::ALL, Lifecycle::as_str)?);
        Ok(())
    }),
    field("startupTimeout", Of::Any, |draft, node, _| {
        draft.startup_timeout = Some(node.timeout()?);
        draft.note(node.odd_seconds());
        Ok(())
    }),
    field("toolTimeout", Of::Any, |draft, node, _| {
        draft.tool_timeout = Some(node.timeout()?);
        draft.note(node.odd_seconds());
        Ok(())
    }),
    field("idleTimeout", Of::Any, |draft, node, _| {
        draft.idle_timeout = Some(node.duration()?);
        draft.note(node.odd_seconds());
        Ok(())
    }),
    field("enabled", Of::Any, |draft, node, _| {
        draft.set_enabled(node, node.flag()?)
    }),
    field("disabled", Of::Any, |draft, node, _| {
        draft.set_enabled(node, !node.flag()?)
    }),
    field("required", Of::Any, |draft, node, _| {
        draft.required = node.flag()?;
        Ok(())
    }),
    field("tools", Of::Any, |draft, node, _| {
        draft.tool_filter = tool_patterns::read(node)?;
        Ok(())
    }),
    field("about", Of::Any, |draft, node, _| {
        draft.about = Some(node.text()?.to_owned());
        Ok(())
    }),
    field("notReadyAdvice", Of::Any, |draft, node, _| {
        draft.not_ready_advice = Some(node.text()?.to_owned());
        Ok(())
    }),
    field("curated", Of::Any, |draft, node, _| {
        draft.curated = node.texts()?;
        Ok(())
    }),
];

fn transport(node: &Node<'_>) -> Result<Transport, Problem> {
    let text = node.text()?;
    match text.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "stdio" | "local" => Ok(Transport::Stdio),
        "http" | "streamablehttp" | "remote" => Ok(Transport::Http),
        "sse" => Ok(Transport::Sse),
        _ => {
            let what = format!("is {:?}, which is not known", shortened(text));
            Err(node.problem(
                &what,
                "write one of \"stdio\", \"http\", \"sse\", or leave it out",
            ))
        }
    }
}

/// Text, or a list of program and arguments, which one host writes.
fn command(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Result<(), Problem> {
    let Ok(mut items) = node.items() else {
        node.text()?;
        draft.command = Some(program(draft, node, cx)?);
        return Ok(());
    };
    if items.is_empty() {
        return Err(node.problem("is empty", "write the program to start"));
    }
    let arguments_after = items.split_off(1);
    for first in items {
        draft.command = Some(program(draft, &first, cx)?);
    }
    draft.args_of_command = arguments(draft, arguments_after, cx)?;
    Ok(())
}

fn program(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Result<String, Problem> {
    let text = expandable(draft, node)?;
    command_line::check(node, &text)?;
    resolved(node, paths::command(&text, cx))
}

fn arguments(
    draft: &mut Draft,
    items: Vec<Node<'_>>,
    cx: &Context<'_>,
) -> Result<Vec<String>, Problem> {
    let argument = |item: &Node<'_>| {
        let text = expandable(draft, item)?;
        resolved(item, paths::argument(&text, cx))
    };
    items.iter().map(argument).collect()
}

fn url(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Result<(), Problem> {
    node.text()?;
    let text = expandable(draft, node)?;
    let lower = text.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"));
    let has_host = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']));
    if !has_host && !text.contains("${") {
        return Err(node.problem("is not an http or https URL", "write \"https://host/path\""));
    }
    draft.url = Some(text);
    Ok(())
}

fn executors(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Result<(), Problem> {
    for item in node.items()? {
        let name: ExecutorName = item.text()?.parse().map_err(|_| {
            let what = "is not an executor name";
            item.problem(what, "use 1 to 16 of the characters a-z 0-9 -")
        })?;
        if draft.executor_ids.contains(&name) {
            return Err(item.problem("names an executor a second time", "remove it"));
        }
        if !name.is_local() {
            let what = format!(
                "is {:?}, and this version runs servers on \"local\" only",
                name.as_str()
            );
            draft.not_yet(item.problem(&what, "remove \"executors\" to run it on this machine"));
        }
        draft.executor_ids.push(name);
    }
    Ok(())
}

/// Text in which other hosts expand variables. That this version does not is noted in the draft.
fn expandable(draft: &mut Draft, node: &Node<'_>) -> Result<String, Problem> {
    let text = node.scalar()?;
    if let Some(problem) = expansion::problem(node, text) {
        draft.not_yet(problem);
    }
    Ok(text.to_owned())
}

fn variable(node: &Node<'_>, name: &str) -> Result<String, Problem> {
    if name.is_empty() || name.contains(['=', '\0']) {
        return Err(node.problem(
            "holds what is no name of a variable",
            "write names without =",
        ));
    }
    Ok(name.to_owned())
}

fn resolved(node: &Node<'_>, path: Result<String, paths::Unresolved>) -> Result<String, Problem> {
    path.map_err(|(what, remedy)| node.problem(what, remedy))
}
