//! Which fields make another server of it, one by one, and which do not.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::*;
use crate::{Lifecycle, ListLimits, Placement, Plugin, Sharing, ToolFilter};

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

fn command() -> Command {
    Command {
        command: "npx".to_owned(),
        args: vec!["-y".to_owned(), "server".to_owned()],
        env: map(&[("A", "1"), ("B", "2")]),
        inherit_env: vec!["C".to_owned(), "D".to_owned()],
        cwd: Some("/srv".to_owned()),
    }
}

fn http() -> HttpServer {
    HttpServer {
        url: "https://example.com/mcp".to_owned(),
        headers: map(&[("Authorization", "x")]),
    }
}

fn definition(server: ServerKind) -> ServerDefinition {
    ServerDefinition::new("git".parse().unwrap(), server)
}

fn stdio(change: impl FnOnce(&mut Command)) -> Identity {
    let mut command = command();
    change(&mut command);
    plain(&definition(ServerKind::Stdio(command)))
}

fn of_http(change: impl FnOnce(&mut HttpServer)) -> Identity {
    let mut server = http();
    change(&mut server);
    plain(&definition(ServerKind::Http(server)))
}

fn plain(definition: &ServerDefinition) -> Identity {
    with(definition, "local", &SharingKey::User)
}

fn with(definition: &ServerDefinition, executor: &str, sharing: &SharingKey) -> Identity {
    let executor = executor.parse().unwrap();
    let key = HashKey::new([7; 32]);
    Identity::of(definition, Some(&executor), sharing, &key)
}

fn folder(cwd: &str, roots: &[&str]) -> SharingKey {
    SharingKey::Folder {
        cwd: cwd.to_owned(),
        roots: roots.iter().map(|&root| root.to_owned()).collect(),
    }
}

#[test]
fn what_is_hashed_is_canonical_json() {
    let shown = canonical(
        &definition(ServerKind::Stdio(command())),
        Some(&ExecutorName::local()),
        &folder("/p", &["file:///p"]),
    );
    assert_eq!(
        shown,
        r#"{"format":"1","type":"stdio","command":"npx","args":["-y","server"],"env":["A","1","B","2"],"inheritEnv":["C","D"],"cwd":"/srv","executor":"local","sharing":["folder","/p"],"roots":["file:///p"]}"#
    );
    let odd = HttpServer {
        url: "a\"\\\n\u{1}ü".to_owned(),
        headers: BTreeMap::new(),
    };
    let shown = canonical(
        &definition(ServerKind::Sse(odd)),
        None,
        &SharingKey::Session("s".to_owned()),
    );
    assert_eq!(
        shown,
        r#"{"format":"1","type":"sse","url":"a\"\\\u000a\u0001ü","headers":[],"sharing":["session","s"]}"#
    );
}

#[test]
fn the_type_is_part_of_it() {
    assert_ne!(
        plain(&definition(ServerKind::Http(http()))),
        plain(&definition(ServerKind::Sse(http())))
    );
}

#[test]
fn the_command_is_part_of_it() {
    assert_ne!(stdio(|_| {}), stdio(|it| it.command = "node".to_owned()));
}

#[test]
fn the_arguments_are_part_of_it() {
    assert_ne!(stdio(|_| {}), stdio(|it| it.args.reverse()));
    assert_ne!(stdio(|_| {}), stdio(|it| it.args = Vec::new()));
    assert_ne!(
        stdio(|it| it.args = vec!["a b".to_owned()]),
        stdio(|it| it.args = vec!["a".to_owned(), "b".to_owned()])
    );
}

#[test]
fn the_environment_is_part_of_it() {
    assert_ne!(stdio(|_| {}), stdio(|it| it.env = map(&[("A", "1")])));
    assert_ne!(
        stdio(|_| {}),
        stdio(|it| it.env = map(&[("A", "1"), ("B", "3")]))
    );
    assert_ne!(
        stdio(|it| it.env = map(&[("A", "1,B")])),
        stdio(|it| it.env = map(&[("A", "1"), ("B", "")]))
    );
}

