//! A host's request on its way to a server: ids and tokens are ours, everything else passes.

use std::sync::Arc;
use std::time::Duration;

use mcp_manager::{CallOptions, Manager, Params, ProgressSink, ToolCall, ToolError};
use mcp_proto::notifications::{Progress, ProgressParams};
use mcp_proto::tool::CallToolParams;
use mcp_proto::{ErrorObject, Raw, RawObject};
use mcp_server::{Reply, RequestContext};

use crate::failure;

/// The tasks of 2025-11-25 are not carried (they were an experiment of that revision): a call that asks
/// for one runs as a plain call.
const TASK: &str = "task";

/// Calls `tool` of `server` with what the host sent.
pub(crate) async fn call(
    manager: &Manager,
    server: &str,
    tool: &str,
    mut params: CallToolParams,
    timeout: Duration,
    cx: &RequestContext,
) -> Result<Raw, ToolError> {
    let arguments = params.arguments.take();
    let meta = params.meta.take().unwrap_or_default();
    let call = ToolCall {
        name: tool.to_owned(),
        arguments,
        meta,
        extra: rest(&params),
    };
    manager.call(server, &call, options(timeout, cx)).await
}

/// Whatever else stands in the parameters, whether the protocol gives it a meaning or not: a field that
/// it gives one later must not be lost here.
fn rest(params: &CallToolParams) -> RawObject {
    let rest = Raw::of(params).and_then(|params| RawObject::parse(&params));
    let mut rest = rest.unwrap_or_default();
    rest.remove("name");
    rest.remove(TASK);
    rest
}

/// Sends any other request to `server` with the host's parameters.
pub(crate) async fn request(
    manager: &Manager,
    server: &str,
    method: &str,
    params: Option<Raw>,
    timeout: Duration,
    cx: &RequestContext,
) -> Result<Reply, ErrorObject> {
    let object = match &params {
        Some(params) => RawObject::parse(params).map_err(ErrorObject::invalid_params)?,
        None => RawObject::default(),
    };
    let params = Params::new().object(&object);
    let sent = manager
        .request(server, method, params, options(timeout, cx))
        .await;
    sent.map(Reply::from).map_err(failure::request)
}

/// The server is asked for progress when the host asked us; what it reports goes on under the host's
/// token.
fn options(timeout: Duration, cx: &RequestContext) -> CallOptions {
    let progress = cx.progress_reporter().map(|reporter| {
        Arc::new(move |params: ProgressParams| {
            let ProgressParams {
                progress,
                total,
                message,
                ..
            } = params;
            reporter.report(Progress {
                progress,
                total,
                message,
            });
        }) as ProgressSink
    });
    CallOptions {
        deadline: None,
        timeout: Some(timeout),
        progress,
    }
}
