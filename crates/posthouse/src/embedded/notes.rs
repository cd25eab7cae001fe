//! The embedded server `notes`: a store of notes that lasts as long as the server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use mcp_proto::ErrorObject;
use mcp_proto::capabilities::ListCapability;
use mcp_proto::content::{ContentBlock, Role};
use mcp_proto::list::ListKind;
use mcp_proto::prompt::{GetPromptParams, GetPromptResult, Prompt, PromptArgument, PromptMessage};
use mcp_proto::resource::{ReadResourceParams, ReadResourceResult, ResourceContents};
use mcp_proto::tool::CallToolParams;
use mcp_server::{
    ArgumentType, List, Reply, RequestContext, ServerDescription, ServerHandler, ToolFailure,
    ToolSpec, arguments, unknown_prompt, unknown_resource, unknown_tool,
};
use serde::Deserialize;
use tokio::sync::watch;

use super::note::Note;

/// How many notes are kept at most, and how long each part of one may be, in bytes.
const MAX_NOTES: usize = 1000;
const MAX_TITLE: usize = 100;
const MAX_TEXT: usize = 64 * 1024;

/// A server that keeps notes in memory. It starts with two.
pub(crate) fn notes() -> impl ServerHandler {
    let note = |title: &str, text: &str| Note {
        title: title.to_owned(),
        text: text.to_owned(),
    };
    Notes {
        notes: Mutex::new(vec![
            note("welcome", "These notes are gone when the server stops."),
            note("groceries", "Bread, olives, and something for Sunday."),
        ]),
        changes: watch::Sender::new(0),
    }
}

struct Notes {
    /// In the order they were added.
    notes: Mutex<Vec<Note>>,
    /// Ticks when there is another set of notes, and with it of resources.
    changes: watch::Sender<u64>,
}

#[derive(Deserialize)]
struct Add {
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Titled {
    title: String,
}

#[derive(Deserialize)]
struct Nothing {}

#[async_trait]
impl ServerHandler for Notes {
    fn describe(&self) -> ServerDescription {
        let mut server = ServerDescription::new("notes", env!("CARGO_PKG_VERSION"));
        server.capabilities.tools = Some(ListCapability::default());
        server.capabilities.resources = Some(ListCapability::changing());
        server.capabilities.prompts = Some(ListCapability::default());
        server.instructions = Some(
            "Keeps short notes by title for as long as it runs. Each is also a resource.".into(),
        );
        server
    }

    async fn list(&self, kind: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        Ok(match kind {
            ListKind::Tools => List::of(tools()),
            ListKind::Prompts => List::of([summarise()]),
            ListKind::Resources => List::of(self.notes().iter().map(Note::resource)),
            ListKind::ResourceTemplates => List::new([]),
        })
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let outcome = match params.name.as_str() {
            "add" => arguments(&params).and_then(|asked| self.add(asked)),
            "get" => arguments(&params).and_then(|asked: Titled| self.text(&asked.title)),
            "list" => arguments(&params).map(|Nothing {}| self.titles()),
            "remove" => arguments(&params).and_then(|asked| self.remove(asked)),
            other => return Err(unknown_tool(other)),
        };
        Ok(outcome.into())
    }

    async fn read_resource(
        &self,
        params: ReadResourceParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let notes = self.notes();
        let Some(note) = notes.iter().find(|note| note.uri() == params.uri) else {
            return Err(unknown_resource(&params.uri));
        };
        let contents = ResourceContents {
            uri: params.uri,
            mime_type: Some("text/plain".to_owned()),
            text: Some(note.text.clone()),
            ..ResourceContents::default()
        };
        Ok(ReadResourceResult {
            contents: vec![contents],
            ..ReadResourceResult::default()
        }
        .into())
    }

