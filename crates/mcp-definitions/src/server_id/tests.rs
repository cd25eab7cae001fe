//! Which names are ids, and what the others become.

use super::*;

#[test]
fn ids_are_checked() {
    let longest = "a".repeat(32);
    for name in ["a", "git", "My_Server-2", "-", "_", "0", longest.as_str()] {
        assert_eq!(ServerId::try_from(name).unwrap().to_string(), name);
    }
    let too_long = "a".repeat(33);
    for name in [
        "",
        "a b",
        "a.b",
        "a__b",
        "__",
        "ä",
        "a/b",
        too_long.as_str(),
    ] {
        assert!(ServerId::try_from(name).is_err(), "{name}");
    }
}

#[test]
fn the_error_says_the_rule() {
    assert_eq!(
        ServerId::try_from("my server").unwrap_err().to_string(),
        "\"my server\" is not a server id: use 1 to 32 of the characters A-Z a-z 0-9 _ - and no \
         \"__\""
    );
    let long = "x".repeat(5_000);
    assert!(
        ServerId::try_from(long.as_str())
            .unwrap_err()
            .to_string()
            .len()
            < 200
    );
}

#[test]
fn other_names_are_slugged() {
    let check = |name: &str, expect: &str| {
        let (id, changed) = ServerId::slug(name);
        assert_eq!(id.as_str(), expect, "{name}");
        assert_eq!(changed, name != expect, "{name}");
        assert_eq!(id.as_str().parse::<ServerId>().as_ref(), Ok(&id), "{name}");
    };
    check("git", "git");
    check("-git-", "-git-");
    check("My Server", "My-Server");
    check("io.github/user.repo", "io-github-user-repo");
    check("a__b", "a_b");
    check("a___b", "a_b");
    check(" padded ", "padded");
    check("a..b", "a-b");
    check("", "server-811c9dc5");
    check("文件", "server-7db2e3cb");
    check("__", "server-720ba823");
    check(&"a".repeat(33), "aaaaaaaaaaaaaaaaaaaaaaa-f9680f0c");
    check(
        "a very long name that ends in one",
        "a-very-long-name-that-e-ed5ea03f",
    );
}

#[test]
fn long_names_with_one_beginning_keep_different_ids() {
    let one = format!("{}-one", "a".repeat(40));
    let two = format!("{}-two", "a".repeat(40));
    assert_ne!(ServerId::slug(&one).0, ServerId::slug(&two).0);
}

#[test]
fn ids_survive_json_and_are_checked_there() {
    let id: ServerId = serde_json::from_str("\"git\"").unwrap();
    assert_eq!(serde_json::to_string(&id).unwrap(), "\"git\"");
    assert!(serde_json::from_str::<ServerId>("\"a__b\"").is_err());
}
