//! The line for each situation, word for word.

use super::*;
use crate::Cause;

fn health(name: &str, state: ServerState) -> ServerHealth {
    ServerHealth {
        name: name.into(),
        state,
        idle: false,
        connecting: false,
        since: Duration::from_secs(130),
        executor: "local".into(),
        tools: None,
        external: None,
        unfiltered: 0,
        resources: 0,
        prompts: 0,
        tools_source: ToolsSource::None,
        cause: None,
        last_output: None,
        origin: None,
        revision: None,
        instructions: None,
        pid: None,
        warnings: Vec::new(),
    }
}

fn cause(text: &str) -> Option<Cause> {
    Some(Cause {
        text: text.into(),
        exit: None,
        stderr_tail: String::new(),
        last_output: None,
    })
}

#[test]
fn each_situation_has_its_line() {
    let live = ToolsSource::Live;
    let lines = [
        ServerHealth {
            tools: Some(2),
            tools_source: live,
            ..health("time", ServerState::Ready)
        },
        ServerHealth {
            tools: Some(4),
            tools_source: live,
            resources: 2,
            prompts: 1,
            ..health("notes", ServerState::Ready)
        },
        ServerHealth {
            resources: 3,
            prompts: 1,
            ..health("files", ServerState::Ready)
        },
        ServerHealth {
            tools: Some(14),
            external: Some(11),
            tools_source: live,
            ..health("cargo", ServerState::Ready)
        },
        ServerHealth {
            tools: Some(0),
            unfiltered: 9,
            tools_source: live,
            ..health("bare", ServerState::Ready)
        },
        ServerHealth {
            tools: Some(12),
            tools_source: ToolsSource::LastGood,
            cause: cause("no answer to tools/list within 30 s"),
            ..health("git", ServerState::Degraded)
        },
        ServerHealth {
            tools: Some(0),
            tools_source: live,
            ..health("empty", ServerState::Degraded)
        },
        ServerHealth {
            last_output: Some("indexing 41 %\n".into()),
            ..health("serena", ServerState::Starting)
        },
        ServerHealth {
            since: Duration::from_secs(1000),
            ..health("slow", ServerState::Starting)
        },
        ServerHealth {
            since: Duration::from_secs(1000),
            revision: Some("2025-11-25"),
            ..health("late", ServerState::Starting)
        },
        ServerHealth {
            cause: cause("exited with code 1 before the handshake, after 0.4s"),
            last_output: Some("ENOENT \u{1b}[31m/data/notes".into()),
            ..health("files", ServerState::Offline)
        },
        ServerHealth {
            connecting: true,
            cause: cause("exited with code 1 after 2m10s"),
            ..health("serena", ServerState::Offline)
        },
        ServerHealth {
            idle: true,
            ..health("memory", ServerState::Offline)
        },
        ServerHealth {
            origin: Some("~/mcp.json:33".into()),
            ..health("slack", ServerState::Disabled)
        },
    ]
    .map(|health| format_server_line(&health));
    assert_eq!(
        lines,
        [
            "time: ready, 2 tools, local",
            "notes: ready, 4 tools, 2 resources, 1 prompt, local",
            "files: ready, 3 resources, 1 prompt, local",
            "cargo: ready, 14 tools (11 external), local",
            "bare: ready, 0 of 9 tools after filter, local",
            "git: degraded, 12 tools from the last good list, local: no answer to tools/list within 30 s; the next call tries again",
            "empty: degraded, 0 tools, local: it declares tools and lists none; read again when it announces a change",
            "serena: starting for 2m10s, local: no handshake yet; last output \"indexing 41 %\"",
            "slow: starting for 16m40s, local: still no handshake; it is left alone",
            "late: starting for 16m40s, local: reading its lists",
            "files: offline, local: exited with code 1 before the handshake, after 0.4s; the next call tries again; last output \"ENOENT  [31m/data/notes\"",
            "serena: offline, local: exited with code 1 after 2m10s; reconnecting",
            "memory: idle, local; starts on the first call",
            "slack: disabled (~/mcp.json:33)",
        ]
    );
}

#[test]
fn a_long_cause_is_cut_and_what_happens_next_is_not() {
    let long = ServerHealth {
        cause: cause(&"find command `x` in PATH ".repeat(20)),
        last_output: Some("noise".repeat(50)),
        ..health("files", ServerState::Offline)
    };
    let line = format_server_line(&long);
    assert_eq!(line.chars().count(), 160);
    assert!(line.ends_with("…; the next call tries again"), "{line}");
}

#[test]
fn no_line_is_longer_than_a_line() {
    for state in ServerState::ALL {
        for idle in [false, true] {
            for text in ["", "\u{202e}\u{0301}\n\"\\".repeat(60).as_str()] {
                let extreme = ServerHealth {
                    idle,
                    executor: "abcdefghijklmnop".into(),
                    since: Duration::MAX,
                    tools: Some(usize::MAX),
                    external: Some(usize::MAX),
                    resources: usize::MAX,
                    prompts: usize::MAX,
                    tools_source: ToolsSource::LastGood,
                    cause: cause(text),
                    last_output: Some(text.into()),
                    origin: Some(text.into()),
                    warnings: vec![text.into()],
                    ..health(&"n".repeat(49), state)
                };
                let line = format_server_line(&extreme);
                assert!(line.chars().count() <= 160, "{line}");
                assert!(!line.contains(char::is_control), "{line:?}");
            }
        }
    }
}

#[test]
fn status_truncation_is_in_the_text() {
    let servers: Vec<_> = (0..5)
        .map(|n| health(&format!("s{n}"), ServerState::Disabled))
        .collect();
    assert_eq!(render_status_lines(&servers, 0).len(), 5);
    assert_eq!(render_status_lines(&servers, 5).len(), 5);
    assert_eq!(
        render_status_lines(&servers, 3),
        ["s0: disabled", "s1: disabled", "+3 more servers"]
    );
}

#[test]
fn the_summary_counts_states_and_tools() {
    let servers = [
        ServerHealth {
            tools: Some(2),
            ..health("a", ServerState::Ready)
        },
        ServerHealth {
            idle: true,
            ..health("b", ServerState::Offline)
        },
        health("c", ServerState::Offline),
        health("d", ServerState::Starting),
    ];
    assert_eq!(
        summary_line(&servers),
        "4 servers: 1 ready, 1 starting, 1 offline, 1 idle; 2 tools"
    );
    assert_eq!(summary_line(&[]), "0 servers");
}

#[test]
fn ages_read_as_people_say_them() {
    for (milliseconds, text) in [
        (0, "0s"),
        (400, "0.4s"),
        (45_000, "45s"),
        (120_000, "2m"),
        (130_000, "2m10s"),
        (7_300_000, "2h"),
        (200_000_000, "2d"),
    ] {
        assert_eq!(age(Duration::from_millis(milliseconds)), text);
    }
}
