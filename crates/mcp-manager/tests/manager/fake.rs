//! A workspace that plays fake servers in memory: the program of a spec names the mode, or several in
//! turn (`plain,hang`), one for each start; the arguments are the fake's options.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fake_mcp_server::{Exit, Mode, Options, serve};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::Instant;
use workspace::recording::{RecordedControl, RecordedProcess, RecordingWorkspace};
use workspace::{
    BoxStream, DialTarget, ExecutorId, ExitStatus, Process, ProcessSpec, Workspace, WorkspaceError,
};

pub(crate) struct Fakes {
    recording: RecordingWorkspace,
    played: Mutex<Vec<(String, RecordedControl, AbortHandle)>>,
    log: Arc<Log>,
    tasks: Mutex<JoinSet<()>>,
}

/// What the servers were sent, over all their lives: name and `tools/call echo` or another method.
#[derive(Default)]
struct Log(Mutex<Vec<(String, String)>>);

impl Log {
    fn note(&self, name: &str, line: &str) {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(method) = message["method"].as_str() else {
            return;
        };
        let what = match message["params"]["name"].as_str() {
            Some(tool) => format!("{method} {tool}"),
            None => method.to_owned(),
        };
        self.0.lock().unwrap().push((name.to_owned(), what));
    }
}

impl Fakes {
    /// The servers of this executor.
    pub(crate) fn on(executor: &str) -> Arc<Self> {
        Arc::new(Fakes {
            recording: RecordingWorkspace::new(executor.parse().unwrap()),
            played: Mutex::default(),
            log: Arc::default(),
            tasks: Mutex::default(),
        })
    }

    /// How often this server was to be started.
    pub(crate) fn starts(&self, name: &str) -> usize {
        let starts = self.recording.starts();
        starts.iter().filter(|spec| spec.name == name).count()
    }

    /// From what this server was started last.
    pub(crate) fn spec(&self, name: &str) -> ProcessSpec {
        let mut starts = self.recording.starts();
        starts.retain(|spec| spec.name == name);
        starts.pop().unwrap()
    }

    /// How many servers are there.
    pub(crate) fn running(&self) -> usize {
        self.recording.running()
    }

    /// How often this server was sent this, over all its lives.
    pub(crate) fn sent(&self, name: &str, what: &str) -> usize {
        let log = self.log.0.lock().unwrap();
        log.iter()
            .filter(|(to, sent)| to == name && sent == what)
            .count()
    }

    /// The newest process of this server.
    pub(crate) fn control(&self, name: &str) -> RecordedControl {
        let played = self.played.lock().unwrap();
        let newest = played.iter().rev().find(|(played, ..)| played == name);
        newest.unwrap().1.clone()
    }

    /// Ends the output of a server without saying how it exited.
    pub(crate) fn hang_up(&self, name: &str) {
        let played = self.played.lock().unwrap();
        let newest = played.iter().rev().find(|(played, ..)| played == name);
        newest.unwrap().2.abort();
    }

    /// Ends a server as a crash does, with last words.
    pub(crate) fn crash(&self, name: &str) {
        let control = self.control(name);
        control.write_stderr(b"index corrupt\ngiving up\n");
        control.exit(ExitStatus::Code(7));
    }
}

#[async_trait]
impl Workspace for Fakes {
    fn id(&self) -> &ExecutorId {
        self.recording.id()
    }

    async fn start_process(&self, spec: ProcessSpec) -> Result<Process, WorkspaceError> {
        let modes: Result<Vec<Mode>, _> = spec.program.split(',').map(str::parse).collect();
        let Ok(modes) = modes else {
            self.recording.fail_next_start(WorkspaceError::NotFound {
                what: format!("command `{}` in PATH; install it", spec.program),
            });
            return self.recording.start_process(spec).await;
        };
        let earlier = self.starts(&spec.name);
        let mode = *modes.get(earlier).or(modes.last()).unwrap();
        let process = self.recording.start_process(spec).await?;
        let recorded = self.recording.next_process().await;
        if mode == Mode::Stubborn {
            recorded.control.ignore_stop();
        }
        let name = recorded.spec.name.clone();
        let control = recorded.control.clone();
        let player = play(mode, recorded, self.log.clone());
        let player = self.tasks.lock().unwrap().spawn(player);
        self.played.lock().unwrap().push((name, control, player));
        Ok(process)
    }

    async fn dial(&self, target: DialTarget) -> Result<BoxStream, WorkspaceError> {
        self.recording.dial(target).await
    }

    async fn probe(&self) -> Result<(), WorkspaceError> {
        self.recording.probe().await
    }

    async fn shutdown(&self, deadline: Instant) {
        self.recording.shutdown(deadline).await;
    }
}

/// Plays one server to its end, and notes what it is sent.
async fn play(mode: Mode, process: RecordedProcess, log: Arc<Log>) {
    let RecordedProcess {
        spec,
        stdin,
        stdout,
        control,
    } = process;
    let mut options = Options::parse(spec.args.clone()).unwrap();
    let name = spec.name.clone();
    options.environment.insert("NAME".into(), name.clone());
    let (mut noted, input) = duplex(1 << 16);
    let note = async move {
        let mut lines = BufReader::new(stdin).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            log.note(&name, &line);
            noted.write_all(format!("{line}\n").as_bytes()).await.ok();
        }
        // The server has heard all, and still may have something to say.
        drop(noted);
        std::future::pending::<()>().await;
    };
    let exit = tokio::select! {
        exit = serve(mode, options, input, stdout) => exit,
        () = note => Exit::Closed,
    };
    if exit != Exit::Closed {
        control.write_stderr(format!("{mode} exits with code {}\n", exit.code()).as_bytes());
    }
    control.exit(ExitStatus::Code(exit.code().into()));
}
