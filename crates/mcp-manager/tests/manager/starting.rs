//! Starting: nobody waits for a server, and none costs the others anything.

use std::time::Duration;

use mcp_definitions::{Command, HttpServer, ServerDefinition, ServerKind};
use mcp_manager::{ErrorKind, ServerState};
use tokio::time::Instant;

use crate::host::{Host, lazy, options, pass, rest, server};

#[tokio::test(start_paused = true)]
async fn manager_start_does_not_block_on_discovery() {
    let begin = Instant::now();
    let host = Host::start([server("a", "no-initialize"), server("b", "slow-list")]);
    // Nothing was awaited: every handle is there before anything has run.
    assert!(host.manager.connection("a").is_some() && host.manager.connection("b").is_some());
    assert_eq!(host.fakes.starts("a"), 0);
    rest().await;
    assert_eq!((host.fakes.starts("a"), host.fakes.starts("b")), (1, 1));
    assert_eq!(begin.elapsed(), Duration::from_millis(1));
}

#[tokio::test(start_paused = true)]
async fn manager_slow_initialize_stays_starting() {
    let host = Host::start([server("slow", "slow-initialize --delay-ms 960000")]);
    rest().await;
    let pid = host.health("slow").pid;
    assert!(pid.is_some());
    pass(Duration::from_secs(15 * 60)).await;
    let health = host.health("slow");
    assert_eq!((health.state, health.pid), (ServerState::Starting, pid));
    assert_eq!(
        host.line("slow"),
        "slow: starting for 15m, local: still no handshake; it is left alone"
    );
    host.settle().await;
    let health = host.health("slow");
    assert_eq!((health.state, health.pid), (ServerState::Ready, pid));
    assert_eq!(host.fakes.starts("slow"), 1);
}

#[tokio::test(start_paused = true)]
async fn manager_starting_is_not_reported_as_ready() {
    let host = Host::start([server("a", "no-initialize"), server("b", "slow-list")]);
    pass(Duration::from_secs(20)).await;
    for (name, what) in [("a", "no handshake yet"), ("b", "reading its lists")] {
        let health = host.health(name);
        assert_eq!((health.state, health.tools), (ServerState::Starting, None));
        assert!(!health.state.counts_tools());
        assert_eq!(
            host.line(name),
            format!("{name}: starting for 20s, local: {what}")
        );
    }
    assert_eq!(
        mcp_manager::summary_line(&host.manager.health()),
        "2 servers: 2 starting; 0 tools"
    );
}

#[tokio::test(start_paused = true)]
async fn manager_disabled_server_stays_out_of_faces() {
    let off = ServerDefinition {
        enabled: false,
        ..server("off", "plain")
    };
    let mut options = options();
    options
        .origins
        .insert("off".parse().unwrap(), "mcp.json:33".into());
    let host = Host::with([off, server("on", "plain")], options);
    host.manager.discover();
    host.settle().await;
    let error = host.echo("off").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Disabled);
    assert_eq!(
        error.message,
        "off: the server is switched off in the configuration (mcp.json:33). Nothing was sent; enable it there and reload."
    );
    let error = host.manager.connect("off", Instant::now()).await;
    assert_eq!(error.unwrap_err().kind, ErrorKind::Disabled);
    assert_eq!(host.fakes.starts("off"), 0);
    assert_eq!((host.tools("off").len(), host.tools("on").len()), (0, 8));
    assert_eq!(host.line("off"), "off: disabled (mcp.json:33)");
    assert_eq!(
        mcp_manager::summary_line(&host.manager.health()),
        "2 servers: 1 ready, 1 disabled; 8 tools"
    );
    let error = host.echo("other").await.unwrap_err();
    assert_eq!(
        error.message,
        "there is no server \"other\"; there are: on. Nothing was sent."
    );
}

#[tokio::test(start_paused = true)]
async fn lazy_server_starts_on_the_first_call_and_demands_are_one_start() {
    let host = Host::settled([lazy("lazy", "slow-initialize")]).await;
    assert_eq!(host.fakes.starts("lazy"), 0);
    assert_eq!(
        host.line("lazy"),
        "lazy: idle, local; starts on the first call"
    );
    host.manager.discover();
    let deadline = Instant::now() + Duration::from_secs(9);
    let calls = tokio::join!(
        host.echo("lazy"),
        host.echo("lazy"),
        host.manager.connect("lazy", deadline),
        host.echo("lazy"),
    );
    assert_eq!(calls.2.unwrap().state, ServerState::Ready);
    for answer in [calls.0, calls.1, calls.3] {
        assert_eq!(answer.unwrap(), "hi");
    }
    // What was asked for meanwhile is served, and not left over for later.
    host.manager.discover();
    host.fakes.crash("lazy");
    rest().await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("lazy"), host.state("lazy")),
        (2, ServerState::Ready)
    );
    host.fakes.crash("lazy");
    rest().await;
    host.settle().await;
    assert_eq!(
        (host.fakes.starts("lazy"), host.state("lazy")),
        (2, ServerState::Offline)
    );
}

