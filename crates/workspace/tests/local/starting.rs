//! Starting a process, speaking with it, and learning how it ended.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use workspace::{ExitStatus, Local, LocalOptions, ProcessSpec, Secret, Signal, Workspace};

use crate::bench::{Bench, output_of, read_all, read_pids, sh, within};

#[tokio::test]
async fn lines_go_in_and_come_out_until_stdin_is_closed() {
    let bench = Bench::new();
    let mut process = bench
        .start_process(ProcessSpec::new("cat", "cat"))
        .await
        .unwrap();
    let pid = process.handle.id().unwrap();
    process.stdin.write_all(b"hello\n").await.unwrap();
    let mut echo = [0; 6];
    within(process.stdout.read_exact(&mut echo)).await.unwrap();
    assert_eq!(&echo, b"hello\n");
    assert_eq!(process.handle.exit_status(), None);

    process.stdin.close();
    assert_eq!(read_all(process.stdout).await, "");
    assert_eq!(within(process.handle.wait()).await, ExitStatus::Code(0));
    let error = process.stdin.write_all(b"x").await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    bench.finish(&[pid]).await;
}

#[tokio::test]
async fn shutting_stdin_down_closes_the_pipe() {
    let bench = Bench::new();
    let mut process = bench
        .start_process(ProcessSpec::new("cat", "cat"))
        .await
        .unwrap();
    process.stdin.shutdown().await.unwrap();
    assert_eq!(within(process.handle.wait()).await, ExitStatus::Code(0));
    bench.finish(&[]).await;
}

#[tokio::test]
async fn exit_codes_and_signals_are_told_truthfully() {
    let bench = Bench::new();
    for (script, expected) in [
        ("exit 0", ExitStatus::Code(0)),
        ("exit 7", ExitStatus::Code(7)),
        ("exit 143", ExitStatus::Code(143)),
        ("kill -TERM $$", ExitStatus::Signal("TERM".into())),
        ("kill -KILL $$", ExitStatus::Signal("KILL".into())),
    ] {
        let process = bench.sh(script).await;
        assert_eq!(within(process.handle.wait()).await, expected, "{script}");
        assert_eq!(process.handle.exit_status(), Some(expected));
    }
    bench.finish(&[]).await;
}

#[tokio::test]
async fn every_clone_learns_of_the_exit() {
    let bench = Bench::new();
    let process = bench.sh("read line; exit 4").await;
    let handles = vec![process.handle.clone(); 3];
    let waits: Vec<_> = handles
        .into_iter()
        .map(|handle| tokio::spawn(async move { handle.wait().await }))
        .collect();
    drop(process.stdin);
    for wait in waits {
        assert_eq!(within(wait).await.unwrap(), ExitStatus::Code(4));
    }
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_signal_reaches_the_process_and_a_dead_one_is_reported() {
    let bench = Bench::new();
    let process = bench
        .sh("trap 'exit 9' USR1; echo 1; while :; do sleep 0.01; done")
        .await;
    let (_, _stdout) = read_pids::<1>(process.stdout).await;
    process.handle.signal(Signal::Usr1).await.unwrap();
    assert_eq!(within(process.handle.wait()).await, ExitStatus::Code(9));
    within(process.handle.stop()).await;
    let error = process.handle.signal(Signal::Usr1).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "find process `test`: it exited with code 9; start it again"
    );
    bench.finish(&[]).await;
}

#[tokio::test]
async fn a_megabyte_on_stderr_does_not_block_stdout() {
    let bench = Bench::new();
    let (text, status) = output_of(
        &bench,
        sh("head -c 1000000 /dev/zero >&2; echo done; exit 2"),
    )
    .await;
    assert_eq!((text.as_str(), status), ("done\n", ExitStatus::Code(2)));
    bench.finish(&[]).await;
}

#[tokio::test]
async fn stderr_tail_is_bounded_to_4096_and_complete_at_the_exit() {
    let bench = Bench::new();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let mut spec = sh("head -c 9000 /dev/zero | tr '\\0' x >&2; echo >&2; echo ' last words ' >&2");
    let sink = heard.clone();
    spec.on_stderr = Some(Arc::new(move |chunk| {
        sink.lock().unwrap().extend_from_slice(chunk);
    }));
    let process = bench.start_process(spec).await.unwrap();
    within(process.handle.wait()).await;
    let tail = process.handle.stderr_tail();
    assert_eq!(tail.len(), 4096);
    assert!(tail.ends_with("xxx\n last words \n"), "{tail}");
    assert_eq!(process.handle.last_stderr_line().unwrap(), "last words");
    assert_eq!(heard.lock().unwrap().len(), 9000 + 1 + 13);
    bench.finish(&[]).await;
}

#[tokio::test]
async fn the_environment_is_only_what_was_given() {
    let local = Local::new(LocalOptions {
        base_env: BTreeMap::from([("BASE".into(), "1".into()), ("BOTH".into(), "base".into())]),
        search_path: crate::bench::PATH.into(),
        cwd: Some("/".into()),
    });
    let mut spec = ProcessSpec::new("env", "env");
    spec.env.insert("BOTH".into(), Secret::new("spec"));
    spec.env.insert("ODD".into(), Secret::new("a 'b' $c = d"));
    let process = local.start_process(spec).await.unwrap();
    let text = read_all(process.stdout).await;
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines[..3], ["BASE=1", "BOTH=spec", "ODD=a 'b' $c = d"]);
    // And the nonce by which it is found again, which ends in the server's number.
    let nonce = lines[3].strip_prefix("POSTHOUSE_REAP=").unwrap();
    assert_eq!((nonce.len(), &nonce[32..]), (34, "-0"), "{nonce}");
    assert_eq!(lines.len(), 4);
    within(local.shutdown(tokio::time::Instant::now())).await;
}

#[tokio::test]
async fn a_relative_working_directory_and_program_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let inner = directory.path().join("inner");
    fs::create_dir(&inner).unwrap();
    std::os::unix::fs::symlink("/bin/pwd", inner.join("where")).unwrap();
    let local = Local::new(LocalOptions {
        cwd: Some(directory.path().to_owned()),
        ..LocalOptions::default()
    });
    let mut spec = ProcessSpec::new("pwd", "./where");
    spec.cwd = Some("inner".into());
    spec.args = vec!["-P".into()];
    let process = local.start_process(spec).await.unwrap();
    let expected = inner.canonicalize().unwrap();
    assert_eq!(
        read_all(process.stdout).await.trim_end(),
        expected.to_str().unwrap()
    );
    within(local.shutdown(tokio::time::Instant::now())).await;
}

#[tokio::test]
async fn a_login_shell_keeps_the_profiles_noise_out_of_the_output() {
    let home = tempfile::tempdir().unwrap();
    fs::write(
        home.path().join(".profile"),
        "echo noise; export FROM_PROFILE=yes\n",
    )
    .unwrap();
    let bench = Bench::new();
    let mut spec = sh(r#"echo "$FROM_PROFILE $1""#);
    spec.args.extend(["sh".into(), "a 'b' $c".into()]);
    spec.login_shell = true;
    spec.env
        .insert("HOME".into(), Secret::new(home.path().to_str().unwrap()));
    spec.env.insert("SHELL".into(), Secret::new("/bin/sh"));
    let process = bench.start_process(spec).await.unwrap();
    assert_eq!(read_all(process.stdout).await, "yes a 'b' $c\n");
    within(process.handle.wait()).await;
    assert!(process.handle.stderr_tail().contains("noise"));
    bench.finish(&[]).await;
}
