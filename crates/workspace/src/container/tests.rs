//! Command lines as people write them, and what is made of them.

use super::*;

fn marks() -> Marks {
    Marks {
        label: "L".into(),
        id_file: Some("/run/x/c".into()),
    }
}

fn split(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// The words after `run`'s marks are in, and those that reach the engine.
fn marked(words: &[String]) -> (Vec<String>, Vec<String>) {
    match prepare(words, &marks()) {
        Prepared::Run(run) => {
            let engines = run.engines.iter().map(|words| words.join(" ")).collect();
            (run.words, engines)
        }
        other => unreachable!("{words:?}: {other:?}"),
    }
}

#[test]
fn a_run_is_marked_right_after_its_name() {
    const BOTH: &str = "--cidfile /run/x/c --label posthouse=L";
    for (line, engine) in [
        ("docker run @ -i --rm mcp/time", "docker"),
        (
            "docker run @ -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server",
            "docker",
        ),
        ("docker run @ -h myhost img", "docker"),
        (
            "docker run @ --rm -i --mount type=bind,src=/a,dst=/b mcp/filesystem /b",
            "docker",
        ),
        ("docker run @ -i img server --help", "docker"),
        ("/usr/bin/podman run @ -i --rm img", "/usr/bin/podman"),
        ("docker container run @ -i img", "docker"),
        (
            "docker --context remote run @ -i img",
            "docker --context remote",
        ),
        (
            "docker -H tcp://h:1 --tls run @ img",
            "docker -H tcp://h:1 --tls",
        ),
        (
            "podman --log-level=error --remote run @ img",
            "podman --log-level=error --remote",
        ),
        ("nerdctl -n k8s.io run @ img", "nerdctl -n k8s.io"),
        ("env X=1 podman run @ img", "env X=1 podman"),
        (
            "/usr/bin/env -u A B=2 docker run @ img",
            "/usr/bin/env -u A B=2 docker",
        ),
        ("nice -n 5 docker run @ img", "nice -n 5 docker"),
        ("nohup docker run @ img", "nohup docker"),
    ] {
        let (words, engines) = marked(&split(&line.replace("@ ", "")));
        assert_eq!(words.join(" "), line.replace('@', BOTH));
        assert_eq!(engines, [engine], "{line}");
    }
}

#[test]
fn where_an_id_file_might_do_harm_there_is_only_a_label() {
    for (line, engine) in [
        ("docker run @ --cidfile /mine -i img", "docker"),
        ("docker run @ --cidfile=/mine -i img", "docker"),
        ("sudo -n docker run @ -i img", "sudo -n docker"),
        ("sudo -u bob -E podman run @ img", "sudo -u bob -E podman"),
        ("doas -n docker run @ img", "doas -n docker"),
    ] {
        let (words, engines) = marked(&split(&line.replace("@ ", "")));
        assert_eq!(words.join(" "), line.replace('@', "--label posthouse=L"));
        assert_eq!(engines, [engine], "{line}");
    }
    let without = Marks {
        id_file: None,
        ..marks()
    };
    let Prepared::Run(run) = prepare(&split("docker run img"), &without) else {
        unreachable!()
    };
    assert_eq!(run.words.join(" "), "docker run --label posthouse=L img");
}

#[test]
fn a_script_in_plain_words_gets_a_label() {
    for (shell, script, engines) in [
        ("sh -c", "docker run @ -i --rm img", vec!["docker"]),
        (
            "bash -lc",
            "exec docker run @ -i img \"$X\" 2>&1",
            vec!["docker"],
        ),
        (
            "bash -e -o pipefail -c",
            "cd /a && docker run @ img",
            vec!["docker"],
        ),
        ("sh -c", "X=1 podman run @ img", vec!["env X=1 podman"]),
        (
            "sh -c",
            "docker pull img >/dev/null; docker run @ -i img",
            vec!["docker"],
        ),
        (
            "sh -c",
            "podman run @ a || docker run @ b",
            vec!["podman", "docker"],
        ),
        ("sh -c", "if true; then docker run @ a; fi", vec!["docker"]),
        ("sh -c", "# docker run x\ndocker run @ a", vec!["docker"]),
        (
            "sh -c",
            "echo 'docker run x'; docker run @ a",
            vec!["docker"],
        ),
        ("sudo -n sh -c", "docker run @ a", vec!["sudo -n docker"]),
    ] {
        let mut words = split(shell);
        words.push(script.replace("@ ", ""));
        let (marked, found) = marked(&words);
        let expected = script.replace('@', "--label posthouse=L");
        assert_eq!(*marked.last().unwrap(), expected);
        assert_eq!(found, engines, "{script}");
    }
}

#[test]
fn what_starts_no_container_of_its_own_is_left_alone() {
    for line in [
        "npx -y @modelcontextprotocol/server-docker",
        "docker compose run --rm mcp",
        "docker-compose run mcp",
        "docker --context x compose run mcp",
        "docker exec -i box server",
        "docker start -ai box",
        "docker mcp gateway run",
        "docker run --help",
        "docker run -i --help",
        "docker run",
        "docker --help",
        "docker",
        "env",
        "env X=1",
        "sudo -K",
        "uvx run docker",
        "sh run-docker.sh",
        "sh -c",
        "sh -c true",
    ] {
        assert_eq!(prepare(&split(line), &marks()), Prepared::Other, "{line}");
    }
    for script in [
        "echo 'docker run x'",
        "docker compose run x",
        "./docker.sh run",
    ] {
        let words = ["sh", "-c", script].map(str::to_owned);
        assert_eq!(prepare(&words, &marks()), Prepared::Other, "{script}");
    }
    assert_eq!(prepare(&[], &marks()), Prepared::Other);
}

#[test]
fn what_is_not_surely_understood_is_left_alone_and_said() {
    for line in [
        "docker --new-option x run img",
        "env -S docker run",
        "sudo --weird docker run img",
    ] {
        let prepared = prepare(&split(line), &marks());
        assert!(
            matches!(prepared, Prepared::Unsure(_)),
            "{line}: {prepared:?}"
        );
    }
    for script in [
        "docker --context $CTX run x",
        "'docker' run x",
        "docker run $(cat image)",
        "$(which docker) run x",
        "sh -c 'docker run x'",
        "H=$H docker run x",
    ] {
        let words = ["sh", "-c", script].map(str::to_owned);
        let prepared = prepare(&words, &marks());
        assert!(
            matches!(prepared, Prepared::Unsure(_)),
            "{script}: {prepared:?}"
        );
    }
}
