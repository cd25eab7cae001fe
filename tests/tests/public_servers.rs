//! The command line on three real public servers, as `examples/public-servers.json` names them.
//!
//! `cargo xtask gates servers` installs them and runs this.

use std::fs;

use serde_json::Value;
use tests::installed::{PublicServer, example, examples, servers, text};
use tests::line_client::tools_of;
use tests::process_table::MARK;
use tests::programs;
use tests::run::Ran;
use tests::world::World;

/// `posthouse --config examples/public-servers.json …` to its end, after which nothing is left.
fn posthouse(args: &[&str]) -> Ran {
    // The example names them by their place; what is not there shall be said by name.
    servers();
    let world = World::new(programs!());
    let config = text(example());
    world.run(&[&["--config", &config], args].concat())
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap()
}

#[tokio::test]
async fn list_shows_all_three_ready_with_every_tool_as_its_server_describes_it() {
    let list = posthouse(&["list", "--json"]).exits(0).json();
    let shown = list["servers"].as_array().unwrap();
    let states = shown
        .iter()
        .map(|it| (name(it), it["state"].as_str().unwrap()));
    let ready = PublicServer::ALL.map(|server| (server.id(), "ready"));
    assert_eq!(states.collect::<Vec<_>>(), ready);
    for (server, shown) in PublicServer::ALL.into_iter().zip(shown) {
        let (shown, own) = (shown["tools"].as_array().unwrap(), tools_of(server).await);
        let names = |tools: &[Value]| tools.iter().map(|it| name(it).to_owned()).collect();
        let (shown_names, own_names): (Vec<String>, Vec<String>) = (names(shown), names(&own));
        assert!(!own.is_empty(), "{}", server.id());
        assert_eq!(shown_names, own_names, "{}", server.id());
        assert_eq!(*shown, own, "{}", server.id());
    }
}

#[tokio::test]
async fn the_list_for_people_names_every_tool() {
    let mut list = posthouse(&["list"]).exits(0);
    for server in PublicServer::ALL {
        let (id, tools) = (server.id(), tools_of(server).await);
        list = list.prints(&format!("{id}: ready, {} tools, ", tools.len()));
        for tool in tools {
            list = list.prints(&format!("  {id}/{} {{", name(&tool)));
        }
    }
}

#[test]
fn a_call_reaches_everything() {
    let echo = posthouse(&["call", "everything/echo", "message=good morning"]).exits(0);
    assert_eq!(echo.stdout, "Echo: good morning\n");
    let sum = posthouse(&["call", "everything", "get-sum", "--json", "a=2", "b=0.5"]).exits(0);
    let text = "The sum of 2 and 0.5 is 2.5.";
    assert_eq!(sum.json()["content"][0]["text"], text);
}

#[test]
fn a_call_reaches_filesystem() {
    let path = format!("path={}", text(examples()));
    let list = posthouse(&["call", "filesystem/list_directory", &path]).exits(0);
    let mut shown: Vec<_> = list.stdout.lines().collect();
    let files = fs::read_dir(examples()).unwrap().map(|entry| {
        let entry = entry.unwrap();
        let is_folder = entry.file_type().unwrap().is_dir();
        let kind = if is_folder { "DIR" } else { "FILE" };
        format!("[{kind}] {}", entry.file_name().to_str().unwrap())
    });
    let mut files: Vec<_> = files.collect();
    shown.sort_unstable();
    files.sort_unstable();
    assert_eq!(shown, files);
}

#[test]
fn a_call_reaches_time() {
    // Named by the tool alone.
    let now = posthouse(&["call", "get_current_time", "timezone=Asia/Tokyo"]).exits(0);
    let now: Value = serde_json::from_str(&now.stdout).unwrap();
    assert_eq!(now["timezone"], "Asia/Tokyo");
    let moment = now["datetime"].as_str().unwrap();
    assert!(moment.ends_with("+09:00"), "{moment}");
}

#[test]
fn an_error_of_a_tool_is_printed_and_exits_with_1() {
    posthouse(&["call", "everything/echo", "{}"])
        .exits(1)
        .prints("Input validation error");
    posthouse(&["call", "filesystem/read_text_file", "path=/etc/hostname"])
        .exits(1)
        .prints("Access denied");
    let here = posthouse(&[
        "call",
        "--json",
        "time/get_current_time",
        "timezone=Nowhere",
    ]);
    assert_eq!(here.exits(1).json()["isError"], true);
}

#[test]
fn plain_words_find_the_right_tool_of_each_server() {
    for (words, tool) in [
        ("what time is it in Tokyo", "time/get_current_time"),
        ("read a text file", "filesystem/read_text_file"),
        ("add two numbers", "everything/get-sum"),
    ] {
        let page = posthouse(&["search", "--json", words]).exits(0).json();
        let found = page["items"].as_array().unwrap();
        let found = found.iter().map(|it| it["reference"].as_str().unwrap());
        let found: Vec<_> = found.take(3).collect();
        assert!(found.contains(&tool), "{words}: {found:?}");
    }
    // A shell gives the words apart.
    let lines = posthouse(&["search", "add", "two", "numbers"])
        .exits(0)
        .stdout;
    let first: Vec<_> = lines.lines().take(3).collect();
    let is_sum = |line: &&str| line.starts_with("everything/get-sum { a: number; b: number; }");
    assert!(first.iter().any(is_sum), "{first:?}");
}

#[tokio::test]
async fn describe_prints_the_whole_schema() {
    for (server, tool) in [
        (PublicServer::Everything, "get-resource-reference"),
        (PublicServer::Filesystem, "edit_file"),
        (PublicServer::Time, "convert_time"),
    ] {
        let own = tools_of(server).await;
        let own = own.iter().find(|it| name(it) == tool).unwrap();
        let reference = format!("{}/{tool}", server.id());
        let shown = posthouse(&["describe", "--json", &reference])
            .exits(0)
            .json();
        assert_eq!(shown["tool"], *own);
        let text = posthouse(&["describe", &reference]).exits(0).stdout;
        let schema = text
            .lines()
            .find_map(|line| line.strip_prefix("arguments: "));
        let schema: Value = serde_json::from_str(schema.unwrap()).unwrap();
        assert_eq!(schema, own["inputSchema"]);
        let example = format!("example: posthouse call {reference}");
        assert!(text.contains(&example), "{text}");
    }
}

#[test]
fn servers_bear_the_mark_by_which_what_is_left_is_found() {
    posthouse(&["call", "everything/get-env"])
        .exits(0)
        .prints(MARK);
}
