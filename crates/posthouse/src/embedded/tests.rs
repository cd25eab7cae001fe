//! The embedded servers as a host sees them: calls in, texts compared.

use std::fs;
use std::os::unix::fs::symlink;

use mcp_proto::tool::{CallToolResult, Tool};
use mcp_proto::{Raw, RawObject};
use mcp_server::{ServeOptions, serve};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::*;

/// What a server answers to lines, one answer a line.
async fn answers(handler: Arc<dyn ServerHandler>, lines: &[String]) -> Vec<RawObject> {
    let (near, far) = tokio::io::duplex(1 << 20);
    let (reader, writer) = tokio::io::split(far);
    let session = tokio::spawn(serve(handler, reader, writer, ServeOptions::default()));
    let (reader, mut writer) = tokio::io::split(near);
    let mut reader = BufReader::new(reader).lines();
    let mut answers = Vec::new();
    for line in lines {
        writer
            .write_all(format!("{line}\n").as_bytes())
            .await
            .unwrap();
        let answer = reader.next_line().await.unwrap().unwrap();
        answers.push(serde_json::from_str(&answer).unwrap());
    }
    writer.shutdown().await.unwrap();
    session.await.unwrap();
    answers
}

async fn ask(handler: Arc<dyn ServerHandler>, method: &str, params: &str) -> RawObject {
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
    answers(handler, &[line]).await.remove(0)
}

