//! A gateway over servers in memory: a workspace whose programs are modes of the fake server, or
//! handlers that a test brings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fake_mcp_server::Mode;
use mcp_definitions::{Command, ServerDefinition, ServerKind, ServerSet};
use mcp_gateway::{Gateway, GatewayOptions, Reload, Roster, RosterEntry};
use mcp_manager::{Manager, ManagerOptions};
use mcp_proto::lifecycle::Implementation;
use mcp_server::{ServeOptions, ServerHandler};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, DuplexStream, duplex};
use workspace::{
    BoxStream, Demand, DialTarget, ExecutorId, ExitStatus, Process, ProcessControl, ProcessSource,
    ProcessSpec, Registry, Request, Workspace, WorkspaceError,
};

/// Which server runs what: its name, and the mode or handler with options behind it.
pub(crate) type Servers<'a> = &'a [(&'a str, &'a str)];

/// Programs in memory, and every line that was sent to them.
pub(crate) struct Programs {
    id: ExecutorId,
    handlers: HashMap<&'static str, Arc<dyn ServerHandler>>,
    starts: Mutex<Vec<String>>,
    sent: Arc<Mutex<Vec<(String, String)>>>,
}

impl Programs {
    /// The lines that `server` was sent and that name `method`.
    pub(crate) fn sent(&self, server: &str, method: &str) -> Vec<String> {
        let sent = self.sent.lock().unwrap();
        let method = format!("\"method\":\"{method}\"");
        let lines = sent
            .iter()
            .filter(|(to, line)| to == server && line.contains(&method));
        lines.map(|(_, line)| line.clone()).collect()
    }

    /// How often `server` was started.
    pub(crate) fn starts(&self, server: &str) -> usize {
        let starts = self.starts.lock().unwrap();
        starts.iter().filter(|name| *name == server).count()
    }

    async fn play(&self, spec: &ProcessSpec, stdin: DuplexStream, stdout: DuplexStream) -> Played {
        let (reader, mut tee) = duplex(1 << 16);
        let (sent, name) = (self.sent.clone(), spec.name.clone());
        tokio::spawn(async move {
            let mut lines = BufReader::new(stdin).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                sent.lock().unwrap().push((name.clone(), line.clone()));
                if tee.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                    break;
                }
            }
        });
        match self.handlers.get(spec.program.as_str()) {
            Some(handler) => Box::pin(own(handler.clone(), reader, stdout)),
            None => {
                let mode: Mode = spec.program.parse().unwrap();
                let options = fake_mcp_server::Options::parse(spec.args.clone()).unwrap();
                Box::pin(async move {
                    let exit = fake_mcp_server::serve(mode, options, reader, stdout).await;
                    ExitStatus::Code(exit.code().into())
                })
            }
        }
    }
}

type Played = std::pin::Pin<Box<dyn Future<Output = ExitStatus> + Send>>;

async fn own(
    handler: Arc<dyn ServerHandler>,
    reader: impl AsyncRead + Unpin,
    writer: DuplexStream,
) -> ExitStatus {
    mcp_server::serve(handler, reader, writer, ServeOptions::default()).await;
    ExitStatus::Code(0)
}

/// Until it has exited or is to stop.
async fn run(mut control: ProcessControl, played: Played) {
    let stopped = async {
        while !matches!(control.next_request(Demand::Run).await, Request::Demand(_)) {}
        ExitStatus::Code(0)
    };
    let status = tokio::select! {
        status = played => status,
        status = stopped => status,
    };
    control.report_exit(status);
    control.report_end();
}

#[async_trait]
impl Workspace for Programs {
    fn id(&self) -> &ExecutorId {
        &self.id
    }

    async fn start_process(&self, spec: ProcessSpec) -> Result<Process, WorkspaceError> {
        self.starts.lock().unwrap().push(spec.name.clone());
        let known = self.handlers.contains_key(spec.program.as_str());
        if !known && spec.program.parse::<Mode>().is_err() {
            let what = format!("`{}` in PATH /bin; install it", spec.program);
            return Err(WorkspaceError::NotFound { what });
        }
        let (host_stdin, stdin) = duplex(1 << 16);
        let (host_stdout, stdout) = duplex(1 << 16);
        let (process, control) = Process::new(ProcessSource {
            name: spec.name.clone(),
            id: None,
            stdin: Box::new(host_stdin),
            stdout: Box::new(host_stdout),
            stdout_linger: std::time::Duration::ZERO,
        });
        if spec.program == Mode::ExitAtOnce.name() {
            control.push_stderr(b"cannot open /data\n");
        }
        let played = self.play(&spec, stdin, stdout).await;
        tokio::spawn(run(control, played));
        Ok(process)
    }

