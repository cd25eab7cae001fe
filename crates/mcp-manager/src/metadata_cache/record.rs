//! The text of one record.

use mcp_client::Session;
use mcp_proto::{Raw, RawObject, Revision};

/// Raised when an older reader would misunderstand a newer record, or the other way round.
const VERSION: u32 = 1;

/// Everything a server listed at one time, as it wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct CachedLists {
    /// When it was listed, in seconds since 1970.
    pub cached_at: u64,
    /// What its handshake agreed on.
    pub session: Session,
    /// The unfiltered tools.
    pub tools: Vec<Raw>,
    /// The resources.
    pub resources: Vec<Raw>,
    /// The resource templates.
    pub resource_templates: Vec<Raw>,
    /// The prompts.
    pub prompts: Vec<Raw>,
}

/// Why a text is no record of this identity.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is no JSON object, or a field is missing or of another type.
    #[error("it is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    /// A field that must be there is not, or not what it must be.
    #[error("it is damaged: {0}")]
    Field(&'static str),
    /// It is of another version of this format.
    #[error("it is of version {0}, and this one reads version {VERSION}")]
    Version(u32),
    /// It is of another server or configuration.
    #[error("it is of another identity")]
    Identity,
}

impl CachedLists {
    /// The record as text.
    pub(super) fn encode(&self, identity: &str) -> Vec<u8> {
        let mut record = RawObject::default();
        // Strings, numbers and JSON texts under string keys can always be written.
        let mut push =
            |key: &str, value: serde_json::Result<Raw>| record.push(key, value.unwrap_or_default());
        push("version", Raw::of(&VERSION));
        push("identity", Raw::of(identity));
        push("cachedAt", Raw::of(&self.cached_at));
        push("revision", Raw::of(self.session.revision.as_str()));
        push("serverInfo", Raw::of(&self.session.server_info));
        push("capabilities", Raw::of(&self.session.capabilities));
        push("instructions", Raw::of(&self.session.instructions));
        push("tools", Raw::of(&self.tools));
        push("resources", Raw::of(&self.resources));
        push("resourceTemplates", Raw::of(&self.resource_templates));
        push("prompts", Raw::of(&self.prompts));
        record.to_raw().get().as_bytes().to_vec()
    }

    /// Reads a record. A single item that is no object is left out with a sentence; a list that is none
    /// makes the whole unusable, since the server would look as if it had nothing.
    pub(super) fn decode(text: &[u8], identity: &str) -> Result<(Self, Vec<String>), RecordError> {
        let record: RawObject = serde_json::from_slice(text)?;
        match record.get_as::<u32>("version") {
            Some(VERSION) => {}
            Some(other) => return Err(RecordError::Version(other)),
            None => return Err(RecordError::Field("it has no version")),
        }
        if record.get_as::<String>("identity").as_deref() != Some(identity) {
            return Err(RecordError::Identity);
        }
        let revision = record
            .get_as::<String>("revision")
            .and_then(|text| text.parse::<Revision>().ok());
        let session = Session {
            revision: revision.ok_or(RecordError::Field("it names no revision"))?,
            server_info: record.get_as("serverInfo").unwrap_or_default(),
            capabilities: record
                .get_as("capabilities")
                .ok_or(RecordError::Field("it has no capabilities"))?,
            instructions: record.get_as("instructions"),
        };
        let mut left_out = Vec::new();
        let mut list = |key: &'static str, missing| -> Result<Vec<Raw>, RecordError> {
            let items: Vec<Raw> = record.get_as(key).ok_or(RecordError::Field(missing))?;
            let all = items.len();
            let kept: Vec<Raw> = items.into_iter().filter(Raw::is_object).collect();
            if kept.len() < all {
                left_out.push(format!(
                    "{} of the cached {key} are damaged and left out",
                    all - kept.len()
                ));
            }
            Ok(kept)
        };
        let lists = CachedLists {
            cached_at: record
                .get_as("cachedAt")
                .ok_or(RecordError::Field("it has no time"))?,
            session,
            tools: list("tools", "it has no list of tools")?,
            resources: list("resources", "it has no list of resources")?,
            resource_templates: list("resourceTemplates", "it has no list of resource templates")?,
            prompts: list("prompts", "it has no list of prompts")?,
        };
        Ok((lists, left_out))
    }
}
