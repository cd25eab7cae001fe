//! What is known of one request besides its parameters, and how to tell its sender how far it is.

use std::sync::Arc;

use mcp_proto::notifications::Progress;
use mcp_proto::{ProgressToken, Raw, RawObject, Revision, meta};
use mcp_rpc::Peer;

use crate::{ClientDescription, ProgressReporter};

/// What is known of a request: who asks, in which revision, and what its `_meta` says.
///
/// The request ends when the handler's future does, or when that future is dropped, because the host
/// cancelled the request or the session ended.
#[derive(Clone)]
pub struct RequestContext {
    /// The revision that the host speaks.
    pub revision: Revision,
    /// Who the host is and what it can do.
    pub client: Arc<ClientDescription>,
    /// The request's `_meta`, as it came; empty where it had none.
    pub meta: RawObject,
    pub(crate) progress: Option<ProgressReporter>,
    pub(crate) peer: Peer,
}

impl RequestContext {
    pub(crate) fn new(
        revision: Revision,
        client: Arc<ClientDescription>,
        meta: RawObject,
        peer: &Peer,
    ) -> Self {
        let token = meta.get_as(meta::PROGRESS_TOKEN);
        RequestContext {
            revision,
            client,
            meta,
            progress: token.map(|token| ProgressReporter::new(token, peer.clone())),
            peer: peer.clone(),
        }
    }

    /// The token under which the host wants to hear of progress, if it does.
    pub fn progress_token(&self) -> Option<ProgressToken> {
        self.progress
            .as_ref()
            .map(|progress| progress.token().clone())
    }

    /// Tells the host how far the request is, as [`ProgressReporter::report`] does; does nothing when the
    /// host did not ask. A tool that is silent for long need not report only to keep the host waiting.
    pub fn progress(&self, progress: Progress) {
        if let Some(reporter) = &self.progress {
            reporter.report(progress);
        }
    }

    /// What reports progress from elsewhere, such as a callback; `None` when the host did not ask.
    pub fn progress_reporter(&self) -> Option<ProgressReporter> {
        self.progress.clone()
    }

    /// Sends a notification that belongs to this request, such as `notifications/message`, as it is.
    /// Whether the host wants it is the caller's to know; does nothing when the session has ended.
    pub fn notify(&self, method: &str, params: Option<&Raw>) {
        self.peer.notify(method, params.map(Raw::get));
    }
}
