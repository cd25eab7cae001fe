//! The handshakes: `initialize` of the legacy era, `server/discover` of the modern one.

use crate::capabilities::{ClientCapabilities, ServerCapabilities};
use crate::open_struct::open_struct;
use crate::{Raw, RawObject};

open_struct! {
    /// Who a client or a server is.
    pub struct Implementation {
        /// Its name for programs.
        required name: String = "name",
        /// Its version.
        defaulted version: String = "version",
        /// Its name for people.
        optional title: String = "title",
        /// What it is for.
        optional description: String = "description",
        /// Pictures for it.
        optional icons: Raw = "icons",
        /// Where more is told.
        optional website_url: String = "websiteUrl",
    }
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Implementation {
            name: name.into(),
            version: version.into(),
            ..Implementation::default()
        }
    }
}

open_struct! {
    /// The parameters of `initialize`.
    pub struct InitializeParams {
        /// The newest legacy revision that the client speaks.
        required protocol_version: String = "protocolVersion",
        /// What the client can do.
        defaulted capabilities: ClientCapabilities = "capabilities",
        /// Who the client is.
        defaulted client_info: Implementation = "clientInfo",
        /// Data of the sender.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// The result of `initialize`.
    pub struct InitializeResult {
        /// The revision both sides speak from here on.
        required protocol_version: String = "protocolVersion",
        /// What the server can do.
        defaulted capabilities: ServerCapabilities = "capabilities",
        /// Who the server is.
        defaulted server_info: Implementation = "serverInfo",
        /// How the server is to be used, for the model.
        optional instructions: String = "instructions",
        /// Data of the sender.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// The result of `server/discover`.
    pub struct DiscoverResult {
        /// The versions that a request may name.
        required supported_versions: Vec<String> = "supportedVersions",
        /// What the server can do.
        required capabilities: ServerCapabilities = "capabilities",
        /// How the server is to be used, for the model.
        optional instructions: String = "instructions",
        /// Data of the sender; has the server's name.
        optional meta: RawObject = "_meta",
    }
}