    async fn get_prompt(
        &self,
        params: GetPromptParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        if params.name != "summarise" {
            return Err(unknown_prompt(&params.name));
        }
        let arguments = params.arguments.unwrap_or_default();
        let title = arguments.get("title").map_or("", |title| title);
        let text = self.text(title).map_err(ErrorObject::invalid_params)?;
        let request = format!("Summarise this note in one sentence.\n\n{title}\n\n{text}");
        Ok(GetPromptResult {
            description: summarise().description,
            messages: vec![PromptMessage {
                role: Role::User,
                content: ContentBlock::text(request),
                ..PromptMessage::default()
            }],
            ..GetPromptResult::default()
        }
        .into())
    }

    fn changes(&self, kind: ListKind) -> Option<watch::Receiver<u64>> {
        (kind == ListKind::Resources).then(|| self.changes.subscribe())
    }
}

impl Notes {
    fn notes(&self) -> MutexGuard<'_, Vec<Note>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, Add { title, text }: Add) -> Result<String, ToolFailure> {
        let title = title.trim().to_owned();
        if !(1..=MAX_TITLE).contains(&title.len()) || title.contains(char::is_control) {
            return Err(format!("A title is one line of 1 to {MAX_TITLE} bytes.").into());
        }
        if text.len() > MAX_TEXT {
            return Err(format!("The text is longer than {MAX_TEXT} bytes; shorten it.").into());
        }
        let mut notes = self.notes();
        if let Some(note) = notes.iter_mut().find(|note| note.title == title) {
            note.text = text;
            return Ok(format!("Replaced {title:?}."));
        }
        if notes.len() >= MAX_NOTES {
            return Err(format!("There are {MAX_NOTES} notes already; remove one first.").into());
        }
        let added = format!("Added {title:?}.");
        notes.push(Note { title, text });
        self.changes.send_modify(|generation| *generation += 1);
        Ok(added)
    }

    fn text(&self, title: &str) -> Result<String, ToolFailure> {
        let notes = self.notes();
        let note = notes.iter().find(|note| note.title == title.trim());
        let text = note.map(|note| note.text.clone());
        text.ok_or_else(|| no_note(title))
    }

    fn titles(&self) -> String {
        let notes = self.notes();
        let titles: Vec<_> = notes.iter().map(|note| note.title.as_str()).collect();
        match titles.is_empty() {
            true => "There are no notes.".to_owned(),
            false => titles.join("\n"),
        }
    }

    fn remove(&self, Titled { title }: Titled) -> Result<String, ToolFailure> {
        let mut notes = self.notes();
        let place = notes.iter().position(|note| note.title == title.trim());
        let removed = notes.remove(place.ok_or_else(|| no_note(&title))?);
        self.changes.send_modify(|generation| *generation += 1);
        Ok(format!("Removed {:?}.", removed.title))
    }
}

fn no_note(title: &str) -> ToolFailure {
    ToolFailure(format!(
        "There is no note {title:?}; `list` shows what there is."
    ))
}

fn tools() -> [ToolSpec; 4] {
    let title = "The title of the note, as `list` shows it.";
    [
        ToolSpec::new(
            "add",
            "Adds a note, or replaces the text of the one with that title.",
        )
        .required("title", ArgumentType::String, "A short title on one line.")
        .required("text", ArgumentType::String, "What to remember.")
        .writes(true)
        .idempotent(),
        ToolSpec::new("get", "Reads the text of a note.")
            .required("title", ArgumentType::String, title)
            .read_only(),
        ToolSpec::new("list", "Lists the titles of all notes, one a line.").read_only(),
        ToolSpec::new("remove", "Removes a note for good.")
            .required("title", ArgumentType::String, title)
            .writes(true),
    ]
    .map(ToolSpec::closed_world)
}

fn summarise() -> Prompt {
    Prompt {
        name: "summarise".to_owned(),
        description: Some("Summarise a note in one sentence.".to_owned()),
        arguments: Some(vec![PromptArgument {
            name: "title".to_owned(),
            description: Some("The title of the note.".to_owned()),
            required: Some(true),
            ..PromptArgument::default()
        }]),
        ..Prompt::default()
    }
}