/// Calls a tool; a failure that the model can read begins with `!`.
async fn call(handler: &Arc<dyn ServerHandler>, tool: &str, arguments: &str) -> String {
    let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
    let answer = ask(handler.clone(), "tools/call", &params).await;
    let result: CallToolResult = answer.get_as("result").unwrap();
    let failed = if result.is_error == Some(true) {
        "!"
    } else {
        ""
    };
    match result.content.as_slice() {
        [mcp_proto::content::ContentBlock::Text(text)] => format!("{failed}{}", text.text),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_tool_describes_itself_its_arguments_and_its_effects() {
    for (name, count) in [("clock", 2), ("folder", 3), ("notes", 4)] {
        let server = server(name, PathBuf::from(".")).unwrap();
        let answer = ask(server, "tools/list", "{}").await;
        let result: RawObject = answer.get_as("result").unwrap();
        let tools: Vec<Tool> = result.get_as("tools").unwrap();
        assert_eq!(tools.len(), count, "{name}");
        for tool in tools {
            let hints = tool.annotations.unwrap();
            assert!(hints.read_only_hint.is_some() && hints.open_world_hint == Some(false));
            assert!(tool.description.is_some_and(|text| text.ends_with('.')));
            let schema: RawObject = tool.input_schema.decode().unwrap();
            let arguments: RawObject = schema.get_as("properties").unwrap();
            for (argument, about) in arguments.iter() {
                let about: RawObject = about.decode().unwrap();
                assert!(about.get("description").is_some(), "{argument}");
            }
        }
    }
    assert!(
        NAMES
            .iter()
            .all(|name| server(name, PathBuf::new()).is_some())
    );
    assert!(server("other", PathBuf::new()).is_none());
}

#[tokio::test]
async fn clock_tells_and_converts_times_and_helps_with_names() {
    let clock: Arc<dyn ServerHandler> = Arc::new(clock::Clock {
        now: || "2026-11-30T10:12:44Z".parse().unwrap(),
    });
    let convert = |time: &str, from: &str, to: &str| {
        format!(r#"{{"time":"{time}","from":"{from}","to":"{to}"}}"#)
    };
    for (tool, arguments, text) in [
        ("now", "{}".to_owned(), "2026-11-30T10:12:44+00:00"),
        (
            "now",
            r#"{"zone":"Asia/Tokyo"}"#.to_owned(),
            "2026-11-30T19:12:44+09:00",
        ),
        (
            "now",
            r#"{"zone":"america/new_york"}"#.to_owned(),
            "2026-11-30T05:12:44-05:00",
        ),
        (
            "now",
            r#"{"zone":"tokyo"}"#.to_owned(),
            r#"!There is no time zone "tokyo"; did you mean Asia/Tokyo?"#,
        ),
        (
            "now",
            r#"{"zone":"New York"}"#.to_owned(),
            r#"!There is no time zone "New York"; did you mean America/New_York?"#,
        ),
        (
            "now",
            r#"{"zone":"Middle-earth"}"#.to_owned(),
            r#"!There is no time zone "Middle-earth"; names are like Asia/Tokyo, Europe/Berlin or UTC."#,
        ),
        (
            "now",
            r#"{"zone":7}"#.to_owned(),
            "!The arguments of now do not fit: invalid type: integer `7`, expected a string.",
        ),
        (
            "convert",
            "{}".to_owned(),
            "!The arguments of convert do not fit: missing field `time`.",
        ),
        (
            "convert",
            convert("2026-07-01T12:00", "Europe/Berlin", "UTC"),
            "2026-07-01T10:00:00+00:00",
        ),
        (
            "convert",
            convert("2026-12-01 12:00", "Europe/Berlin", "UTC"),
            "2026-12-01T11:00:00+00:00",
        ),
        (
            "convert",
            convert("01:00", "Asia/Tokyo", "UTC"),
            "2026-11-29T16:00:00+00:00",
        ),
        (
            "convert",
            convert("2026-07-01T12:00:00Z", "Asia/Tokyo", "Asia/Tokyo"),
            "2026-07-01T21:00:00+09:00",
        ),
        (
            "convert",
            convert("noon", "UTC", "UTC"),
            r#"!"noon" is no time that exists; write it as 2026-11-30T19:12 or 19:12."#,
        ),
    ] {
        assert_eq!(
            call(&clock, tool, &arguments).await,
            text,
            "{tool} {arguments}"
        );
    }
}

#[tokio::test]
async fn folder_shows_what_is_inside_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("root");
    fs::create_dir_all(root.join("docs")).unwrap();
    fs::write(root.join("docs/Intro.md"), "hello").unwrap();
    fs::write(root.join("data.bin"), [0, 159, 146]).unwrap();
    fs::write(root.join("long.txt"), "é".repeat(200_000)).unwrap();
    fs::write(place.path().join("secret"), "secret").unwrap();
    symlink(place.path().join("secret"), root.join("out")).unwrap();
    symlink(place.path(), root.join("up")).unwrap();
    symlink(root.join("docs"), root.join("in")).unwrap();
    let folder: Arc<dyn ServerHandler> = Arc::new(folder(root));
    for (tool, argument, text) in [
        (
            "list",
            "{}",
            "data.bin 3\ndocs/\nin\nlong.txt 400000\nout\nup",
        ),
        ("list", r#"{"path":"./docs"}"#, "Intro.md 5"),
        ("list", r#"{"path":"in"}"#, "Intro.md 5"),
        (
            "list",
            r#"{"path":"none"}"#,
            r#"!"none" does not exist; list its folder or find it by name."#,
        ),
        (
            "list",
            r#"{"path":".."}"#,
            r#"!".." is outside the folder; paths are relative to it."#,
        ),
        ("read", r#"{"path":"docs/Intro.md"}"#, "hello"),
        (
            "read",
            r#"{"path":"docs"}"#,
            r#"!"docs" is no file; list it instead."#,
        ),
        (
            "read",
            r#"{"path":"data.bin"}"#,
            r#"!"data.bin" is no text file."#,
        ),
        (
            "read",
            r#"{"path":"out"}"#,
            r#"!"out" is outside the folder; paths are relative to it."#,
        ),
        (
            "read",
            r#"{"path":"up/secret"}"#,
            r#"!"up/secret" is outside the folder; paths are relative to it."#,
        ),
        (
            "read",
            r#"{"path":"docs/../../secret"}"#,
            r#"!"docs/../../secret" is outside the folder; paths are relative to it."#,
        ),
        (
            "read",
            r#"{"path":"/etc/hostname"}"#,
            r#"!"/etc/hostname" is outside the folder; paths are relative to it."#,
        ),
        ("find", r#"{"pattern":"INTRO"}"#, "docs/Intro.md"),
        ("find", r#"{"pattern":"docs*"}"#, "docs/\ndocs/Intro.md"),
        ("find", r#"{"pattern":"d*i*.md"}"#, "docs/Intro.md"),
        (
            "find",
            r#"{"pattern":"*.m"}"#,
            "Nothing fits; try a shorter part of the name.",
        ),
        (
            "find",
            r#"{"pattern":"secret"}"#,
            "Nothing fits; try a shorter part of the name.",
        ),
        (
            "find",
            r#"{"pattern":" "}"#,
            "!The pattern is empty; give a part of a path.",
        ),
    ] {
        assert_eq!(
            call(&folder, tool, argument).await,
            text,
            "{tool} {argument}"
        );
    }
    let long = call(&folder, "read", r#"{"path":"long.txt"}"#).await;
    assert!(long.ends_with("é\n[the first 262144 of 400000 bytes]"));
}

#[tokio::test]
async fn notes_are_added_read_and_removed() {
    let notes: Arc<dyn ServerHandler> = Arc::new(notes());
    let no_note = r#"!There is no note "to do"; `list` shows what there is."#;
    for (tool, arguments, text) in [
        ("list", "{}", "welcome\ngroceries"),
        ("get", r#"{"title":"to do"}"#, no_note),
        (
            "add",
            r#"{"title":" to do ","text":"a"}"#,
            r#"Added "to do"."#,
        ),
        (
            "add",
            r#"{"title":"to do","text":"b"}"#,
            r#"Replaced "to do"."#,
        ),
        ("get", r#"{"title":"to do"}"#, "b"),
        (
            "add",
            r#"{"title":"","text":"a"}"#,
            "!A title is one line of 1 to 100 bytes.",
        ),
        ("remove", r#"{"title":"welcome"}"#, r#"Removed "welcome"."#),
        (
            "remove",
            r#"{"title":"groceries"}"#,
            r#"Removed "groceries"."#,
        ),
    ] {
        assert_eq!(
            call(&notes, tool, arguments).await,
            text,
            "{tool} {arguments}"
        );
    }
    let result = |answer: RawObject| answer.get("result").map(|raw| raw.get().to_owned());
    let list = ask(notes.clone(), "resources/list", "{}").await;
    let listed = r#"{"resources":[{"uri":"note:///to%20do","name":"to do","mimeType":"text/plain","size":1}]}"#;
    assert_eq!(result(list).as_deref(), Some(listed));
    let read = ask(
        notes.clone(),
        "resources/read",
        r#"{"uri":"note:///to%20do"}"#,
    )
    .await;
    let text = r#"{"contents":[{"uri":"note:///to%20do","mimeType":"text/plain","text":"b"}]}"#;
    assert_eq!(result(read).as_deref(), Some(text));
    let prompt = r#"{"name":"summarise","arguments":{"title":"to do"}}"#;
    let asked = ask(notes.clone(), "prompts/get", prompt).await;
    let filled = r#"{"description":"Summarise a note in one sentence.","messages":[{"role":"user","content":{"type":"text","text":"Summarise this note in one sentence.\n\nto do\n\nb"}}]}"#;
    assert_eq!(result(asked).as_deref(), Some(filled));
    let missing = ask(notes, "resources/read", r#"{"uri":"note:///x"}"#).await;
    assert_eq!(
        missing.get("error").map(Raw::get),
        Some(
            r#"{"code":-32002,"message":"unknown resource \"note:///x\"","data":{"uri":"note:///x"}}"#
        )
    );
}

#[tokio::test]
async fn a_note_that_comes_or_goes_ticks_the_resources() {
    let notes = notes();
    let changes = notes.changes(mcp_proto::list::ListKind::Resources).unwrap();
    let notes: Arc<dyn ServerHandler> = Arc::new(notes);
    call(&notes, "add", r#"{"title":"welcome","text":"again"}"#).await;
    assert_eq!(*changes.borrow(), 0, "the same notes");
    call(&notes, "add", r#"{"title":"new","text":""}"#).await;
    call(&notes, "remove", r#"{"title":"new"}"#).await;
    assert_eq!(*changes.borrow(), 2);
}
