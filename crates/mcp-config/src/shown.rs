//! Forms in which parts of a definition may be shown to anybody.

use std::time::Duration;

/// An argument as it may be shown: options by name, names of scoped packages, and nothing else,
/// since any other word may be a secret.
pub(crate) fn argument(text: &str) -> &str {
    let name = |text: &str| {
        !text.is_empty()
            && text.len() <= 64
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    let option = text.starts_with('-') && text.len() <= 32 && name(text);
    let package = text
        .strip_prefix('@')
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(scope, rest)| {
            let (package, version) = rest.split_once('@').unwrap_or((rest, "x"));
            name(scope) && name(package) && name(version)
        });
    if option || package { text } else { "…" }
}

/// A span of time as one would write it.
pub(crate) fn duration(span: Duration) -> String {
    let millis = span.as_millis();
    match millis {
        0 => "0s".to_owned(),
        _ if millis.is_multiple_of(3_600_000) => format!("{}h", millis / 3_600_000),
        _ if millis.is_multiple_of(60_000) => format!("{}m", millis / 60_000),
        _ if millis.is_multiple_of(1_000) => format!("{}s", millis / 1_000),
        _ => format!("{millis}ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_and_packages_are_shown() {
        for text in ["-y", "--port", "--no-color", "@scope/server-x@1.2.3"] {
            assert_eq!(argument(text), text);
        }
        for text in [
            "s3cr3t",
            "--token=x",
            "/srv",
            "@scope",
            "@a/b/c",
            "",
            "-x y",
        ] {
            assert_eq!(argument(text), "…", "{text}");
        }
    }

    #[test]
    fn spans_of_time_are_written_short() {
        let check = |millis, expect: &str| {
            assert_eq!(duration(Duration::from_millis(millis)), expect);
        };
        check(0, "0s");
        check(500, "500ms");
        check(1_500, "1500ms");
        check(90_000, "90s");
        check(120_000, "2m");
        check(7_200_000, "2h");
    }
}
