//! The life of a connection: one loop from demand to demand.

use std::sync::Arc;
use std::time::Duration;

use mcp_client::{CallOptions, Client, ClientError, ClientOptions, Era, ListLimits, Session};
use mcp_proto::list::ListKind;
use tokio::time::{Instant, sleep, sleep_until};

use super::Inner;
use crate::{Cause, DEFAULT_STARTUP_TIMEOUT, Generation, RESET_AFTER};

/// A start that takes longer makes way for others.
const PERMIT_TIME: Duration = Duration::from_secs(1);

/// The least time from one reading of the lists to the next: some servers announce a change whenever
/// they are read.
const BETWEEN_READINGS: Duration = Duration::from_millis(100);

/// How an attempt to be connected ended.
struct Ended {
    cause: Cause,
    /// How long it was connected; `None` when it never was.
    uptime: Option<Duration>,
}

/// Lives until the connection is closed.
pub(super) async fn live(inner: &Arc<Inner>) {
    let spec = &inner.spec;
    if spec.definition.lifecycle.starts_at_once() {
        // The definition is the first who asks.
        drop(inner.state.demand());
    } else {
        inner.state.idle();
    }
    let mut era = None;
    let mut reconnects = false;
    loop {
        // One reconnect comes by itself; after that somebody has to ask.
        if !reconnects {
            tokio::select! {
                biased;
                () = spec.stop.cancelled() => return,
                () = inner.state.wait(|facts| facts.wanted) => {}
            }
        }
        let was_asked = inner.state.connecting();
        let Some(ended) = attempt(inner, &mut era).await else {
            return;
        };
        reconnects = ended
            .uptime
            .is_some_and(|uptime| was_asked || uptime >= RESET_AFTER);
        tracing::info!(server = spec.name, cause = ended.cause.text, "not there");
        if let Some(client) = inner.state.lost(ended.cause, reconnects) {
            // The old process is gone before a new one is started.
            client.shutdown().await;
        }
    }
}

/// One connection from its start to its end; `None` when it was closed on purpose.
async fn attempt(inner: &Arc<Inner>, era: &mut Option<Era>) -> Option<Ended> {
    let begin = Instant::now();
    let mut connected = None;
    let connection = async {
        // Forgotten until it is found out again: the server may be another one by now.
        let (client, session) = start(inner, era.take()).await?;
        *era = Some(session.era());
        tracing::info!(server = inner.spec.name, "connected");
        inner.state.connected(session.clone());
        connected = Some(Instant::now());
        tokio::select! {
            biased;
            error = client.over() => Err::<(), _>(error),
            error = attend(inner, &client, session) => Err(error),
        }
    };
    let error = tokio::select! {
        biased;
        () = inner.spec.stop.cancelled() => None,
        ended = connection => ended.err(),
    };
    let client = inner.state.lock().client.clone();
    let Some(error) = error else {
        if let Some(client) = client {
            client.shutdown().await;
        }
        return None;
    };
    let noise = client.and_then(|client| client.diagnostics().last_noise);
    Some(Ended {
        cause: Cause::of(&error, begin.elapsed(), noise).redacted(&inner.spec.options.borrow()),
        uptime: connected.map(|connected| connected.elapsed()),
    })
}

/// Starts the server and waits for its handshake, however long it takes.
async fn start(
    inner: &Arc<Inner>,
    era: Option<Era>,
) -> Result<(Client, Arc<Session>), ClientError> {
    let spec = &inner.spec;
    // The semaphore is never closed.
    let permit = spec.permits.acquire().await.ok();
    let starting = async {
        let options = client_options(inner, era);
        let client = Client::start(&spec.name, spec.transport.clone(), options).await?;
        inner.state.started(&client);
        let session = client.ready().await?;
        Ok((client, session))
    };
    tokio::pin!(starting);
    tokio::select! {
        started = &mut starting => started,
        () = sleep(PERMIT_TIME) => {
            drop(permit);
            starting.await
        }
    }
}

fn client_options(inner: &Inner, era: Option<Era>) -> ClientOptions {
    let definition = &inner.spec.definition;
    let limits = definition.list_limits;
    let options = inner.spec.options.borrow().clone();
    ClientOptions {
        capabilities: options.capabilities.clone(),
        probe: options.probe,
        era,
        list_limits: ListLimits {
            max_pages: limits.max_pages,
            max_items: limits.max_items,
            max_bytes: limits.max_bytes,
        },
        not_ready_advice: definition.not_ready_advice.clone(),
        ..ClientOptions::new(options.client_info.clone())
    }
}

/// Reads the lists now, and again whenever the server says that they are others or somebody asks after
/// they failed. Ends only with the server.
async fn attend(inner: &Arc<Inner>, client: &Client, session: Arc<Session>) -> ClientError {
    let definition = &inner.spec.definition;
    let limit = definition
        .startup_timeout
        .unwrap_or(DEFAULT_STARTUP_TIMEOUT);
    let mut tools = client.changes(ListKind::Tools);
    let mut resources = client.changes(ListKind::Resources);
    let mut prompts = client.changes(ListKind::Prompts);
    loop {
        // What is announced from here on is read again: nothing falls between two readings.
        for changes in [&mut tools, &mut resources, &mut prompts] {
            changes.borrow_and_update();
        }
        let begin = Instant::now();
        let options = CallOptions {
            deadline: Some((begin + limit).into_std()),
            timeout: Some(limit),
            progress: None,
        };
        let before = inner.state.lock().generation.clone();
        let read = Generation::discover(client, &session, definition, before.as_deref(), options);
        match read.await {
            Ok(generation) => {
                for kind in inner.state.listed(generation) {
                    (inner.spec.on_change)(kind);
                }
            }
            // How the server ended is told by the client.
            Err(ClientError::Gone(_) | ClientError::Disconnected(_) | ClientError::Closed) => {
                return client.over().await;
            }
            Err(error) => {
                let cause = Cause::of(&error, begin.elapsed(), None);
                let cause = cause.redacted(&inner.spec.options.borrow());
                inner.state.list_failed(cause);
            }
        }
        tokio::select! {
            _ = tools.changed() => {}
            _ = resources.changed() => {}
            _ = prompts.changed() => {}
            () = inner.state.wait(|facts| facts.wanted) => {}
        }
        sleep_until(begin + BETWEEN_READINGS).await;
    }
}
