//! `posthouse remove`: a server less in the user's file, and nothing else changed.

use mcp_config::remove_server;
use serde_json::json;

use crate::cli::Global;
use crate::environment::Environment;
use crate::outcome::{Failure, Outcome};
use crate::user_file::{UserFile, explained};

pub(super) fn run(
    name: &str,
    global: &Global,
    environment: &Environment,
) -> Result<Outcome, Failure> {
    let file = UserFile::read(global.config.as_deref(), environment)?;
    let cx = file.context(environment);
    let text = remove_server(&file.text, &cx, name)
        .map_err(|error| Failure::usage(format!("failed to {error}")))?;
    let removed = explained(&file.text, &cx, name)?;
    let backup = file.replace(&text)?;
    let path = cx.path.display();
    let kept = match &backup {
        Some(backup) => format!("; the file as it was is {}", backup.display()),
        None => String::new(),
    };
    let text = format!("removed {name} from {path}{kept}\n{}", removed.text);
    let data = json!({ "file": cx.path, "backup": backup, "removed": removed.json });
    Ok(Outcome::done(text, &data))
}
