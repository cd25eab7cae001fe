//! Keys that are probably one of ours, mistyped.

/// The known key that was probably meant: at most two edits away (one for short keys), case and
/// `_` and `-` aside. An edit adds, drops or changes a letter or swaps two neighbours.
pub(crate) fn near_miss<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    // No known key is that long, and a long key makes the table below large.
    if key.len() > 64 {
        return None;
    }
    let meant = fold(key);
    let distance_to = |known: &&'k str| {
        let candidate = fold(known);
        // One edit in a word of three letters already makes another word.
        let allowed = if candidate.len().min(meant.len()) <= 4 {
            1
        } else {
            2
        };
        let distance = distance(&meant, &candidate);
        (distance <= allowed).then_some((distance, *known))
    };
    known
        .iter()
        .filter_map(distance_to)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, key)| key)
}

fn fold(key: &str) -> Vec<char> {
    key.chars()
        .filter(|c| !matches!(c, '_' | '-'))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Optimal string alignment distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in b.iter().enumerate() {
            let changed = above[j] + usize::from(letter != other);
            let mut best = changed.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == b[j - 1] && a[i - 1] == *other {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_keys_are_recognised() {
        let known = [
            "command",
            "args",
            "env",
            "url",
            "cwd",
            "toolTimeout",
            "tools",
            "enabled",
        ];
        let check = |key: &str, expect: Option<&str>| {
            assert_eq!(near_miss(key, &known), expect, "{key}");
        };
        check("comand", Some("command"));
        check("cmomand", Some("command"));
        check("Command", Some("command"));
        check("commands", Some("command"));
        check("arg", Some("args"));
        check("evn", Some("env"));
        check("uri", Some("url"));
        check("tool_timeout", Some("toolTimeout"));
        check("toolTimeoutS", Some("toolTimeout"));
        check("enable", Some("enabled"));
        check("id", None);
        check("dev", None);
        check("description", None);
        check("timeout", None);
        check("", None);
        check(&"c".repeat(100_000), None);
    }
}
