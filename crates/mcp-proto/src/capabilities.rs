//! What a client and a server say they can do. Open sets: what is not known here is kept.

use crate::open_struct::open_struct;
use crate::shape::{Shape, Wire};
use crate::{Raw, RawObject, Revision};

open_struct! {
    /// A capability whose list may change while a session lasts.
    pub struct ListCapability is "ServerCapabilities/tools|ServerCapabilities/prompts|ServerCapabilities/resources" {
        /// Whether the server tells when the list changes.
        optional list_changed: bool = "listChanged",
        /// Whether single items can be subscribed to; resources only.
        optional subscribe: bool = "subscribe",
    }
}

impl ListCapability {
    /// A list that may change.
    pub fn changing() -> Self {
        ListCapability {
            list_changed: Some(true),
            ..ListCapability::default()
        }
    }
}

open_struct! {
    /// What a server can do.
    pub struct ServerCapabilities {
        /// Tools to call.
        optional tools: ListCapability = "tools",
        /// Resources to read.
        optional resources: ListCapability = "resources",
        /// Prompts to fill in.
        optional prompts: ListCapability = "prompts",
        /// Suggestions for arguments.
        optional completions: Raw = "completions" since V2025_03_26,
        /// Log lines.
        optional logging: Raw = "logging",
        /// Whatever two sides agree on.
        optional experimental: RawObject = "experimental",
        /// Requests that may run as tasks (2025-11-25 only); never offered by us (D6).
        optional tasks: Raw = "tasks" since V2025_11_25 until V2025_11_25,
        /// Extensions by id (2026-07-28).
        optional extensions: RawObject = "extensions" since V2026_07_28,
    }
}

open_struct! {
    /// What a client can do.
    pub struct ClientCapabilities {
        /// Folders to work in.
        optional roots: Raw as RootsCapability = "roots",
        /// Answers of a model.
        optional sampling: Raw as SamplingCapability = "sampling",
        /// Answers of a person.
        optional elicitation: Raw as Elicitation = "elicitation" since V2025_06_18,
        /// Whatever two sides agree on.
        optional experimental: RawObject = "experimental",
        /// Requests that may run as tasks (2025-11-25 only); never offered by us (D6).
        optional tasks: Raw = "tasks" since V2025_11_25 until V2025_11_25,
        /// Extensions by id (2026-07-28).
        optional extensions: RawObject = "extensions" since V2026_07_28,
    }
}

open_struct! {
    /// How a client can tell its folders.
    pub struct RootsCapability is "ClientCapabilities/roots" {
        /// Whether it tells when they change; legacy era.
        optional list_changed: bool = "listChanged" until V2025_11_25,
    }
}

open_struct! {
    /// How a client can ask a model.
    pub struct SamplingCapability is "ClientCapabilities/sampling" {
        /// It can add the context of servers.
        optional context: Raw = "context" since V2025_11_25,
        /// The model can call tools.
        optional tools: Raw = "tools" since V2025_11_25,
    }
}

open_struct! {
    /// How a client can ask a person. Empty means with a form.
    pub struct ElicitationCapability is "ClientCapabilities/elicitation" {
        /// With a form.
        optional form: Raw = "form" since V2025_11_25,
        /// By sending them to an address.
        optional url: Raw = "url" since V2025_11_25,
    }
}

impl ElicitationCapability {
    /// Whether it can ask with a form: when it says so, and when it says nothing (protocol.md §2).
    pub fn has_form(&self) -> bool {
        self.form.is_some() || self.url.is_none()
    }
}

/// A client that can only send people to an address can ask nothing in 2025-06-18: there, an empty
/// capability means forms.
enum Elicitation {}

impl Wire for Elicitation {
    const SHAPE: Shape = Shape::Narrow {
        until: Revision::V2025_06_18,
        fits: |text| {
            serde_json::from_str::<ElicitationCapability>(text)
                .is_ok_and(|capability| capability.has_form())
        },
        then: &ElicitationCapability::SHAPE,
    };
}
