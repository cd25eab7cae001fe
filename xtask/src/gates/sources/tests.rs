//! Every rule finds what it forbids, and only where it forbids it.

use super::*;

fn source(shown: &str, package: &str, whole: &str) -> Source {
    let test = text::is_test(Path::new(shown)) || shown.starts_with("tests/");
    Source {
        shown: shown.to_owned(),
        package: package.to_owned(),
        product: shown.starts_with("crates/") && !test,
        test,
        whole: whole.to_owned(),
        code: text::without_test_modules(&text::code(whole)),
    }
}

/// What [`rules`] and [`shape`] find in one file that holds `line`.
fn found(shown: &str, package: &str, line: &str) -> usize {
    let mut findings = Vec::new();
    let source = source(shown, package, &format!("//! A file.\n{line}\n"));
    rules(&source, &mut findings);
    shape(&source, &mut findings);
    findings.len()
}

#[test]
fn rules_bite_where_they_should() {
    let library = ("crates/mcp-client/src/a.rs", "mcp-client");
    let workspace = ("crates/workspace/src/a.rs", "workspace");
    let binary = ("crates/posthouse/src/a.rs", "posthouse");
    let unit = ("crates/mcp-client/src/a/tests.rs", "mcp-client");
    let system = ("tests/tests/a.rs", "tests");
    let table = [
        ("let home = std::env::var(\"HOME\");", [1, 1, 0, 0, 0]),
        ("use std::process::Command;", [1, 0, 0, 0, 0]),
        ("let name = \"codeseek\";", [1, 1, 1, 0, 0]),
        ("#[serde(untagged)]", [1, 1, 1, 1, 1]),
        ("#[ignore = \"slow\"]", [1, 1, 1, 1, 1]),
        ("thread::sleep(Duration::from_secs(1));", [0, 0, 0, 1, 1]),
        (
            "// std::env and Command::new( in a comment",
            [0, 0, 0, 0, 0],
        ),
        (
            "#[cfg(test)]\nmod tests {\n    use std::env;\n}",
            [0, 0, 0, 0, 0],
        ),
    ];
    for (line, expected) in table {
        let places = [library, workspace, binary, unit, system];
        let seen = places.map(|(shown, package)| found(shown, package, line));
        assert_eq!(seen, expected, "{line}");
    }
}

#[test]
fn shape_is_checked() {
    let mut findings = Vec::new();
    shape(&source("crates/a/src/b.rs", "a", "use x;\n"), &mut findings);
    shape(
        &source(
            "crates/a/src/c.rs",
            "a",
            &format!("//! Long.\n{}", "x\n".repeat(MAX_LINES)),
        ),
        &mut findings,
    );
    shape(
        &source(
            "crates/a/src/d/tests.rs",
            "a",
            &format!("//! Long.\n{}", "x\n".repeat(MAX_LINES)),
        ),
        &mut findings,
    );
    assert_eq!(findings.len(), 2, "{findings:?}");
}

#[test]
fn what_may_stand_once_is_counted() {
    let one = || {
        source(
            "crates/a/src/b.rs",
            "a",
            "const DEFAULT_REQUEST_TIMEOUT: Duration = X;\n#[expect(unsafe_code)]\n",
        )
    };
    let count = |sources: &[Source]| {
        let mut findings = Vec::new();
        counts(sources, &mut findings);
        findings.len()
    };
    assert_eq!(
        [count(&[]), count(&[one()]), count(&[one(), one()])],
        [1, 0, 2]
    );
}
