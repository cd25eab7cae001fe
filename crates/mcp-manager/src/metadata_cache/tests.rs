//! Records round-trip byte for byte, damage costs one record, and nobody sees half a write.

use std::os::unix::fs::MetadataExt;
use std::thread;

use mcp_client::Session;
use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::lifecycle::Implementation;
use mcp_proto::{Raw, Revision};
use proptest::prelude::*;

use super::*;

const TOOL: &str = r#"{ "name":"a", "inputSchema":{"maximum":1E400, "b":1.0} }"#;

fn lists(tools: usize) -> CachedLists {
    CachedLists {
        cached_at: 1_800_000_000,
        session: Session {
            revision: Revision::V2025_06_18,
            server_info: Implementation::new("s", "1"),
            capabilities: ServerCapabilities {
                tools: Some(ListCapability::changing()),
                ..ServerCapabilities::default()
            },
            instructions: Some("Ask.".to_owned()),
        },
        tools: vec![Raw::parse(TOOL).unwrap(); tools],
        resources: Vec::new(),
        resource_templates: Vec::new(),
        prompts: vec![Raw::parse(r#"{"name":"p"}"#).unwrap()],
    }
}

fn cache() -> (tempfile::TempDir, MetadataCache) {
    let folder = tempfile::tempdir().unwrap();
    let cache = MetadataCache::new(folder.path().join("cache"));
    (folder, cache)
}

#[test]
fn a_record_comes_back_byte_for_byte_and_is_the_users_alone() {
    let (_folder, cache) = cache();
    assert!(cache.load("ab12").unwrap().is_none());
    cache.store("ab12", &lists(1)).unwrap();
    let (back, left_out) = cache.load("ab12").unwrap().unwrap();
    assert_eq!((&back, left_out.len()), (&lists(1), 0));
    assert_eq!(back.tools[0].get(), TOOL);
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&cache.folder), 0o700);
    assert_eq!(mode(&cache.path("ab12")), 0o600);
}

#[test]
fn damage_costs_one_record_and_one_bad_item_costs_itself() {
    let (_folder, cache) = cache();
    cache.store("good", &lists(1)).unwrap();
    let whole = String::from_utf8(lists(1).encode("bad")).unwrap();
    for (text, error) in [
        (String::new(), "it is damaged: EOF while parsing a value"),
        (whole[..whole.len() / 2].to_owned(), "it is damaged: "),
        (
            whole.replace("\"version\":1", "\"version\":9"),
            "it is of version 9",
        ),
        (
            whole.replace("\"bad\"", "\"other\""),
            "it is of another identity",
        ),
        (
            whole.replace("2025-06-18", "2099-01-01"),
            "it names no revision",
        ),
        (
            whole.replace("\"tools\":[", "\"tools\":7,\"x\":["),
            "it has no list of tools",
        ),
    ] {
        fs::write(cache.path("bad"), &text).unwrap();
        let told = cache.load("bad").unwrap_err().to_string();
        assert!(
            told.contains(error) && told.ends_with("its server is asked instead"),
            "{told}"
        );
        assert!(cache.load("good").unwrap().is_some());
    }
    fs::write(
        cache.path("bad"),
        whole.replace("\"tools\":[", "\"tools\":[null,7,"),
    )
    .unwrap();
    let (kept, left_out) = cache.load("bad").unwrap().unwrap();
    assert_eq!(kept, lists(1));
    assert_eq!(left_out, ["2 of the cached tools are damaged and left out"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_and_no_identity_leads_out_of_it() {
    let (folder, cache) = cache();
    fs::write(&cache.folder, "in the way").unwrap();
    let told = cache.store("ab", &lists(0)).unwrap_err().to_string();
    assert!(
        told.starts_with("cannot use ") && told.ends_with("its server is asked instead"),
        "{told}"
    );
    assert_eq!(
        cache.path("../../etc/passwd"),
        folder.path().join("cache/etcpasswd.json")
    );
}

#[test]
fn readers_see_whole_records_while_writers_replace_them() {
    let (_folder, cache) = cache();
    cache.store("ab", &lists(1)).unwrap();
    thread::scope(|scope| {
        for tools in [1, 400] {
            let cache = &cache;
            scope.spawn(move || (0..50).for_each(|_| cache.store("ab", &lists(tools)).unwrap()));
        }
        for _ in 0..200 {
            let (seen, _) = cache.load("ab").unwrap().unwrap();
            assert!(matches!(seen.tools.len(), 1 | 400));
        }
    });
    let left: Vec<_> = fs::read_dir(&cache.folder).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary file is left");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn any_text_reads_or_is_refused(text in "\\PC{0,200}", cut in 0usize..400, byte in any::<u8>()) {
        drop(CachedLists::decode(text.as_bytes(), "a"));
        let mut whole = lists(1).encode("a");
        let place = cut % whole.len();
        whole[place] = byte;
        drop(CachedLists::decode(&whole, "a"));
        whole.truncate(place);
        prop_assert!(CachedLists::decode(&whole, "a").is_err());
    }
}
