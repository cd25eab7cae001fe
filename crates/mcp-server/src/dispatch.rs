//! One request on its way to the handler and back: parameters decoded, result fitted to the host's era.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;

use mcp_proto::list::ListKind;
use mcp_proto::{ErrorObject, Raw, RawObject, Revision, error_object, methods, project};
use serde::de::DeserializeOwned;

use crate::capability_gate::SET_LEVEL;
use crate::changes::Changes;
use crate::handshake::Terms;
use crate::{ProgressReporter, Reply, RequestContext, ServerHandler};

/// A request that the handler answers.
pub(crate) struct Dispatch {
    pub(crate) handler: Arc<dyn ServerHandler>,
    pub(crate) changes: Arc<Changes>,
    pub(crate) terms: Terms,
    pub(crate) method: Box<str>,
    pub(crate) params: Option<Raw>,
    pub(crate) cx: RequestContext,
}

impl Dispatch {
    /// Has the request answered. A handler that panics costs this one answer.
    pub(crate) async fn run(mut self) -> Result<Raw, ErrorObject> {
        // Whether it is answered or dropped, no progress comes after it.
        let _running = Running(self.cx.progress.clone());
        let params = self.params.take();
        let mut asked = Box::pin(self.ask(params));
        let asked = poll_fn(|cx| {
            catch_unwind(AssertUnwindSafe(|| asked.as_mut().poll(cx))).unwrap_or_else(|_| {
                tracing::error!(method = &*self.method, "a server's handler panicked");
                let error = ErrorObject::new(error_object::INTERNAL_ERROR, "the server failed");
                Poll::Ready(Err(error))
            })
        });
        let outcome = match &self.cx.progress {
            Some(progress) if &*self.method == methods::TOOLS_CALL => tokio::select! {
                biased;
                outcome = asked => outcome,
                never = progress.break_silence() => match never {},
            },
            _ => asked.await,
        };
        self.fit(outcome)
    }

    async fn ask(&self, params: Option<Raw>) -> Result<Raw, ErrorObject> {
        let (handler, cx) = (&self.handler, &self.cx);
        let reply = match &*self.method {
            methods::TOOLS_LIST => return self.list(ListKind::Tools, params).await,
            methods::RESOURCES_LIST => return self.list(ListKind::Resources, params).await,
            methods::RESOURCE_TEMPLATES_LIST => {
                return self.list(ListKind::ResourceTemplates, params).await;
            }
            methods::PROMPTS_LIST => return self.list(ListKind::Prompts, params).await,
            methods::TOOLS_CALL => handler.call_tool(decode(params)?, cx).await,
            methods::RESOURCES_READ => handler.read_resource(decode(params)?, cx).await,
            methods::PROMPTS_GET => handler.get_prompt(decode(params)?, cx).await,
            // The level concerns whoever logs; a server that declares logging need not know it.
            SET_LEVEL => match handler.other(SET_LEVEL, params, cx).await {
                Err(error) if error.code == error_object::METHOD_NOT_FOUND => Ok(Reply::empty()),
                outcome => outcome,
            },
            method => handler.other(method, params, cx).await,
        };
        reply.map(Reply::into_raw)
    }

    async fn list(&self, kind: ListKind, params: Option<Raw>) -> Result<Raw, ErrorObject> {
        let cursor = match params.as_ref().and_then(cursor_of) {
            None => None,
            Some(cursor) => Some(
                cursor
                    .decode::<String>()
                    .map_err(ErrorObject::invalid_params)?,
            ),
        };
        let listing = self.changes.listing(kind);
        let list = self.handler.list(kind, &self.cx).await?;
        let scope = self.terms.server.cache_scope;
        let page = list.page(kind, cursor.as_deref(), self.cx.revision, scope)?;
        listing.served(list.generation);
        Ok(page)
    }

    /// Adds what the host's era must have, and takes away what it does not know.
    fn fit(&self, outcome: Result<Raw, ErrorObject>) -> Result<Raw, ErrorObject> {
        match (self.cx.revision.is_modern(), outcome) {
            (true, Ok(result)) => {
                let info = &self.terms.server.info;
                Ok(project::result_to_modern(&self.method, result, info))
            }
            (false, Ok(result)) if is_question(&result) => Err(ErrorObject::new(
                error_object::INTERNAL_ERROR,
                "the server asks back, which a host of this revision cannot answer",
            )),
            // What the newest legacy revision may not see stands around a result, not in it.
            (false, Ok(result)) if self.cx.revision == Revision::LATEST_LEGACY => {
                Ok(project::result_to_legacy(result))
            }
            (false, Ok(result)) => {
                Ok(project::result(&self.method, &result, self.cx.revision).into_owned())
            }
            (_, Err(error)) => Err(error.for_revision(&self.method, self.cx.revision)),
        }
    }
}

/// A request that has not been answered.
struct Running(Option<ProgressReporter>);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(progress) = &self.0 {
            progress.finish();
        }
    }
}

/// Whether a result is no answer yet (protocol.md §4.7); a legacy host would take it for one.
fn is_question(result: &Raw) -> bool {
    // Looking for the word first spares nearly every result a second decoding.
    result.get().contains("\"input_required\"")
        && RawObject::parse(result)
            .ok()
            .and_then(|result| result.get_as::<String>("resultType"))
            .is_some_and(|kind| kind == "input_required")
}

fn cursor_of(params: &Raw) -> Option<Raw> {
    let params = RawObject::parse(params).ok()?;
    let cursor = params.get("cursor")?;
    (cursor.get() != "null").then(|| cursor.clone())
}

/// Decodes parameters; absent ones read as `{}`.
pub(crate) fn decode<T: DeserializeOwned>(params: Option<Raw>) -> Result<T, ErrorObject> {
    params
        .unwrap_or_default()
        .decode()
        .map_err(ErrorObject::invalid_params)
}
