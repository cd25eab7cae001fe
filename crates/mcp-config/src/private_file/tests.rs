//! Files are replaced whole, with the permissions they should have.

use super::*;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn names(folder: &Path) -> Vec<String> {
    let name = |file: io::Result<fs::DirEntry>| file.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn a_private_file_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trust.json");
    write_private(&path, "one").unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap().as_str(), mode(&path)),
        ("one", 0o600)
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    write_private(&path, "two").unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap().as_str(), mode(&path)),
        ("two", 0o600)
    );
    assert_eq!(names(folder.path()), ["trust.json"]);
}

#[test]
fn a_file_that_people_keep_stays_as_it_is_but_for_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (
        folder.path().join("real.json"),
        folder.path().join("mcp.json"),
    );
    fs::write(&file, "one").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real.json", &link).unwrap();
    write_keeping_mode(&link, "two").unwrap();
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("real.json"));
    assert_eq!(
        (fs::read_to_string(&file).unwrap().as_str(), mode(&file)),
        ("two", 0o640)
    );
    let new = folder.path().join("new.json");
    write_keeping_mode(&new, "three").unwrap();
    assert_eq!(mode(&new), 0o600);
}

#[test]
fn what_fails_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    assert!(write_private(&folder.path().join("none").join("x"), "").is_err());
    assert!(write_private(Path::new("/"), "").is_err());
    let taken = folder.path().join("taken");
    fs::create_dir(&taken).unwrap();
    fs::write(taken.join("x"), "").unwrap();
    assert!(write_private(&taken, "").is_err());
    assert_eq!(names(folder.path()), ["taken"]);
}
