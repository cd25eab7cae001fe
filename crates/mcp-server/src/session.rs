//! One session with one host: which request is answered at once, which goes to the handler.

use std::convert::Infallible;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mcp_proto::notifications::ListenParams;
use mcp_proto::{ErrorObject, Notification, Raw, Request, RequestId, Revision, methods, project};
use mcp_rpc::{Answer, Handler, Noise, Peer};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::capability_gate;
use crate::changes::Changes;
use crate::dispatch::{Dispatch, decode};
use crate::envelope::Envelope;
use crate::handshake::Terms;
use crate::subscription::{self, Subscription};
use crate::{RequestContext, ServerHandler};

/// The state of a session. The modern era needs none of it but the lists.
pub(crate) struct Session {
    handler: Arc<dyn ServerHandler>,
    changes: Arc<Changes>,
    /// What `initialize` agreed on.
    agreed: Mutex<Option<Terms>>,
    /// Whether the legacy handshake is over; before that the host may be told nothing.
    initialized: watch::Sender<bool>,
    ended: CancellationToken,
}

impl Session {
    /// `ended` says that no more requests will come.
    pub(crate) fn new(handler: Arc<dyn ServerHandler>, ended: CancellationToken) -> Self {
        Session {
            changes: Arc::new(Changes::new(&*handler)),
            handler,
            agreed: Mutex::new(None),
            initialized: watch::Sender::new(false),
            ended,
        }
    }

    /// Tells a legacy host of lists that changed, from the end of its handshake on.
    pub(crate) async fn announce_changes(&self, peer: &Peer) -> Infallible {
        let mut initialized = self.initialized.subscribe();
        loop {
            if initialized.wait_for(|over| *over).await.is_err() {
                return pending().await;
            }
            let Terms { server, .. } = self.legacy_terms();
            let follow = self.changes.follow(
                |kind| subscription::is_declared(&server.capabilities, kind),
                |kind| peer.notify(subscription::notification(kind), None),
            );
            tokio::select! {
                never = follow => match never {},
                // A host that shakes hands again is told nothing until it is done.
                _ = initialized.changed() => {}
            }
        }
    }

    fn answer(&self, request: Request, peer: &Peer) -> Result<Answer, ErrorObject> {
        let Request { id, method, params } = request;
        let Envelope { meta, claim } = Envelope::read(&method, params.as_ref())?;
        let terms = match claim {
            None => match &*method {
                methods::INITIALIZE => return self.initialize(params, peer),
                methods::PING => return Ok(Answer::Now(Ok(Raw::empty_object()))),
                _ => self.legacy_terms(),
            },
            Some(_) if capability_gate::is_removed(&method) => {
                return Err(ErrorObject::method_not_found(&method));
            }
            Some(claim) => {
                let terms = Terms {
                    revision: claim.revision,
                    client: claim.client,
                    server: Arc::new(self.handler.describe()),
                };
                match &*method {
                    methods::DISCOVER => return Ok(Answer::Now(Ok(terms.discover_result()))),
                    methods::LISTEN => return self.listen(id, params, &terms, peer),
                    _ => terms,
                }
            }
        };
        capability_gate::check(&method, &terms.server.capabilities)?;
        let cx = RequestContext::new(terms.revision, terms.client.clone(), meta, peer);
        let dispatch = Dispatch {
            handler: self.handler.clone(),
            changes: self.changes.clone(),
            terms,
            method,
            params,
            cx,
        };
        Ok(Answer::later(dispatch.run()))
    }

    fn initialize(&self, params: Option<Raw>, peer: &Peer) -> Result<Answer, ErrorObject> {
        let terms = Terms::agree(decode(params)?, self.handler.describe());
        peer.accept_batches(terms.revision == Revision::V2025_03_26);
        let result = terms.initialize_result();
        *self.agreed() = Some(terms);
        self.initialized.send_replace(false);
        Ok(Answer::Now(Ok(result)))
    }

    /// A legacy host that asks before its handshake is answered too: what it would be refused for is
    /// undefined (protocol.md §7), and it can only be a probe or a host that skips the handshake.
    fn legacy_terms(&self) -> Terms {
        let agreed = self.agreed().clone();
        agreed.unwrap_or_else(|| Terms::before_handshake(self.handler.describe()))
    }

    fn agreed(&self) -> MutexGuard<'_, Option<Terms>> {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn listen(
        &self,
        id: RequestId,
        params: Option<Raw>,
        terms: &Terms,
        peer: &Peer,
    ) -> Result<Answer, ErrorObject> {
        let capabilities = &terms.server.capabilities;
        if !subscription::is_offered(capabilities) {
            return Err(ErrorObject::method_not_found(methods::LISTEN));
        }
        let asked: ListenParams = decode(params)?;
        let subscription = Subscription::new(id, &asked.notifications, capabilities);
        // Here and not in the task: it must be the first message of the subscription.
        let acknowledgement = subscription.acknowledgement();
        peer.notify(methods::ACKNOWLEDGED, Some(acknowledgement.get()));
        let (changes, ended, peer) = (self.changes.clone(), self.ended.clone(), peer.clone());
        let server = terms.server.clone();
        Ok(Answer::later(async move {
            let tag = subscription.tag();
            let follow = changes.follow(
                |kind| subscription.covers(kind),
                |kind| peer.notify(subscription::notification(kind), Some(tag.get())),
            );
            // A host that unsubscribes drops this future; the result is for an end of ours.
            tokio::select! {
                never = follow => match never {},
                () = ended.cancelled() => {}
            }
            Ok(project::result_to_modern(
                methods::LISTEN,
                tag,
                &server.info,
            ))
        }))
    }
}

impl Handler for Session {
    fn request(&self, request: Request, peer: &Peer) -> Answer {
        self.answer(request, peer)
            .unwrap_or_else(|error| Answer::Now(Err(error)))
    }

    fn notification(&self, notification: Notification, _: &Peer) {
        if &*notification.method != methods::INITIALIZED {
            return;
        }
        let agreed = self.agreed().clone();
        if let Some(terms) = agreed {
            self.handler.connected(&terms.client);
            self.initialized.send_replace(true);
        }
    }

    fn noise(&self, noise: Noise<'_>) {
        // What a host sends may be secret, so that no line is written out.
        match noise {
            Noise::Line { line, error } => {
                tracing::debug!(bytes = line.len(), %error, "a line of the host is no message");
            }
            Noise::TooLong(bytes) => tracing::warn!(bytes, "a line of the host is too long"),
            Noise::Stray(what) => tracing::debug!("the host sent {what}"),
        }
    }
}
