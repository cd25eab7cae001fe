//! How the values of an entry's keys are read into a draft.

use mcp_definitions::{ExecutorName, Lifecycle, Placement, Sharing};

use crate::draft::{Draft, Transport};
use crate::node::{Node, shortened};
use crate::problem::Problem;
use crate::text::{Role, Text};
use crate::{Context, tool_patterns};

type Done = Result<(), Problem>;

pub(super) fn transport(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    let text = node.text()?;
    let transport = match text.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "stdio" | "local" => Transport::Stdio,
        "http" | "streamablehttp" | "remote" => Transport::Http,
        "sse" => Transport::Sse,
        _ => {
            let what = format!("is {:?}, which is not known", shortened(text));
            let remedy = "write one of \"stdio\", \"http\", \"sse\", or leave it out";
            return Err(node.problem(&what, remedy));
        }
    };
    draft.transport = Some(transport);
    Ok(())
}

/// Text, or a list of program and arguments, which one host writes.
pub(super) fn command(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    let Ok(mut items) = node.items() else {
        if node.members().is_ok() {
            let what = "must be text, not an object";
            return Err(node.problem(what, "write \"command\": \"…\", \"args\": [\"…\"]"));
        }
        node.text()?;
        draft.command = Some(text(draft, node, Role::Program, cx)?);
        return Ok(());
    };
    if items.is_empty() {
        return Err(node.problem("is empty", "write the program to start"));
    }
    let arguments_after = items.split_off(1);
    for first in items {
        draft.command = Some(text(draft, &first, Role::Program, cx)?);
    }
    draft.args_of_command = texts(draft, &arguments_after, cx)?;
    Ok(())
}

pub(super) fn args(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    draft.args = Some(texts(draft, &node.items()?, cx)?);
    Ok(())
}

pub(super) fn env(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    for (property, value) in node.members()? {
        // Under the label of the whole: such a name may be `TOKEN=value`.
        let name = variable(node, property.name.as_str())?;
        let value = text(draft, &value, Role::Variable, cx)?;
        draft.env.insert(name, value);
    }
    Ok(())
}

pub(super) fn env_file(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    draft.env_file = Some(text(draft, node, Role::File, cx)?);
    Ok(())
}

pub(super) fn inherit_env(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    for item in node.items()? {
        draft.inherit_env.push(variable(&item, item.text()?)?);
    }
    Ok(())
}

pub(super) fn cwd(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    draft.cwd = Some(text(draft, node, Role::Folder, cx)?);
    Ok(())
}

pub(super) fn url(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    draft.url = Some(text(draft, node, Role::Url, cx)?);
    Ok(())
}

pub(super) fn headers(draft: &mut Draft, node: &Node<'_>, cx: &Context<'_>) -> Done {
    for (property, value) in node.members()? {
        let name = property.name.as_str();
        if !is_header(name) {
            // Under the label of the whole: such a name may be `Authorization: value`.
            let what = "holds what is no name of a header";
            return Err(node.problem(what, "write { \"NAME\": \"value\" }"));
        }
        let value = text(draft, &value, Role::Header, cx)?;
        draft.headers.insert(name.to_owned(), value);
    }
    Ok(())
}

pub(super) fn executors(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
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

pub(super) fn placement(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.placement = Some(node.word(&Placement::ALL, Placement::as_str)?);
    Ok(())
}

pub(super) fn sharing(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.sharing = Some(node.word(&Sharing::ALL, Sharing::as_str)?);
    Ok(())
}

pub(super) fn lifecycle(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.lifecycle = Some(node.word(&Lifecycle::ALL, Lifecycle::as_str)?);
    Ok(())
}

pub(super) fn startup_timeout(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.startup_timeout = Some(node.timeout()?);
    draft.note(node.odd_seconds());
    Ok(())
}

pub(super) fn tool_timeout(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.tool_timeout = Some(node.timeout()?);
    draft.note(node.odd_seconds());
    Ok(())
}

pub(super) fn idle_timeout(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.idle_timeout = Some(node.duration()?);
    draft.note(node.odd_seconds());
    Ok(())
}

pub(super) fn enabled(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.set_enabled(node, node.flag()?)
}

pub(super) fn disabled(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.set_enabled(node, !node.flag()?)
}

pub(super) fn required(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.required = node.flag()?;
    Ok(())
}

pub(super) fn tools(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.tool_filter = tool_patterns::read(node)?;
    Ok(())
}

pub(super) fn about(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.about = Some(node.text()?.to_owned());
    Ok(())
}

pub(super) fn not_ready_advice(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.not_ready_advice = Some(node.text()?.to_owned());
    Ok(())
}

pub(super) fn curated(draft: &mut Draft, node: &Node<'_>, _: &Context<'_>) -> Done {
    draft.curated = node.texts()?;
    Ok(())
}

/// Text that may ask for values. That it asks for what cannot be had is noted in the draft.
fn text(draft: &mut Draft, node: &Node<'_>, role: Role, cx: &Context<'_>) -> Result<Text, Problem> {
    let (text, problem) = Text::read(node, role, cx)?;
    draft.note(text.odd());
    if let Some(problem) = problem {
        draft.not_yet(problem);
    }
    Ok(text)
}

fn texts(draft: &mut Draft, items: &[Node<'_>], cx: &Context<'_>) -> Result<Vec<Text>, Problem> {
    let argument = |item| text(draft, item, Role::Argument, cx);
    items.iter().map(argument).collect()
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

fn is_header(name: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(legal)
}
