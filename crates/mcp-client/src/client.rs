//! The client: a cheap handle to one session. The task behind it is in `life`.

mod conversation;
mod life;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mcp_proto::list::ListKind;
use mcp_proto::{Raw, RawObject};
use mcp_rpc::{Peer, RequestOptions, RpcError};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use workspace::ProcessHandle;

use crate::inbound::Inbound;
use crate::{CallOptions, ClientError, ClientOptions, Ended, Params, Session, Transport};

/// A session with one server. Clones are handles to the same one; when the last is dropped, the session
/// ends and its process is stopped. [`Client::shutdown`] waits for that.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
    _alive: Arc<DropGuard>,
}

struct Inner {
    name: String,
    options: ClientOptions,
    inbound: Arc<Inbound>,
    /// Two flags and nothing else answer [`Client::is_alive`].
    opened: AtomicBool,
    closed: AtomicBool,
    session: OnceLock<Arc<Session>>,
    envelope: OnceLock<RawObject>,
    phase: watch::Sender<Phase>,
    current: Mutex<Current>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// The channel of the moment. A server that exits at the era probe gets a second one.
#[derive(Default)]
struct Current {
    peer: Option<Peer>,
    process: Option<ProcessHandle>,
}

#[derive(Clone, Debug)]
enum Phase {
    Starting,
    Ready,
    Over(ClientError),
}

/// What is known of a server beside its answers, for status texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnostics {
    /// The process id, as its executor counts.
    pub pid: Option<u32>,
    /// The last that it wrote to standard error.
    pub stderr_tail: String,
    /// The last whole line of that.
    pub last_stderr_line: Option<String>,
    /// How many lines of its standard output were no messages.
    pub noise_lines: u64,
    /// The last of them.
    pub last_noise: Option<String>,
}

impl Client {
    /// Opens the transport and begins the handshake behind the caller's back. Fails only when the
    /// server could not be started; whether it answers is told by [`Client::ready`].
    pub async fn start(
        name: impl Into<String>,
        transport: Arc<dyn Transport>,
        options: ClientOptions,
    ) -> Result<Client, ClientError> {
        let inner = Arc::new(Inner {
            name: name.into(),
            options: options.resolve(),
            inbound: Arc::default(),
            opened: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            session: OnceLock::new(),
            envelope: OnceLock::new(),
            phase: watch::Sender::new(Phase::Starting),
            current: Mutex::default(),
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        });
        let channel = transport.open(inner.on_output()).await?;
        inner.opened.store(true, Ordering::Release);
        let client = Client {
            _alive: Arc::new(inner.stop.clone().drop_guard()),
            inner: inner.clone(),
        };
        let conversation = inner.converse(channel);
        inner
            .tasks
            .spawn(inner.clone().run(transport, conversation));
        inner.tasks.close();
        Ok(client)
    }

    /// The name it was started under.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Whether both are handles to the same session.
    pub fn is_same(&self, other: &Client) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The options in force.
    pub fn options(&self) -> &ClientOptions {
        &self.inner.options
    }

    /// Whether the server is there. Reads two flags: no lock, no I/O, callable from anywhere.
    pub fn is_alive(&self) -> bool {
        self.inner.opened.load(Ordering::Acquire) && !self.inner.closed.load(Ordering::Acquire)
    }

    /// Whether the handshake is done.
    pub fn is_ready(&self) -> bool {
        self.inner.session.get().is_some()
    }

    /// What the handshake agreed on, once it is done.
    pub fn session(&self) -> Option<Arc<Session>> {
        self.inner.session.get().cloned()
    }

    /// Waits until the handshake is done or has failed. It may take minutes: bound the wait, not the
    /// handshake.
    pub async fn ready(&self) -> Result<Arc<Session>, ClientError> {
        let mut phase = self.inner.phase.subscribe();
        // The sender lives as long as we do.
        let settled = phase
            .wait_for(|phase| !matches!(phase, Phase::Starting))
            .await;
        match settled.as_deref() {
            Ok(Phase::Over(error)) => Err(error.clone()),
            _ => self.session().ok_or(ClientError::Closed),
        }
    }