    async fn dial(&self, _: DialTarget) -> Result<BoxStream, WorkspaceError> {
        panic!("nothing is dialled here")
    }

    async fn probe(&self) -> Result<(), WorkspaceError> {
        Ok(())
    }

    async fn shutdown(&self, _: tokio::time::Instant) {}
}

/// A gateway, and what stands behind it.
pub(crate) struct World {
    pub(crate) gateway: Gateway,
    pub(crate) programs: Arc<Programs>,
    pub(crate) file: Arc<File>,
}

impl World {
    /// The servers are started; nothing is waited for.
    pub(crate) fn start(servers: Servers<'_>) -> World {
        World::with(servers, [])
    }

    /// Where a server's program is the name of a handler, the handler is the server.
    pub(crate) fn with(
        servers: Servers<'_>,
        handlers: impl IntoIterator<Item = (&'static str, Arc<dyn ServerHandler>)>,
    ) -> World {
        let programs = Arc::new(Programs {
            id: ExecutorId::local(),
            handlers: handlers.into_iter().collect(),
            starts: Mutex::default(),
            sent: Arc::default(),
        });
        let mut registry = Registry::new();
        registry.insert(programs.clone());
        let file = Arc::new(File(Mutex::new(Err("no file".to_owned()))));
        let manager = Manager::new(set(servers), registry, manager_options());
        manager.start();
        let gateway = Gateway::new(
            manager,
            roster(servers),
            GatewayOptions::new(Implementation::new("posthouse", "1")),
            Some(file.clone()),
        );
        World {
            gateway,
            programs,
            file,
        }
    }

    /// Started, and known of each server what has become of it.
    pub(crate) async fn settled(servers: Servers<'_>) -> World {
        let world = World::start(servers);
        world.settle().await;
        world
    }

    pub(crate) async fn settle(&self) {
        for connection in self.gateway.manager().connections().iter() {
            connection.settled().await;
        }
        // Whoever is to be told of it is.
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
}

fn manager_options() -> ManagerOptions {
    ManagerOptions::new(Implementation::new("posthouse", "1"))
}

/// A name that begins with `-` is that of a server which is switched off, one with `~` is lazy.
pub(crate) fn set(servers: Servers<'_>) -> ServerSet {
    let mut set = ServerSet::new();
    for (name, program) in servers {
        let mut words = program.split(' ').map(str::to_owned);
        let command = Command {
            command: words.next().unwrap(),
            args: words.collect(),
            ..Command::default()
        };
        let id = name.trim_start_matches(['-', '~']).parse().unwrap();
        let mut definition = ServerDefinition::new(id, ServerKind::Stdio(command));
        definition.enabled = !name.starts_with('-');
        if name.starts_with('~') {
            definition.lifecycle = mcp_definitions::Lifecycle::Lazy;
        }
        set.insert(definition).unwrap();
    }
    set
}

pub(crate) fn roster(servers: Servers<'_>) -> Roster {
    let enabled = servers.iter().filter(|(name, _)| !name.starts_with('-'));
    let entries = enabled.map(|(name, _)| RosterEntry {
        name: name.trim_start_matches('~').to_owned(),
        about: None,
    });
    Roster {
        servers: entries.collect(),
        notices: Vec::new(),
    }
}

/// A configuration file: what it holds when it is read next.
pub(crate) struct File(Mutex<Result<(ServerSet, Roster), String>>);

impl File {
    pub(crate) fn write(&self, servers: Servers<'_>) {
        *self.0.lock().unwrap() = Ok((set(servers), roster(servers)));
    }

    pub(crate) fn break_it(&self, why: &str) {
        *self.0.lock().unwrap() = Err(why.to_owned());
    }
}

#[async_trait]
impl Reload for File {
    async fn reload(&self, manager: &Manager) -> Result<(Roster, String), String> {
        let (servers, roster) = self.0.lock().unwrap().clone()?;
        manager.reload(servers, manager_options()).await;
        Ok((roster, "read again".to_owned()))
    }
}
