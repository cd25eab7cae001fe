//! A program between two others that keeps what they say, byte for byte.
//!
//! `recording-shim FOLDER PROGRAM [ARG…]` runs the program and passes its stdin and stdout on. Each
//! process of it writes two files, named for its id: `<pid>.sent`, what went to the program, and
//! `<pid>.received`, what came from it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::installed::text;

/// The program itself.
pub fn main() -> io::Result<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let (Some(folder), Some(program)) = (words.next(), words.next()) else {
        writeln!(io::stderr(), "usage: recording-shim FOLDER PROGRAM [ARG…]")?;
        return Ok(ExitCode::from(2));
    };
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    let file = |end| File::create(folder.join(format!("{}.{end}", std::process::id())));
    let (received, sent) = (file("received")?, file("sent")?);
    let mut child = Command::new(program)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    // Nobody waits for this one: it may wait for a host that has nothing more to say.
    thread::spawn(|| pass(io::stdin(), input, sent));
    // A host that does not listen any more misses nothing.
    pass(output, io::stdout(), received).ok();
    let code = child.wait()?.code().unwrap_or(1);
    Ok(u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Passes everything on, and its end. It is in the file before the other side can act on it.
fn pass(mut from: impl Read, mut to: impl Write, mut file: File) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        file.write_all(&buffer[..count])?;
        to.write_all(&buffer[..count])?;
        to.flush()?;
    }
}

/// A place between two programs.
#[derive(Clone, Debug)]
pub struct Shim {
    program: String,
    folder: PathBuf,
}

impl Shim {
    /// `program` is the shim's; `folder` is made by it.
    pub fn new(program: &str, folder: PathBuf) -> Self {
        Shim {
            program: program.to_owned(),
            folder,
        }
    }

    /// The command that runs `command` behind the shim.
    pub fn before(&self, command: Vec<String>) -> Vec<String> {
        let shim = [self.program.clone(), text(self.folder.clone())];
        shim.into_iter().chain(command).collect()
    }

    /// What was said, one for each process that was started. There is at least one.
    pub fn conversations(&self) -> Vec<Conversation> {
        let files = fs::read_dir(&self.folder).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let sent = files.filter(|file| file.extension().is_some_and(|it| it == "sent"));
        let all: Vec<_> = sent.map(|file| Conversation::read(&file)).collect();
        assert!(!all.is_empty(), "nobody came by");
        all
    }
}

/// The lines that went to a program and those that came back.
#[derive(Debug)]
pub struct Conversation {
    /// To the program.
    pub sent: Vec<String>,
    /// From the program.
    pub received: Vec<String>,
}

impl Conversation {
    fn read(sent: &Path) -> Self {
        let lines = |file: &Path| {
            let text = fs::read_to_string(file).unwrap();
            text.lines().map(str::to_owned).collect()
        };
        Conversation {
            sent: lines(sent),
            received: lines(&sent.with_extension("received")),
        }
    }

    /// The requests and notifications that went to the program.
    pub fn asked(&self) -> Vec<Value> {
        messages(&self.sent)
    }

    /// The requests and notifications that came from the program.
    pub fn told(&self) -> Vec<Value> {
        messages(&self.received)
    }

    /// The answers to `tools/list`: in each, every tool with its own bytes.
    pub fn tool_lists(&self) -> Vec<Vec<String>> {
        let answers = self.received.iter().filter_map(|line| {
            let Answer { result } = serde_json::from_str(line).ok()?;
            let Tools { tools } = serde_json::from_str(result?.get()).ok()?;
            Some(tools.iter().map(|tool| tool.get().to_owned()).collect())
        });
        answers.collect()
    }
}

fn messages(lines: &[String]) -> Vec<Value> {
    let messages = lines.iter().map(|line| serde_json::from_str(line).unwrap());
    messages
        .filter(|message: &Value| message["method"].is_string())
        .collect()
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Tools<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
}