    /// Waits until the session is over, and says why. Its process may still be stopping:
    /// [`Client::shutdown`] waits for that.
    pub async fn over(&self) -> ClientError {
        let mut phase = self.inner.phase.subscribe();
        let over = phase
            .wait_for(|phase| matches!(phase, Phase::Over(_)))
            .await;
        match over.as_deref() {
            Ok(Phase::Over(error)) => error.clone(),
            _ => ClientError::Closed,
        }
    }

    /// Counts how often the server said that a list is another, from before its handshake on.
    pub fn changes(&self, kind: ListKind) -> watch::Receiver<u64> {
        self.inner.inbound.changes(kind).subscribe()
    }

    /// What is known of the server beside its answers.
    pub fn diagnostics(&self) -> Diagnostics {
        let (noise_lines, last_noise) = self.inner.inbound.noise();
        let process = self.inner.current().process.clone();
        let Some(process) = process else {
            return Diagnostics {
                noise_lines,
                last_noise,
                ..Diagnostics::default()
            };
        };
        Diagnostics {
            pid: process.id(),
            stderr_tail: process.stderr_tail(),
            last_stderr_line: process.last_stderr_line(),
            noise_lines,
            last_noise,
        }
    }

    /// Sends a request and waits for its result, at most until the earlier of the caller's deadline and
    /// the timeout. See [`Client::call_tool`] for what the errors say about whether it was carried out.
    pub async fn request(
        &self,
        method: &str,
        params: Params,
        options: CallOptions,
    ) -> Result<Raw, ClientError> {
        let peer = self.inner.ready_peer()?;
        if peer.is_closed() {
            // It has just gone: nothing is sent, and how it ended is about to be known.
            return Err(self.over().await);
        }
        let after = options
            .timeout
            .unwrap_or(self.inner.options.request_timeout);
        // tokio's clock, so that a paused one pauses deadlines too.
        let now = Instant::now().into_std();
        let own = now.checked_add(after);
        let deadline = [own, options.deadline].into_iter().flatten().min();
        let wants_progress = options.progress.is_some();
        let envelope = self.inner.envelope.get();
        let sent = peer
            .request(
                method,
                |out, id| {
                    let token = wants_progress.then_some(id);
                    params.write(out, envelope.unwrap_or(&RawObject::default()), token);
                },
                RequestOptions {
                    deadline,
                    cancellable: true,
                    progress: options.progress,
                },
            )
            .await;
        match sent {
            Ok(result) => Ok(result),
            Err(RpcError::Error(error)) => Err(ClientError::Rpc(error)),
            Err(RpcError::Timeout) => Err(ClientError::Timeout {
                method: method.to_owned(),
                after: deadline.map_or(after, |deadline| deadline - now),
            }),
            Err(RpcError::Closed(reason)) => {
                let over = self.over().await;
                Err(match over {
                    ClientError::Gone(ended) => ClientError::Disconnected(ended),
                    _ => ClientError::Disconnected(Ended {
                        reason: reason.to_string(),
                        ..Ended::default()
                    }),
                })
            }
        }
    }

    /// Ends the session, stops the process and joins every task. Also when several call it.
    pub async fn shutdown(&self) {
        self.inner.stop.cancel();
        self.inner.tasks.wait().await;
    }
}

impl Inner {
    fn current(&self) -> std::sync::MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The sender, if the session is ready and not over.
    fn ready_peer(&self) -> Result<Peer, ClientError> {
        if let Phase::Over(error) = &*self.phase.borrow() {
            return Err(error.clone());
        }
        if self.session.get().is_none() {
            let advice = self.options.not_ready_advice.clone().unwrap_or_else(|| {
                format!(
                    "Server `{}` is still starting. Try again later or use another tool.",
                    self.name
                )
            });
            return Err(ClientError::NotReady { advice });
        }
        self.current().peer.clone().ok_or(ClientError::Closed)
    }
}