#[test]
fn the_inherited_names_are_part_of_it_without_their_order() {
    assert_ne!(stdio(|_| {}), stdio(|it| it.inherit_env.truncate(1)));
    assert_eq!(stdio(|_| {}), stdio(|it| it.inherit_env.reverse()));
    assert_eq!(
        stdio(|_| {}),
        stdio(|it| it.inherit_env.push("C".to_owned()))
    );
}

#[test]
fn the_folder_to_start_in_is_part_of_it() {
    assert_ne!(stdio(|_| {}), stdio(|it| it.cwd = None));
    assert_ne!(stdio(|_| {}), stdio(|it| it.cwd = Some(String::new())));
}

#[test]
fn the_url_is_part_of_it() {
    assert_ne!(of_http(|_| {}), of_http(|it| it.url.push('/')));
}

#[test]
fn the_headers_are_part_of_it() {
    assert_ne!(of_http(|_| {}), of_http(|it| it.headers.clear()));
    assert_ne!(
        of_http(|_| {}),
        of_http(|it| it.headers = map(&[("Authorization", "y")]))
    );
}

#[test]
fn the_executor_is_part_of_it() {
    let definition = definition(ServerKind::Stdio(command()));
    let on = |executor| with(&definition, executor, &SharingKey::User);
    assert_ne!(on("local"), on("build1"));
    let key = HashKey::new([7; 32]);
    assert_ne!(
        on("local"),
        Identity::of(&definition, None, &SharingKey::User, &key)
    );
}

#[test]
fn whom_it_is_for_is_part_of_it() {
    let definition = definition(ServerKind::Stdio(command()));
    let identities = [
        SharingKey::User,
        SharingKey::Session("a".to_owned()),
        SharingKey::Session("b".to_owned()),
        folder("a", &[]),
        folder("b", &[]),
        folder("a", &["file:///x"]),
        folder("a", &["file:///x", "file:///y"]),
    ]
    .map(|sharing| with(&definition, "local", &sharing));
    assert_eq!(BTreeSet::from(identities).len(), identities.len());
    assert_eq!(
        with(&definition, "local", &folder("a", &["x", "y"])),
        with(&definition, "local", &folder("a", &["y", "x"]))
    );
}

#[test]
fn a_newly_installed_plugin_is_another_server() {
    let plugin = |installed_at: &str| {
        let plugin = Plugin {
            name: "tools".to_owned(),
            installed_at: installed_at.to_owned(),
        };
        plain(&ServerDefinition {
            plugin: Some(plugin),
            ..definition(ServerKind::Stdio(command()))
        })
    };
    assert_ne!(plugin("monday"), plugin("tuesday"));
}

#[test]
fn how_it_is_shown_or_run_is_no_part_of_it() {
    let server = ServerKind::Stdio(command());
    let other = ServerDefinition {
        executor_ids: Vec::new(),
        placement: Some(Placement::Failover),
        sharing: Sharing::Session,
        lifecycle: Lifecycle::KeepAlive,
        tool_names: Some(Vec::new()),
        tool_filter: ToolFilter {
            include: Some(Vec::new()),
            exclude: vec!["x".to_owned()],
        },
        required: true,
        enabled: false,
        startup_timeout: Some(Duration::ZERO),
        tool_timeout: Some(Duration::ZERO),
        idle_timeout: Some(Duration::ZERO),
        about: Some("x".to_owned()),
        not_ready_advice: Some("x".to_owned()),
        curated: vec!["x".to_owned()],
        list_limits: ListLimits {
            max_pages: 1,
            ..ListLimits::default()
        },
        ..ServerDefinition::new("other".parse().unwrap(), server.clone())
    };
    assert_eq!(plain(&other), plain(&definition(server)));
}

#[test]
fn it_is_keyed_stable_and_survives_its_text() {
    let definition = definition(ServerKind::Stdio(command()));
    let under = |key: u8| {
        Identity::of(
            &definition,
            None,
            &SharingKey::User,
            &HashKey::new([key; 32]),
        )
    };
    assert_ne!(under(1), under(2));
    assert_eq!(under(1).to_string().parse(), Ok(under(1)));
    // What is written to disk must be found again by the next version.
    assert_eq!(
        plain(&definition).to_string(),
        "dd16ad44745c77a1cb21877dd22a20c717a97cd7f39dca71690b29c3e9ce3694"
    );
}
