//! Which values of a definition are secret by themselves.

use mcp_definitions::{Command, HttpServer};

use super::*;

fn of(server: ServerKind) -> Vec<String> {
    let definition = ServerDefinition::new("it".parse().unwrap(), server);
    Secrets::of(&definition).iter().map(str::to_owned).collect()
}

fn map(pairs: &[(&str, &str)]) -> std::collections::BTreeMap<String, String> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn names_tell_which_values_are_secret() {
    for name in [
        "GITHUB_TOKEN",
        "API_KEY",
        "apiKey",
        "PGPASSWORD",
        "DB_PASS",
        "CLIENT_SECRET",
        "GH_PAT",
        "SENTRY_DSN",
        "--auth-token",
        "X-Api-Key",
        "COOKIE",
        "AWS_SECRET_ACCESS_KEY",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "PATH", "NODE_ENV", "PATTERN", "DEBUG", "PORT", "--port", "REGION", "KEYBOARD",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn values_of_a_command() {
    let args = [
        "--token",
        "t-one",
        "--api-key=k-two",
        "-v",
        "--password",
        "--flag",
        "plain",
        "--region=eu",
        "https://u-ser:p-ass@host/x?sig=q-val",
    ];
    let command = Command {
        args: args.map(str::to_owned).to_vec(),
        env: map(&[
            ("MY_TOKEN", "t-three"),
            ("NODE_ENV", "production"),
            ("A_KEY", "abc"),
            ("SECRET_KEY", "line one\nline two\n"),
            ("AUTH", "true"),
        ]),
        ..Command::default()
    };
    assert_eq!(
        of(ServerKind::Stdio(command)),
        [
            "k-two",
            "line one",
            "line two",
            "p-ass",
            "q-val",
            "sig=q-val",
            "t-one",
            "t-three",
            "u-ser",
            "u-ser:p-ass"
        ]
    );
}

#[test]
fn values_of_a_url() {
    let server = HttpServer {
        url: "https://host/v1/0123456789abcdef01/mcp?token=q-one&x=2#frag".to_owned(),
        headers: map(&[
            ("Authorization", "Bearer t-two"),
            ("Accept", "text/plain"),
            ("X-A", "h-one"),
        ]),
    };
    assert_eq!(
        of(ServerKind::Http(server)),
        [
            "0123456789abcdef01",
            "Bearer t-two",
            "h-one",
            "q-one",
            "t-two",
            "token=q-one&x=2#frag"
        ]
    );
}

#[test]
fn a_secret_within_another_leaves_nothing_of_it() {
    let mut secrets = Secrets::default();
    assert!(secrets.is_empty());
    for value in ["abcd", "abcdefgh", "", "1", "8080", "true"] {
        secrets.add(value);
    }
    assert_eq!(
        secrets.redact("x abcdefgh y abcd 8080 true"),
        "x [redacted] y [redacted] 8080 true"
    );
}
