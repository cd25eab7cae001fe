//! What URLs and headers must be once they are filled in.

use std::path::Path;

use jsonc_parser::common::Range;

use super::*;
use crate::Variables;

/// The value of a text in a role, or what is said of it.
fn filled(text: &str, role: Role) -> Result<String, String> {
    let literal = jsonc_parser::ast::Value::StringLit(jsonc_parser::ast::StringLit {
        range: Range { start: 0, end: 0 },
        value: text.into(),
    });
    let node = Node::new("it", &literal, Layer::User);
    let cx = Context::of_file(Path::new("/conf/mcp.json"), Some(Path::new("/home/me")));
    let said = |problem: Problem| format!("{}; {}", problem.reason, problem.remedy);
    let (text, problem) = Text::read(&node, role, &cx).map_err(said)?;
    if let Some(problem) = problem {
        return Err(said(problem));
    }
    let pairs = [
        ("HOST", "example.com"),
        ("TOKEN", "s3cr3t"),
        ("BREAK", "a\r\nX-Evil: b"),
    ];
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut variables = Variables(pairs.map(owned).into_iter().collect());
    let mut answers = Answers::new(&mut variables, [].iter());
    text.expand(&mut answers, &cx).map_err(said)
}

#[test]
fn urls_are_checked_before_and_after() {
    let check = |text: &str, expect: Result<&str, &str>| {
        let expect = expect.map(str::to_owned).map_err(str::to_owned);
        assert_eq!(filled(text, Role::Url), expect, "{text}");
    };
    check(
        "https://${HOST}/mcp?key=${TOKEN}",
        Ok("https://example.com/mcp?key=s3cr3t"),
    );
    check(
        "${NONE:-http://localhost:1}/mcp",
        Ok("http://localhost:1/mcp"),
    );
    check(
        "${HOST}/mcp",
        Err(r#""it" is expanded, and is not an http or https URL; write "https://host/path""#),
    );
    check(
        "https://${BREAK}/",
        Err(r#""it" is expanded, and is not an http or https URL; write "https://host/path""#),
    );
    for text in [
        "",
        "ftp://host",
        "https://",
        "https:///x",
        "https://a b/",
        "host",
    ] {
        check(
            text,
            Err(r#""it" is not an http or https URL; write "https://host/path""#),
        );
    }
}

#[test]
fn headers_have_one_line() {
    assert_eq!(
        filled("Bearer ${TOKEN}", Role::Header).as_deref(),
        Ok("Bearer s3cr3t")
    );
    assert_eq!(
        filled("${BREAK}", Role::Header),
        Err(r#""it" is expanded, and holds a line break; remove it"#.to_owned())
    );
    assert_eq!(
        filled("a\nb", Role::Header),
        Err(r#""it" holds a line break; remove it"#.to_owned())
    );
    assert_eq!(filled("a\nb", Role::Variable).as_deref(), Ok("a\nb"));
}

#[test]
fn variables_of_other_hosts_are_noticed() {
    for text in ["$TOKEN", "$env:TOKEN", "%TOKEN%"] {
        assert!(looks_like_a_variable(text), "{text}");
    }
    for text in [
        "", "$", "$5", "$a", "$Token", "TOKEN", "%20", "%A", "a$TOKEN", "$A B",
    ] {
        assert!(!looks_like_a_variable(text), "{text}");
    }
}
