//! Which era a request is of: what its `_meta` claims, and whether the claim holds (protocol.md §4.1, §6).

use std::sync::Arc;

use mcp_proto::capabilities::ClientCapabilities;
use mcp_proto::{ErrorObject, Raw, RawObject, Revision, meta, methods};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::ClientDescription;

/// The versions that a request may name in its `_meta`. Legacy ones are agreed on by `initialize` only.
pub(crate) const SUPPORTED: [Revision; 1] = [Revision::V2026_07_28];

/// The least severe lines of its log that the sender wants to hear of (2026-07-28).
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

const LOG_LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// What a request says besides what it asks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Envelope {
    /// Its `_meta`; empty where it had none.
    pub(crate) meta: RawObject,
    /// Who speaks which modern revision; `None` for a request of the legacy era.
    pub(crate) claim: Option<Claim>,
}

/// What a valid modern request says of its sender.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) revision: Revision,
    pub(crate) client: Arc<ClientDescription>,
}

impl Envelope {
    /// Reads the `_meta` of a request; its other parameters are skipped. Fails with `INVALID_PARAMS` or
    /// `UNSUPPORTED_PROTOCOL_VERSION` when a request claims the modern era and the claim does not hold.
    pub(crate) fn read(method: &str, params: Option<&Raw>) -> Result<Envelope, ErrorObject> {
        let meta = meta_of(params);
        let claims = [meta::PROTOCOL_VERSION, meta::CLIENT_CAPABILITIES]
            .iter()
            .any(|key| meta.get(key).is_some());
        if !claims && !matches!(method, methods::DISCOVER | methods::LISTEN) {
            return Ok(Envelope { meta, claim: None });
        }
        match Claim::check(&meta) {
            Ok(claim) => Ok(Envelope {
                meta,
                claim: Some(claim),
            }),
            // Whoever sends `initialize` can be served by a handshake, whatever else went wrong.
            Err(_) if method == methods::INITIALIZE => Ok(Envelope { meta, claim: None }),
            Err(error) => Err(error),
        }
    }
}

impl Claim {
    /// The shape comes before the version: a request that is not whole is not asked for another version.
    fn check(meta: &RawObject) -> Result<Claim, ErrorObject> {
        let version: String = required(meta, meta::PROTOCOL_VERSION)?;
        let capabilities: ClientCapabilities = required(meta, meta::CLIENT_CAPABILITIES)?;
        if let Some(level) = meta.get(LOG_LEVEL)
            && !level
                .decode::<String>()
                .is_ok_and(|level| LOG_LEVELS.contains(&level.as_str()))
        {
            return Err(ErrorObject::invalid_params(format_args!(
                "{LOG_LEVEL} is none of {}",
                LOG_LEVELS.join(", ")
            )));
        }
        let Some(revision) = SUPPORTED
            .into_iter()
            .find(|revision| revision.as_str() == version)
        else {
            return Err(ErrorObject::unsupported_version(&version, &SUPPORTED));
        };
        let client = ClientDescription {
            // It need not be there (§4.1), so that a bad one is as good as none.
            info: meta.get_as(meta::CLIENT_INFO),
            capabilities,
        };
        Ok(Claim {
            revision,
            client: Arc::new(client),
        })
    }
}

/// A key that every modern request has.
fn required<T: serde::de::DeserializeOwned>(meta: &RawObject, key: &str) -> Result<T, ErrorObject> {
    let Some(value) = meta.get(key) else {
        let reason = format_args!("_meta has no {key}");
        return Err(ErrorObject::invalid_params(reason));
    };
    value
        .decode()
        .map_err(|error| ErrorObject::invalid_params(format_args!("{key}: {error}")))
}

#[derive(Default, Deserialize)]
struct OnlyMeta<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

fn meta_of(params: Option<&Raw>) -> RawObject {
    params
        .filter(|params| params.is_object())
        .and_then(|params| serde_json::from_str::<OnlyMeta<'_>>(params.get()).ok())
        .and_then(|params| serde_json::from_str(params.meta?.get()).ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests;
