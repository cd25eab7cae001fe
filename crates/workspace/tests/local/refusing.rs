//! What cannot be started, and how that is explained.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use workspace::{Process, ProcessSpec, Secret, Workspace, WorkspaceError};

use crate::bench::{Bench, output_of, sh, within};

async fn failure(bench: &Bench, spec: ProcessSpec) -> String {
    let error = bench.start_process(spec).await.unwrap_err();
    assert!(!error.retryable(), "{error}");
    error.to_string()
}

/// Like [`failure`] for a file that was just written. Another test that starts a process at that
/// moment holds the file open for writing for an instant, which is an error of its own.
async fn failure_of_new_file(bench: &Bench, path: &Path) -> String {
    within(async {
        loop {
            match start(bench, path).await {
                Err(WorkspaceError::Io(error))
                    if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {}
                result => return result.unwrap_err().to_string(),
            }
        }
    })
    .await
}

async fn start(bench: &Bench, path: &Path) -> Result<Process, WorkspaceError> {
    bench
        .start_process(ProcessSpec::new("test", path.to_str().unwrap()))
        .await
}

fn write_program(directory: &Path, name: &str, text: &str) -> PathBuf {
    let path = directory.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn command_not_found_error_shows_searched_path() {
    let bench = Bench::new();
    assert_eq!(
        failure(&bench, ProcessSpec::new("x", "no-such-program")).await,
        "find command `no-such-program` on executor `local`: install it or give its absolute path; \
         it is in no directory of the PATH searched, `/usr/local/bin:/usr/bin:/bin`"
    );
    let mut spec = ProcessSpec::new("x", "sh");
    spec.env.insert("PATH".into(), Secret::new("/nowhere"));
    assert_eq!(
        failure(&bench, spec).await,
        "find command `sh` on executor `local`: install it or give its absolute path; it is in no \
         directory of the PATH searched, `/nowhere`"
    );
    assert_eq!(
        failure(&bench, ProcessSpec::new("x", "/nowhere/prog")).await,
        "find command `/nowhere/prog` on executor `local`: there is no file `/nowhere/prog`; \
         install it or correct the path"
    );
    bench.finish(&[]).await;
}

#[tokio::test]
async fn what_cannot_be_run_is_explained() {
    let directory = tempfile::tempdir().unwrap();
    let bench = Bench::new();
    let root = directory.path();

    let plain = write_program(root, "plain", "#!/bin/sh\n");
    fs::set_permissions(&plain, Permissions::from_mode(0o644)).unwrap();
    let text = failure_of_new_file(&bench, &plain).await;
    assert!(
        text.contains("it is not executable; make it so with chmod +x"),
        "{text}"
    );

    let text = failure_of_new_file(&bench, root).await;
    assert!(text.contains("it is a directory"), "{text}");

    let lost = write_program(root, "lost", "#!/no/such/interpreter -x\n");
    let text = failure_of_new_file(&bench, &lost).await;
    assert!(
        text.contains(
            "its first line names the interpreter `/no/such/interpreter`, which does not exist"
        ),
        "{text}"
    );

    let dos = write_program(root, "dos", "#!/bin/sh\r\n");
    let text = failure_of_new_file(&bench, &dos).await;
    assert!(text.contains("interpreter `/bin/sh\\r`"), "{text}");

    let formless = write_program(root, "formless", "echo hi\n");
    let text = failure_of_new_file(&bench, &formless).await;
    assert!(
        text.contains("the system cannot run this file; a script needs a first line"),
        "{text}"
    );
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_program_that_is_not_executable_does_not_hide_a_later_one() {
    let directory = tempfile::tempdir().unwrap();
    let fake = write_program(directory.path(), "sh", "");
    fs::set_permissions(&fake, Permissions::from_mode(0o644)).unwrap();
    let bench = Bench::new();
    let mut spec = sh("echo found");
    let path = format!("{}:{}", directory.path().display(), crate::bench::PATH);
    spec.env.insert("PATH".into(), Secret::new(path));
    assert_eq!(output_of(&bench, spec).await.0, "found\n");
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_missing_working_directory_is_named() {
    let bench = Bench::new();
    let mut spec = sh("true");
    spec.cwd = Some("/no/such/directory".into());
    assert_eq!(
        failure(&bench, spec.clone()).await,
        "start `sh`: the working directory `/no/such/directory` does not exist; create it or \
         name another"
    );
    spec.cwd = Some("/dev/null".into());
    let text = failure(&bench, spec).await;
    assert!(text.contains("`/dev/null` is not a directory"), "{text}");
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_variable_that_cannot_be_set_is_named_without_its_value() {
    let bench = Bench::new();
    let mut spec = sh("true");
    spec.env.insert("TOKEN".into(), Secret::new("hunter2\0"));
    let text = failure(&bench, spec).await;
    assert!(
        text.contains("the variable `TOKEN` cannot be set"),
        "{text}"
    );
    assert!(!text.contains("hunter2"), "{text}");
    bench.finish(&[]).await;
}
