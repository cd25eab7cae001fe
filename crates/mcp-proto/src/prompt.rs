//! Prompts: messages that a server fills in.

use std::collections::BTreeMap;

use crate::content::{ContentBlock, Role};
use crate::open_struct::open_struct;
use crate::{Raw, RawObject};

open_struct! {
    /// A prompt as its server describes it.
    pub struct Prompt {
        /// Its name in `prompts/get`.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title",
        /// What it is for.
        optional description: String = "description",
        /// What it wants to know.
        optional arguments: Vec<PromptArgument> = "arguments",
        /// Pictures for it.
        optional icons: Raw = "icons",
        /// Data of the server.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// An argument of a prompt.
    pub struct PromptArgument {
        /// Its name.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title",
        /// What it is.
        optional description: String = "description",
        /// Whether it must be given.
        optional required: bool = "required",
    }
}

open_struct! {
    /// The parameters of `prompts/get`.
    pub struct GetPromptParams {
        /// The prompt.
        required name: String = "name",
        /// Its arguments.
        optional arguments: BTreeMap<String, String> = "arguments",
        /// The envelope and the progress token.
        optional meta: RawObject = "_meta",
    }
}

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PromptMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: ContentBlock,
}

open_struct! {
    /// The result of `prompts/get`.
    pub struct GetPromptResult {
        /// What the prompt is for.
        optional description: String = "description",
        /// The messages, in order.
        required messages: Vec<PromptMessage> = "messages",
        /// Data of the server.
        optional meta: RawObject = "_meta",
    }
}
