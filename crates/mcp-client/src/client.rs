//! The client: a cheap handle to one session, and the task behind it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use mcp_proto::list::ListKind;
use mcp_proto::{Raw, RawObject, methods};
use mcp_rpc::{DriverOptions, Peer, Pending, RequestOptions, RpcError};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;
use workspace::{ProcessHandle, StderrSink};

use crate::inbound::{Inbound, SharedInbound};
use crate::session::envelope;
use crate::{
    CallOptions, Channel, ClientError, ClientOptions, Ended, Handshake, HandshakeError,
    HandshakeInput, HandshakeStep, Params, Session, Transport,
};

/// How long the exit status and the last words of a process that has closed its output are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

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

/// One channel's conversation: who sends in it, and the process behind it. It is driven by a task.
struct Conversation {
    peer: Peer,
    process: Option<ProcessHandle>,
    ended: CancellationToken,
    abort: CancellationToken,
}

impl Inner {
    fn current(&self) -> std::sync::MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_output(&self) -> StderrSink {
        let inbound = self.inbound.clone();
        Arc::new(move |_: &[u8]| inbound.note_output())
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

    fn converse(&self, channel: Channel) -> Conversation {
        let handler = Arc::new(SharedInbound(self.inbound.clone()));
        let (peer, driver) = mcp_rpc::connect(
            channel.reader,
            channel.writer,
            handler,
            DriverOptions::default(),
        );
        let ended = CancellationToken::new();
        let abort = CancellationToken::new();
        let (guard, aborted) = (ended.clone().drop_guard(), abort.clone());
        self.tasks.spawn(async move {
            tokio::select! {
                reason = driver => tracing::debug!(%reason, "conversation ended"),
                () = aborted.cancelled() => tracing::debug!("conversation aborted: the server does not read"),
            }
            drop(guard);
        });
        *self.current() = Current {
            peer: Some(peer.clone()),
            process: channel.process.clone(),
        };
        Conversation {
            peer,
            process: channel.process,
            ended,
            abort,
        }
    }

    /// The session's task: handshake, then wait for the end, then clean up.
    async fn run(self: Arc<Self>, transport: Arc<dyn Transport>, mut conversation: Conversation) {
        let stopped = self.stop.clone();
        let outcome = tokio::select! {
            biased;
            () = stopped.cancelled() => Err(ClientError::Closed),
            outcome = self.shake_hands(&*transport, &mut conversation) => outcome,
        };
        let error = match outcome {
            Err(error) => error,
            Ok(session) => {
                let _subscription = self.established(session, &conversation);
                tokio::select! {
                    biased;
                    () = stopped.cancelled() => ClientError::Closed,
                    () = conversation.ended.cancelled() => {
                        // Known at once; how it ended may take a moment.
                        self.closed.store(true, Ordering::Release);
                        ClientError::Gone(conversation.last_words().await)
                    }
                }
            }
        };
        // Those who wait are told before the rest is cleaned up, which may take seconds.
        self.closed.store(true, Ordering::Release);
        self.phase.send_replace(Phase::Over(error));
        conversation.finish().await;
    }

    fn established(&self, session: Session, conversation: &Conversation) -> Option<Pending> {
        let own = envelope(
            session.revision,
            &self.options.client_info,
            &self.options.capabilities,
        );
        let subscription = subscribe(&session, &own, &conversation.peer);
        // Set before the phase tells anyone.
        drop(self.envelope.set(own));
        drop(self.session.set(Arc::new(session)));
        self.phase.send_replace(Phase::Ready);
        subscription
    }

    async fn shake_hands(
        &self,
        transport: &dyn Transport,
        conversation: &mut Conversation,
    ) -> Result<Session, ClientError> {
        let (mut handshake, mut step) = Handshake::begin(self.options.era);
        loop {
            step = match step {
                HandshakeStep::Probe(revision) => {
                    let own = envelope(
                        revision,
                        &self.options.client_info,
                        &self.options.capabilities,
                    );
                    let sent = conversation.peer.send(
                        methods::DISCOVER,
                        |out, _| Params::new().write(out, &own, None),
                        RequestOptions {
                            cancellable: false,
                            ..RequestOptions::default()
                        },
                    );
                    handshake.next(self.await_probe(sent).await)
                }
                HandshakeStep::Initialize(revision) => {
                    let params = Params::new()
                        .text("protocolVersion", revision.as_str())
                        .raw(
                            "capabilities",
                            &Raw::of(&self.options.capabilities).unwrap_or_default(),
                        )
                        .raw(
                            "clientInfo",
                            &Raw::of(&self.options.client_info).unwrap_or_default(),
                        );
                    let sent = conversation.peer.send(
                        methods::INITIALIZE,
                        |out, _| params.write(out, &RawObject::default(), None),
                        // A client must not cancel its `initialize`.
                        RequestOptions {
                            cancellable: false,
                            ..RequestOptions::default()
                        },
                    );
                    handshake.next(outcome(sent.await))
                }
                HandshakeStep::Respawn => {
                    conversation.finish().await;
                    *conversation = self.converse(transport.open(self.on_output()).await?);
                    handshake.respawned()
                }
                HandshakeStep::Done(session) => {
                    if !session.revision.is_modern() {
                        conversation.peer.notify(methods::INITIALIZED, None);
                    }
                    return Ok(*session);
                }
                HandshakeStep::Fail(reason) => {
                    let ended = match reason {
                        HandshakeError::Exited => conversation.last_words().await,
                        _ => Ended {
                            reason: reason.to_string(),
                            ..conversation.words()
                        },
                    };
                    return Err(ClientError::Handshake {
                        reason,
                        ended: Box::new(ended),
                    });
                }
            };
        }
    }

    /// Waits for the probe's answer: a while after the first output, at most a while in all.
    async fn await_probe(&self, sent: Pending) -> HandshakeInput {
        let times = self.options.probe;
        let mut output = self.inbound.output();
        let silence = async {
            drop(output.wait_for(|count| *count > 0).await);
            tokio::time::sleep(times.after_output).await;
        };
        tokio::select! {
            biased;
            answered = sent => outcome(answered),
            () = silence => HandshakeInput::ProbeTimeout,
            () = tokio::time::sleep(times.at_most) => HandshakeInput::ProbeTimeout,
        }
    }
}

fn outcome(answered: Result<Raw, RpcError>) -> HandshakeInput {
    match answered {
        Ok(result) => HandshakeInput::Answered(Ok(result)),
        Err(RpcError::Error(error)) => HandshakeInput::Answered(Err(error)),
        Err(RpcError::Timeout | RpcError::Closed(_)) => HandshakeInput::Exited,
    }
}

/// In the modern era changed lists are told only to those who subscribe. The subscription lasts as long
/// as the returned future is kept; what it brings comes in like any notification.
fn subscribe(session: &Session, envelope: &RawObject, peer: &Peer) -> Option<Pending> {
    let capabilities = &session.capabilities;
    let wanted: Vec<_> = [
        ("toolsListChanged", &capabilities.tools),
        ("promptsListChanged", &capabilities.prompts),
        ("resourcesListChanged", &capabilities.resources),
    ]
    .into_iter()
    .filter(|(_, capability)| {
        capability
            .as_ref()
            .is_some_and(|it| it.list_changed == Some(true))
    })
    .map(|(name, _)| format!("\"{name}\":true"))
    .collect();
    if !session.revision.is_modern() || wanted.is_empty() {
        return None;
    }
    let filter = Raw::parse(format!("{{{}}}", wanted.join(","))).ok()?;
    let params = Params::new().raw("notifications", &filter);
    Some(peer.send(
        methods::LISTEN,
        |out, _| params.write(out, envelope, None),
        RequestOptions::default(),
    ))
}

impl Conversation {
    /// Ends the conversation and stops the process; nothing of either is left.
    async fn finish(&self) {
        self.peer.close();
        if let Some(process) = &self.process {
            process.stop().await;
        }
        // What is queued is written first, but not for a server that no longer reads.
        if timeout(LAST_WORDS, self.ended.cancelled()).await.is_err() {
            self.abort.cancel();
            self.ended.cancelled().await;
        }
    }

    /// How the server ended, once it has: gives its process a moment to be reaped and its last words to
    /// arrive.
    async fn last_words(&self) -> Ended {
        let exit = match &self.process {
            Some(process) => timeout(LAST_WORDS, process.wait()).await.ok(),
            None => None,
        };
        Ended {
            exit,
            ..self.words()
        }
    }

    fn words(&self) -> Ended {
        Ended {
            exit: self.process.as_ref().and_then(ProcessHandle::exit_status),
            reason: "the server closed the connection".to_owned(),
            stderr_tail: self
                .process
                .as_ref()
                .map(ProcessHandle::stderr_tail)
                .unwrap_or_default(),
        }
    }
}