#[tokio::test(start_paused = true)]
async fn settled_waits_for_those_who_were_asked_for_and_no_others() {
    let begin = Instant::now();
    let host = Host::settled([lazy("lazy", "slow-initialize"), server("eager", "plain")]).await;
    assert!(begin.elapsed() < Duration::from_secs(1));
    assert_eq!(host.state("eager"), ServerState::Ready);
    host.manager.discover();
    host.settle().await;
    assert_eq!(host.state("lazy"), ServerState::Ready);
}

#[tokio::test(start_paused = true)]
async fn a_slow_start_makes_way_for_the_next() {
    let mut one_at_a_time = options();
    one_at_a_time.parallel_starts = 1;
    let host = Host::with(
        [server("slow", "no-initialize"), server("quick", "plain")],
        one_at_a_time,
    );
    pass(Duration::from_millis(900)).await;
    assert_eq!(
        (host.fakes.starts("slow"), host.fakes.starts("quick")),
        (1, 0)
    );
    pass(Duration::from_millis(200)).await;
    assert_eq!(host.state("quick"), ServerState::Ready);
    assert_eq!(host.fakes.starts("slow"), 1);
}

#[tokio::test(start_paused = true)]
async fn a_bad_server_costs_the_others_nothing() {
    let begin = Instant::now();
    let host = Host::start([
        server("junk", "junk"),
        server("exits", "exit-at-once"),
        server("silent", "no-initialize"),
        server("missing", "no-such-program"),
        server("healthy", "plain"),
    ]);
    assert_eq!(host.echo("healthy").await.unwrap(), "hi");
    assert!(begin.elapsed() < Duration::from_millis(1));
    pass(Duration::from_secs(45)).await;
    assert_eq!(
        host.manager.status_lines(0),
        [
            "junk: starting for 45s, local: no handshake yet; last output \"[debug] handled a request\"",
            "exits: offline, local: exited with code 3 before the handshake, after 0s; the next call tries again; last output \"exit-at-once exits with code 3\"",
            "silent: starting for 45s, local: no handshake yet",
            "missing: offline, local: cannot find command `no-such-program` in PATH; install it; the next call tries again",
            "healthy: ready, 8 tools, local",
        ]
    );
    // A server that exits at the era probe is started once more, with the other handshake.
    assert_eq!(
        (host.fakes.starts("exits"), host.fakes.starts("missing")),
        (2, 1)
    );
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_reached_says_so_when_it_is_needed() {
    let elsewhere = ServerDefinition {
        executor_ids: vec!["build9".parse().unwrap()],
        ..server("a", "plain")
    };
    let http = ServerDefinition {
        server: ServerKind::Http(HttpServer::default()),
        ..server("b", "plain")
    };
    let nowhere = ServerDefinition {
        executor_ids: Vec::new(),
        ..server("c", "plain")
    };
    let host = Host::settled([elsewhere, http, nowhere]).await;
    assert_eq!(
        host.manager.status_lines(0),
        [
            "a: offline, build9: cannot start it on executor `build9`: there is no such executor; add it or name another; the next call tries again",
            "b: offline, local: cannot reach it: streamable HTTP is not available in this version; the next call tries again",
            "c: ready, 8 tools, local",
        ]
    );
    assert_eq!((host.fakes.starts("a"), host.fakes.starts("b")), (0, 0));
    let error = host.echo("a").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotConnected);
    assert!(error.message.contains("`build9`"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn several_executors_are_several_instances() {
    let executors = ["local", "build1", "build9"].map(|id| id.parse().unwrap());
    let each = ServerDefinition {
        executor_ids: executors.into(),
        ..server("a", "plain")
    };
    let host = Host::settled([each]).await;
    assert_eq!(
        host.manager.status_lines(0),
        [
            "a-local: ready, 8 tools, local",
            "a-build1: ready, 8 tools, build1",
            "a-build9: offline, build9: cannot start it on executor `build9`: there is no such executor; add it or name another; the next call tries again",
        ]
    );
    assert_eq!(host.elsewhere.starts("a-build1"), 1);
    assert!(host.manager.connection("a").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_command_gets_its_own_environment_and_the_folder_of_the_session() {
    let command = Command {
        command: "plain".into(),
        env: [("A".to_owned(), "own".to_owned())].into(),
        inherit_env: vec!["A".into(), "B".into(), "MISSING".into()],
        ..Command::default()
    };
    let definition = ServerDefinition {
        executor_ids: ["local", "build1"].map(|id| id.parse().unwrap()).into(),
        ..ServerDefinition::new("a".parse().unwrap(), ServerKind::Stdio(command))
    };
    let mut options = options();
    options.cwd = Some("project".into());
    for name in ["A", "B", "C"] {
        options.environment.insert(name.into(), "inherited".into());
    }
    let host = Host::with([definition], options);
    host.settle().await;
    let local = host.fakes.spec("a-local");
    let env: Vec<_> = local
        .env
        .iter()
        .map(|(name, it)| (name.as_str(), it.expose()))
        .collect();
    assert_eq!(env, [("A", "own"), ("B", "inherited")]);
    assert_eq!(local.cwd, Some("project".into()));
    // That folder is one of this machine.
    assert_eq!(host.elsewhere.spec("a-build1").cwd, None);
}
