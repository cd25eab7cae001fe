//! Licences of the crates we build on: SPDX expressions against a list.

/// Licences that ask for no more than a notice.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression can be satisfied by [`ALLOWED`] alone. `A/B`, as old crates write it,
/// is `A OR B`. Text that is no expression is not allowed.
pub(super) fn allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    any(&mut words) == Some(true) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any(words: &mut Words<'_>) -> Option<bool> {
    let mut satisfied = all(words)?;
    while words.next_if_eq(&"OR").is_some() {
        satisfied |= all(words)?;
    }
    Some(satisfied)
}

fn all(words: &mut Words<'_>) -> Option<bool> {
    let mut satisfied = one(words)?;
    while words.next_if_eq(&"AND").is_some() {
        satisfied &= one(words)?;
    }
    Some(satisfied)
}

fn one(words: &mut Words<'_>) -> Option<bool> {
    let word = words.next()?;
    if word == "(" {
        let inner = any(words)?;
        return words.next_if_eq(&")").map(|_| inner);
    }
    if ["AND", "OR", "WITH", ")"].contains(&word) {
        return None;
    }
    let mut licence = word.to_owned();
    if words.next_if_eq(&"WITH").is_some() {
        licence = format!("{licence} WITH {}", words.next()?);
    }
    Some(ALLOWED.contains(&licence.as_str()))
}

#[cfg(test)]
mod tests {
    use super::allowed;

    #[test]
    fn expressions_are_judged() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "MIT OR GPL-3.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(allowed(good), "{good}");
        }
        for bad in [
            "",
            "MPL-2.0",
            "MIT AND GPL-3.0",
            "MIT AND",
            "(MIT",
            "MIT Apache-2.0",
            "MIT OR AND",
        ] {
            assert!(!allowed(bad), "{bad}");
        }
    }
}
