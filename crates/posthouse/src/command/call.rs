//! `posthouse call`: one call of one tool.

use mcp_manager::{CallOptions, Manager, ToolCall, printable};
use mcp_proto::content::ContentBlock;
use mcp_proto::tool::CallToolResult;

use crate::cli::Global;
use crate::command::describe::Named;
use crate::exit::Exit;
use crate::outcome::{Failure, Outcome};
use crate::tool_arguments;

pub(super) async fn run(
    manager: &Manager,
    tool: &str,
    words: &[String],
    global: &Global,
) -> Result<Outcome, Failure> {
    // Server and tool apart: the first word is a server, and the second cannot be an argument.
    let (server, tool, words) = match words {
        [second, rest @ ..]
            if manager.connection(tool).is_some()
                && !second.contains('=')
                && !second.starts_with('{') =>
        {
            (Some(tool.to_owned()), second.as_str(), rest)
        }
        _ => (None, tool, words),
    };
    let named = Named::find(manager, server, tool, global).await?;
    let found = named.directory.tool(&named.server, &named.tool);
    let found = found.ok_or_else(|| Failure::unavailable("the tool has gone"))?;
    let arguments = tool_arguments::parse(words, &found.tool.tool.input_schema).map_err(|why| {
        Failure::usage(format!("{}: {why}\n  {}", found.reference(), found.line()))
    })?;
    let call = ToolCall::new(&named.tool, Some(arguments));
    let result = manager
        .call(&named.server, &call, CallOptions::default())
        .await?;
    let decoded: CallToolResult = result.decode().map_err(|error| Failure {
        message: format!("{}: the result does not decode: {error}", found.reference()),
        exit: Exit::ToolError,
    })?;
    let exit = if decoded.is_error == Some(true) {
        Exit::ToolError
    } else {
        Exit::Done
    };
    Ok(Outcome {
        text: text(&decoded),
        json: result,
        exit,
        is_result: true,
    })
}

/// The result for a person: text as it is, everything else in a line.
pub(super) fn text(result: &CallToolResult) -> String {
    let mut parts: Vec<String> = result.content.iter().map(block).collect();
    if parts.is_empty()
        && let Some(structured) = &result.structured_content
    {
        parts.push(structured.get().to_owned());
    }
    parts.join("\n")
}

fn block(block: &ContentBlock) -> String {
    let media = |kind: &str, mime: &str, base64: &str| {
        format!(
            "[{kind} {}, {} bytes of base64; --json shows it]",
            printable(mime, 60),
            base64.len()
        )
    };
    match block {
        ContentBlock::Text(text) => shown(&text.text),
        ContentBlock::Image(image) => media("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => media("audio", &audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => format!("[resource {}]", printable(&link.uri, 500)),
        ContentBlock::Resource(resource) => match &resource.resource.text {
            Some(text) => shown(text),
            None => format!(
                "[resource {}; --json shows it]",
                printable(&resource.resource.uri, 500)
            ),
        },
        ContentBlock::Unknown(raw) => printable(raw.get(), 500),
    }
}

/// A server's text for a terminal: what would move the cursor or change colours is left out.
fn shown(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}
