//! The names of a facade's tools: legal everywhere, short enough for every host's own prefix, and apart
//! even where hosts fold names.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

/// The longest name, in characters: what the strictest host leaves after its own prefix.
pub const MAX_NAME: usize = 44;
/// Characters of a hash, after a `_`.
const HASH: usize = 8;

/// A name `<server>__<tool>` for each pair, in their order: characters `[A-Za-z0-9_]`, at most
/// [`MAX_NAME`], unique even when case, `.`, `-`, `/` and runs of `_` are folded, since names that fold
/// together vanish silently in several hosts.
///
/// A name that needed no change and is alone keeps its form, whatever the others are. Where names would
/// fold together, and where one is too long, a hash of the pair is added, never a number: neither the
/// order nor the other tools decide which.
pub fn facade_names<'a>(tools: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let wanted: Vec<_> = tools
        .into_iter()
        .map(|(server, tool)| {
            let name = prefix(server) + &legal(tool);
            let unchanged = legal(tool) == tool && name.len() <= MAX_NAME;
            (server, tool, name, unchanged)
        })
        .collect();
    let mut alike: HashMap<String, (usize, usize)> = HashMap::new();
    for (_, _, name, unchanged) in &wanted {
        let (all, kept) = alike.entry(fold(name)).or_default();
        *all += 1;
        *kept += usize::from(*unchanged);
    }
    wanted
        .into_iter()
        .map(|(server, tool, name, unchanged)| {
            let (all, kept) = alike[&fold(&name)];
            let is_alone = all == 1 || (unchanged && kept == 1);
            if is_alone && name.len() <= MAX_NAME {
                name
            } else {
                hashed(server, tool, &name)
            }
        })
        .collect()
}

/// What the names of a server's tools begin with, unless the server's own is nearly as long as a name
/// may be.
pub(crate) fn prefix(server: &str) -> String {
    legal(server) + "__"
}

fn legal(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

/// What the strictest host compares.
fn fold(name: &str) -> String {
    let mut folded = String::new();
    for character in name.chars() {
        if character == '_' && folded.ends_with('_') {
            continue;
        }
        folded.push(character.to_ascii_lowercase());
    }
    folded
}

fn hashed(server: &str, tool: &str, name: &str) -> String {
    let digest = Sha256::new()
        .chain_update(server)
        .chain_update([0])
        .chain_update(tool)
        .finalize();
    let hash: String = digest
        .iter()
        .take(HASH / 2)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // Legal names are ASCII, so bytes are characters.
    let kept = &name[..name.len().min(MAX_NAME - HASH - 1)];
    format!("{}_{hash}", kept.trim_end_matches('_'))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn names(tools: &[(&str, &str)]) -> Vec<String> {
        facade_names(tools.iter().copied())
    }

    #[test]
    fn plain_names_are_kept_and_clashes_are_hashed() {
        assert_eq!(
            names(&[("github", "create_issue"), ("git", "status")]),
            ["github__create_issue", "git__status"]
        );
        assert_eq!(
            names(&[("logs-build1", "read.file")]),
            ["logs_build1__read_file"]
        );
        let clash = names(&[("s", "read.file"), ("s", "read_file"), ("s", "READ/file")]);
        assert_eq!(
            clash[1], "s__read_file",
            "the one that needed no change keeps its name"
        );
        assert!(clash[0].starts_with("s__read_file_") && clash[2].starts_with("s__READ_file_"));
        let across = names(&[("a", "b__c"), ("a_b", "c")]);
        assert_ne!(fold(&across[0]), fold(&across[1]));
        let case = names(&[("s", "getX"), ("s", "getx")]);
        assert!(case[0].starts_with("s__getX_") && case[1].starts_with("s__getx_"));
    }

    #[test]
    fn long_names_are_cut_and_hashed() {
        let long = "a".repeat(100);
        let name = &names(&[("server", &long)])[0];
        assert_eq!(name.len(), MAX_NAME);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn names_are_legal_apart_and_the_same_in_any_order(
            tools in prop::collection::hash_set(("[a-zA-Z_.-]{1,6}", "\\PC{1,50}|[a-cA-C._/-]{1,4}"), 1..30)
        ) {
            let tools: Vec<(String, String)> = tools.into_iter().collect();
            let pairs: Vec<_> = tools.iter().map(|(server, tool)| (server.as_str(), tool.as_str())).collect();
            let named = facade_names(pairs.iter().copied());
            let folded: HashSet<_> = named.iter().map(|name| fold(name)).collect();
            prop_assert_eq!(folded.len(), named.len());
            for name in &named {
                prop_assert!(name.len() <= MAX_NAME);
                prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
            }
            let reversed = facade_names(pairs.iter().rev().copied());
            let again: Vec<_> = reversed.into_iter().rev().collect();
            prop_assert_eq!(named, again);
        }
    }
}
