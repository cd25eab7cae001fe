//! What a client and a server say they can do. Open sets: what is not known here is kept.

use crate::open_struct::open_struct;
use crate::{Raw, RawObject};

open_struct! {
    /// A capability whose list may change while a session lasts.
    pub struct ListCapability {
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
        optional completions: Raw = "completions",
        /// Log lines.
        optional logging: Raw = "logging",
        /// Whatever two sides agree on.
        optional experimental: RawObject = "experimental",
        /// Extensions by id (2026-07-28).
        optional extensions: RawObject = "extensions",
    }
}

open_struct! {
    /// What a client can do.
    pub struct ClientCapabilities {
        /// Folders to work in.
        optional roots: Raw = "roots",
        /// Answers of a model.
        optional sampling: Raw = "sampling",
        /// Answers of a person.
        optional elicitation: Raw = "elicitation",
        /// Whatever two sides agree on.
        optional experimental: RawObject = "experimental",
        /// Extensions by id (2026-07-28).
        optional extensions: RawObject = "extensions",
    }
}
