//! The session's task: handshake, the wait for the end, and the cleaning up after it.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use mcp_proto::{Raw, RawObject, Revision, methods};
use mcp_rpc::{Peer, Pending, RequestOptions, RpcError};

use super::conversation::Conversation;
use super::{Inner, Phase};
use crate::session::envelope;
use crate::{
    ClientError, Ended, Handshake, HandshakeError, HandshakeInput, HandshakeStep, Params, Session,
    Transport,
};

impl Inner {
    /// The session's task: handshake, then wait for the end, then clean up.
    pub(super) async fn run(
        self: Arc<Self>,
        transport: Arc<dyn Transport>,
        mut conversation: Conversation,
    ) {
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
        let batches = session.revision == Revision::V2025_03_26;
        conversation.peer.accept_batches(batches);
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
