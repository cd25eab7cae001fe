//! The real client SDKs, through the scripts in `tests/clients`.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::home::Home;
use crate::installed::{clients, node, repository, text};

/// Far more than any run takes, on a busy machine as well.
const LIMIT: Duration = Duration::from_secs(40);

/// How many clients run at a time: each starts several processes.
static PLACES: Semaphore = Semaphore::const_new(2);

/// A client SDK in one of its modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SdkClient {
    sdk: &'static str,
    mode: &'static str,
}

/// What a script prints.
#[derive(Debug, Deserialize)]
pub struct Seen {
    /// The era the client ended up with, in the words of its SDK.
    pub era: String,
    /// The revision.
    pub protocol: String,
    /// Who the server says it is.
    pub server: Value,
    /// All tools.
    pub tools: Vec<Value>,
    /// For each call its `name` and `result` or `error`.
    pub results: Vec<Value>,
    /// What the client and all that it started wrote to stderr.
    #[serde(skip)]
    pub stderr: String,
}

impl SdkClient {
    /// Each SDK in each mode it has, the one that is nearest to its default first.
    pub const SDKS: [&[SdkClient]; 4] = [
        &[SdkClient::new("ts1", "legacy")],
        &[
            SdkClient::new("ts2", "auto"),
            SdkClient::new("ts2", "modern"),
            SdkClient::new("ts2", "legacy"),
        ],
        &[SdkClient::new("py1", "legacy")],
        &[
            SdkClient::new("py2", "auto"),
            SdkClient::new("py2", "modern"),
            SdkClient::new("py2", "legacy"),
        ],
    ];

    /// All of them in one list.
    pub fn all() -> Vec<SdkClient> {
        Self::SDKS.concat()
    }

    const fn new(sdk: &'static str, mode: &'static str) -> Self {
        SdkClient { sdk, mode }
    }

    /// What it is called in failures.
    pub fn name(self) -> String {
        format!("{} {}", self.sdk, self.mode)
    }

    /// Whether it speaks the modern era with a server of both.
    pub fn prefers_modern(self) -> bool {
        self.mode != "legacy"
    }

    /// The same SDK in the mode that speaks this era only.
    pub fn pinned(self, modern: bool) -> Self {
        SdkClient::new(self.sdk, if modern { "modern" } else { "legacy" })
    }

    /// Whether the stderr of its run is that of the server alone: the Python SDKs log there as well.
    pub fn is_silent(self) -> bool {
        self.sdk.starts_with("ts")
    }

    fn script(self) -> Vec<String> {
        let (clients, scripts) = (clients(), repository().join("tests/clients"));
        let (program, script) = match self.sdk {
            "ts1" => (node(&clients), "ts1.mjs"),
            "ts2" => (node(&clients), "ts2.mjs"),
            "py1" => (clients.join("python1/bin/python"), "py1.py"),
            _ => (clients.join("python2/bin/python"), "py2.py"),
        };
        vec![text(program), text(scripts.join(script))]
    }

    /// Connects to a server, lists its tools, makes the calls and ends, after which nothing may be left.
    /// `calls` is a list of objects with `name` and `arguments`.
    pub async fn run(self, calls: &Value, server: &[String]) -> Seen {
        let _place = PLACES.acquire().await.unwrap();
        let home = Home::make();
        let file = home.path().join("calls.json");
        fs::write(&file, calls.to_string()).unwrap();
        let mut words = self.script();
        words.extend(["calls".to_owned(), text(file)]);
        words.extend(["--mode", self.mode, "--"].map(str::to_owned));
        words.extend_from_slice(server);
        let mut command = home.command(&words);
        command.env("POSTHOUSE_TEST_CLIENTS", clients());
        let what = format!("{} on `{}`", self.name(), server.join(" "));
        // It ends with stderr, which all that it starts shares but the servers behind posthouse.
        let output = command.stdin(Stdio::null()).output();
        let Ok(output) = timeout(LIMIT, output).await else {
            let left = home.listing();
            panic!("{what}: no end within {LIMIT:?}; there are\n{left}");
        };
        let output = output.unwrap_or_else(|error| panic!("{what}: {error}"));
        // The owner of the servers stops them when its front has gone.
        home.empties(&what, LIMIT).await;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{what}: {stderr}");
        let seen = serde_json::from_slice(&output.stdout);
        let seen = seen.unwrap_or_else(|error| panic!("{what}: {error}"));
        Seen { stderr, ..seen }
    }
}
