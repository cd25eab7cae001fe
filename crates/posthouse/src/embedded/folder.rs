//! The embedded server `folder`: a view of one folder that reads and never writes.

use std::collections::VecDeque;
use std::fs;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use async_trait::async_trait;
use mcp_proto::capabilities::ListCapability;
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, error_object};
use mcp_server::{
    ArgumentType, List, Reply, RequestContext, ServerDescription, ServerHandler, ToolFailure,
    ToolSpec, arguments, unknown_tool,
};
use serde::Deserialize;

use super::path_pattern::fits;

/// How many bytes of a file are read.
const MAX_READ: u64 = 256 * 1024;
/// How many lines a list has.
const MAX_LINES: usize = 500;
/// How many files and folders are looked at for one call.
const MAX_VISITED: usize = 20_000;

/// A server that shows the folder `root` and nothing outside it, whatever links point there.
pub(crate) fn folder(root: PathBuf) -> impl ServerHandler {
    Folder { root }
}

#[derive(Clone)]
struct Folder {
    root: PathBuf,
}

#[derive(Deserialize)]
struct ListFolder {
    path: Option<String>,
}

#[derive(Deserialize)]
struct ReadFile {
    path: String,
}

#[derive(Deserialize)]
struct Find {
    pattern: String,
}

#[async_trait]
impl ServerHandler for Folder {
    fn describe(&self) -> ServerDescription {
        let mut server = ServerDescription::new("folder", env!("CARGO_PKG_VERSION"));
        server.capabilities.tools = Some(ListCapability::default());
        server.instructions = Some(
            "Shows one folder, read only. Paths are relative to it, such as docs/intro.md. Use `find` \
             when you know a name but not where it is."
                .to_owned(),
        );
        server
    }

    async fn list(&self, _: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        let tools = [
            ToolSpec::new(
                "list",
                "Lists the files and folders in a folder, one a line: folders end in `/`, files are \
                 followed by their size in bytes.",
            )
            .optional(
                "path",
                ArgumentType::String,
                "The folder, relative to the root, such as docs. Default: the root itself.",
            ),
            ToolSpec::new(
                "read",
                "Reads a text file. Of a file larger than 256 KiB the beginning is given.",
            )
            .required(
                "path",
                ArgumentType::String,
                "The file, relative to the root, such as docs/intro.md.",
            ),
            ToolSpec::new(
                "find",
                "Finds files and folders by name, in every folder below the root. Gives their paths, \
                 one a line.",
            )
            .required(
                "pattern",
                ArgumentType::String,
                "A part of the path, such as report; or a pattern for the whole path in which `*` \
                 stands for anything, such as docs/*.md. Case does not matter.",
            ),
        ];
        Ok(List::of(tools.map(|tool| tool.read_only().closed_world())))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let folder = self.clone();
        // A disk may be slow, and a slow disk must not hold up other calls.
        let work = tokio::task::spawn_blocking(move || {
            Ok(match params.name.as_str() {
                "list" => arguments(&params).and_then(|asked| folder.entries(asked)),
                "read" => arguments(&params).and_then(|asked| folder.read(asked)),
                "find" => arguments(&params).and_then(|asked| folder.find(asked)),
                other => return Err(unknown_tool(other)),
            })
        });
        let failed = |error| ErrorObject::new(error_object::INTERNAL_ERROR, format!("{error}"));
        Ok(work.await.map_err(failed)??.into())
    }
}

impl Folder {
    fn entries(&self, ListFolder { path }: ListFolder) -> Result<String, ToolFailure> {
        let path = path.unwrap_or_default();
        let folder = self.resolve(&path)?;
        let entries = fs::read_dir(folder).map_err(|error| failed("list", &path, error))?;
        let mut lines = Vec::new();
        for entry in entries.take(MAX_VISITED).flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            lines.push(match entry.metadata() {
                Ok(about) if about.is_dir() => format!("{name}/"),
                Ok(about) if about.is_file() => format!("{name} {}", about.len()),
                _ => name,
            });
        }
        Ok(shown(lines, "The folder is empty."))
    }

    fn read(&self, ReadFile { path }: ReadFile) -> Result<String, ToolFailure> {
        let real = self.resolve(&path)?;
        let about = fs::metadata(&real).map_err(|error| failed("read", &path, error))?;
        // Whatever else there is, such as a pipe, might never end.
        if !about.is_file() {
            return Err(ToolFailure(format!(
                "{path:?} is no file; list it instead."
            )));
        }
        let mut bytes = Vec::new();
        fs::File::open(&real)
            .and_then(|file| file.take(MAX_READ).read_to_end(&mut bytes))
            .map_err(|error| failed("read", &path, error))?;
        let is_cut = about.len() > MAX_READ;
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // The cut may have gone through a character.
            Err(error) if is_cut && error.error_len().is_none() => {
                std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(_) => return Err(ToolFailure(format!("{path:?} is no text file."))),
        };
        Ok(match is_cut {
            true => format!(
                "{text}\n[the first {} of {} bytes]",
                text.len(),
                about.len()
            ),
            false => text.to_owned(),
        })
    }

    fn find(&self, Find { pattern }: Find) -> Result<String, ToolFailure> {
        let root = self.resolve("")?;
        let pattern = pattern.trim().to_lowercase();
        if pattern.is_empty() {
            return Err("The pattern is empty; give a part of a path.".into());
        }
        let mut found = Vec::new();
        // What is near the root is looked at first, before the limit is reached.
        let mut waiting = VecDeque::from([root.clone()]);
        let mut visited = 0;
        while let Some(folder) = waiting.pop_front() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                visited += 1;
                if visited > MAX_VISITED {
                    let found = shown(found, "Nothing fits so far.");
                    return Ok(format!("{found}\n[only {MAX_VISITED} were looked at]"));
                }
                let path = entry.path();
                let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy();
                // Links are not followed: they may lead out or round in circles.
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if fits(&pattern, &name.to_lowercase()) {
                    found.push(format!("{name}{}", if is_folder { "/" } else { "" }));
                }
                if is_folder {
                    waiting.push_back(path);
                }
            }
        }
        Ok(shown(
            found,
            "Nothing fits; try a shorter part of the name.",
        ))
    }

    /// Where a path really is, which must be inside the root, also when links lead there.
    fn resolve(&self, path: &str) -> Result<PathBuf, ToolFailure> {
        let relative = Path::new(path);
        let is_inside = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let outside = || {
            ToolFailure(format!(
                "{path:?} is outside the folder; paths are relative to it."
            ))
        };
        if !is_inside {
            return Err(outside());
        }
        let root = fs::canonicalize(&self.root).map_err(|error| failed("open", "", error))?;
        let real =
            fs::canonicalize(root.join(relative)).map_err(|error| failed("open", path, error))?;
        let is_inside = real.starts_with(&root);
        is_inside.then_some(real).ok_or_else(outside)
    }
}

fn failed(what: &str, path: &str, error: std::io::Error) -> ToolFailure {
    let path = if path.is_empty() { "." } else { path };
    ToolFailure(match error.kind() {
        std::io::ErrorKind::NotFound => {
            format!("{path:?} does not exist; list its folder or find it by name.")
        }
        _ => format!("Failed to {what} {path:?}: {error}."),
    })
}

/// Lines in order, as many as are bearable.
fn shown(mut lines: Vec<String>, nothing: &str) -> String {
    if lines.is_empty() {
        return nothing.to_owned();
    }
    lines.sort();
    let count = lines.len();
    if count > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push(format!("[the first {MAX_LINES} of {count}]"));
    }
    lines.join("\n")
}
