//! Patterns in which `*` stands for any run of characters, and nothing else is special.

/// Whether the whole text fits the pattern. Takes time linear in the text for each `*`, so a
/// pattern from a file cannot make it hang.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let mut rest = rest;
    // Between two stars the leftmost place will do: whatever follows can start no earlier.
    while let Some((piece, after)) = rest.split_once('*') {
        let Some(at) = text.find(piece) else {
            return false;
        };
        text = &text[at + piece.len()..];
        rest = after;
    }
    text.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        let check = |pattern: &str, fits: &[&str], others: &[&str]| {
            for text in fits {
                assert!(matches(pattern, text), "{pattern} should fit {text}");
            }
            for text in others {
                assert!(!matches(pattern, text), "{pattern} should not fit {text}");
            }
        };
        check("", &[""], &["a"]);
        check("git", &["git"], &["gi", "gitt", "Git"]);
        check("*", &["", "a", "ü*"], &[]);
        check("**", &["", "a"], &[]);
        check("drop_*", &["drop_", "drop_table"], &["drop", "a_drop_b"]);
        check("*_table", &["drop_table", "_table"], &["drop_tables"]);
        check(
            "a*b*c",
            &["abc", "a1b2c", "abbcc", "abcbc"],
            &["ab", "ac", "acb", "abcd"],
        );
        check("a*a", &["aa", "aba"], &["a"]);
        check("*aab", &["aaab", "aab"], &["aaba"]);
        check("a?[b]", &["a?[b]"], &["axb"]);
        check("é*é", &["éé", "éxé"], &["é"]);
    }
}
