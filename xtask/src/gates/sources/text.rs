//! Rust sources as text: which files are tests, and what is left without comments and test modules.
//! Line numbers stay, so that a finding can name one.

use std::path::Path;

/// Whether a file is compiled for tests, benches or examples only, by its name or folder.
pub(crate) fn is_test(path: &Path) -> bool {
    let folders = ["tests", "benches", "examples"];
    let in_folder = path.parent().is_some_and(|parent| {
        parent
            .components()
            .any(|part| folders.iter().any(|folder| part.as_os_str() == *folder))
    });
    in_folder || path.file_name().is_some_and(|name| name == "tests.rs")
}

/// The text without its comments. Whole-line comments and what follows ` //` go; a `//` right after
/// something else, as in an address, stays.
pub(crate) fn code(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        if !line.trim_start().starts_with("//") {
            kept.push_str(line.split(" // ").next().unwrap_or(line));
        }
        kept.push('\n');
    }
    kept
}

/// Code with its `#[cfg(test)]` modules and functions at the top level blanked. It relies on
/// rustfmt: what opens at the margin closes at the margin.
pub(crate) fn without_test_modules(code: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" {
            kept.push('\n');
            for blanked in lines.by_ref() {
                kept.push('\n');
                let ends = blanked == "}" || blanked.ends_with(';') || blanked.ends_with('}');
                if ends && !blanked.starts_with(' ') {
                    break;
                }
            }
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Whether code names a crate: `ident::`, `ident!`, `use ident;`, `use ident as`.
pub(crate) fn names_crate(code: &str, ident: &str) -> bool {
    code.match_indices(ident).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        // `crate::url::Url` names a module of ours.
        let own_word =
            !before.is_some_and(|char| char.is_alphanumeric() || char == '_' || char == ':');
        let used = code[..at].ends_with("use ") || code[..at].ends_with("extern crate ");
        let after = &code[at + ident.len()..];
        own_word
            && (after.starts_with("::")
                || (used && (after.starts_with(';') || after.starts_with(" as "))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_lines_stay() {
        assert_eq!(
            code("//! std::env\nlet a = 1; // std::env\nlet b = \"http://x\";\n"),
            "\nlet a = 1;\nlet b = \"http://x\";\n"
        );
    }

    #[test]
    fn test_modules_go_and_lines_stay() {
        let text = "a\n#[cfg(test)]\nmod tests {\n    fn a() {\n    }\n}\nb\n#[cfg(test)]\nmod tests;\nc\n";
        assert_eq!(without_test_modules(text), "a\n\n\n\n\n\nb\n\n\nc\n");
    }

    #[test]
    fn test_files_are_known() {
        for path in [
            "crates/a/src/b/tests.rs",
            "crates/a/tests/c.rs",
            "crates/a/src/b/tests/c.rs",
        ] {
            assert!(is_test(Path::new(path)), "{path}");
        }
        assert!(!is_test(Path::new("crates/a/src/latest.rs")));
    }

    #[test]
    fn a_crate_is_named_as_a_path_or_import() {
        for code in [
            "use url::Url;",
            "url::Url::parse",
            "(url::Url)",
            "use url;",
            "use url as u;",
        ] {
            assert!(names_crate(code, "url"), "{code}");
        }
        for code in [
            "let url = 1;",
            "crate::url::Url",
            "my_url::Url",
            "f(url)",
            "url: String",
        ] {
            assert!(!names_crate(code, "url"), "{code}");
        }
    }
}
