//! The life of a connection: one loop from demand to demand.

use std::sync::Arc;
use std::time::Duration;

use mcp_client::{CallOptions, Client, ClientError, ClientOptions, Era, ListLimits, Session};
use mcp_proto::list::ListKind;
use tokio::time::{Instant, sleep};

use super::Inner;
use crate::{Cause, DEFAULT_STARTUP_TIMEOUT, Generation, RESET_AFTER};

/// A start that takes longer makes way for others.
const PERMIT_TIME: Duration = Duration::from_secs(1);

/// How an attempt to be connected ended.
struct Ended {
    cause: Cause,
    /// How long it was connected; `None` when it never was.
    uptime: Option<Duration>,
}

/// Lives until the connection is closed.
pub(super) async fn live(inner: &Arc<Inner>) {
    let mut wanted = inner.wanted.subscribe();
    let mut served = 0;
    let mut at_once = inner.definition.lifecycle.starts_at_once();
    let mut era = None;
    if !at_once {
        inner.state.idle();
    }
    loop {
        // One reconnect comes by itself; after that somebody has to ask.
        let by_itself = at_once && served > 0;
        if !at_once {
            tokio::select! {
                biased;
                () = inner.stop.cancelled() => return,
                asked = wanted.wait_for(|count| *count > served) => drop(asked),
            }
        }
        served = (*wanted.borrow_and_update()).max(1);
        inner.state.connecting();
        let ended = match attempt(inner, &mut era, &mut served).await {
            Some(ended) => ended,
            None => return,
        };
        at_once = match ended.uptime {
            None => false,
            Some(uptime) => !by_itself || uptime >= RESET_AFTER,
        };
        let client = inner.state.lock().client.clone();
        inner.state.lost(ended.cause, at_once);
        if let Some(client) = client {
            // The old process is gone before a new one is started.
            client.shutdown().await;
        }
    }
}

/// One connection from its start to its end; `None` when it was closed on purpose.
async fn attempt(inner: &Arc<Inner>, era: &mut Option<Era>, served: &mut u64) -> Option<Ended> {
    let begin = Instant::now();
    let outcome = tokio::select! {
        biased;
        () = inner.stop.cancelled() => None,
        outcome = start(inner, *era) => Some(outcome),
    };
    let (client, session) = match outcome {
        Some(Ok(started)) => started,
        Some(Err(error)) => {
            let noise = inner
                .state
                .lock()
                .client
                .as_ref()
                .and_then(|client| client.diagnostics().last_noise);
            return Some(Ended {
                cause: Cause::of(&error, begin.elapsed(), noise),
                uptime: None,
            });
        }
        None => {
            let client = inner.state.lock().client.clone();
            if let Some(client) = client {
                client.shutdown().await;
            }
            return None;
        }
    };
    *era = Some(session.era());
    inner.state.connected(session.clone());
    let connected = Instant::now();
    let error = tokio::select! {
        biased;
        () = inner.stop.cancelled() => {
            client.shutdown().await;
            return None;
        }
        error = client.over() => error,
        error = attend(inner, &client, session, served) => error,
    };
    let noise = client.diagnostics().last_noise;
    let uptime = connected.elapsed();
    Some(Ended {
        cause: Cause::of(&error, begin.elapsed(), noise),
        uptime: Some(uptime),
    })
}

/// Starts the server and waits for its handshake, however long it takes.
async fn start(
    inner: &Arc<Inner>,
    era: Option<Era>,
) -> Result<(Client, Arc<Session>), ClientError> {
    // The semaphore is never closed.
    let permit = inner.permits.acquire().await.ok();
    let starting = async {
        let client = Client::start(
            &inner.name,
            inner.transport.clone(),
            client_options(inner, era),
        )
        .await?;
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
    let limits = inner.definition.list_limits;
    ClientOptions {
        capabilities: inner.options.capabilities.clone(),
        probe: inner.options.probe,
        era,
        list_limits: ListLimits {
            max_pages: limits.max_pages,
            max_items: limits.max_items,
            max_bytes: limits.max_bytes,
        },
        not_ready_advice: inner.definition.not_ready_advice.clone(),
        ..ClientOptions::new(inner.options.client_info.clone())
    }
}

/// Reads the lists now, and again whenever the server says that they are others or somebody asks after
/// they failed. Never ends by itself.
async fn attend(
    inner: &Arc<Inner>,
    client: &Client,
    session: Arc<Session>,
    served: &mut u64,
) -> ClientError {
    let mut tools = client.changes(ListKind::Tools);
    let mut resources = client.changes(ListKind::Resources);
    let mut prompts = client.changes(ListKind::Prompts);
    let mut wanted = inner.wanted.subscribe();
    loop {
        // What is announced from here on is read again: nothing falls between two readings.
        for changes in [&mut tools, &mut resources, &mut prompts] {
            changes.borrow_and_update();
        }
        let limit = inner
            .definition
            .startup_timeout
            .unwrap_or(DEFAULT_STARTUP_TIMEOUT);
        let options = CallOptions {
            deadline: Some((Instant::now() + limit).into_std()),
            timeout: Some(limit),
            progress: None,
        };
        let begin = Instant::now();
        let failed =
            match Generation::discover(client, session.clone(), &inner.definition, options).await {
                Ok(generation) => {
                    for kind in inner.state.listed(generation) {
                        (inner.on_change)(kind);
                    }
                    false
                }
                // The end of the server is told by whoever waits for it.
                Err(ClientError::Gone(_) | ClientError::Disconnected(_) | ClientError::Closed) => {
                    return client.over().await;
                }
                Err(error) => {
                    inner
                        .state
                        .list_failed(Cause::of(&error, begin.elapsed(), None));
                    true
                }
            };
        *served = *wanted.borrow_and_update();
        let asked = *served;
        tokio::select! {
            _ = tools.changed() => {}
            _ = resources.changed() => {}
            _ = prompts.changed() => {}
            again = wanted.wait_for(|count| *count > asked), if failed => {
                drop(again);
                inner.state.connected(session.clone());
            }
        }
    }
}
