//! Prompts: messages that a server fills in.

use std::collections::BTreeMap;

use crate::content::{ContentBlock, Role};
use crate::icon::Icon;
use crate::meta::{RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::{Raw, RawObject};

open_struct! {
    /// A prompt as its server describes it.
    pub struct Prompt {
        /// Its name in `prompts/get`.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
        /// What it is for.
        optional description: String = "description",
        /// What it wants to know.
        optional arguments: Vec<PromptArgument> = "arguments",
        /// Pictures for it.
        optional icons: Raw as Vec<Icon> = "icons" since V2025_11_25,
        /// Data of the server.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// An argument of a prompt.
    pub struct PromptArgument {
        /// Its name.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
        /// What it is.
        optional description: String = "description",
        /// Whether it must be given.
        optional required: bool = "required",
    }
}

open_struct! {
    /// The parameters of `prompts/get`.
    pub struct GetPromptParams is "GetPromptRequestParams" {
        /// The prompt.
        required name: String = "name",
        /// Its arguments.
        optional arguments: BTreeMap<String, String> = "arguments",
        /// Answers to what the server asked, by its keys, each bare (2026-07-28).
        optional input_responses: RawObject = "inputResponses" since V2026_07_28,
        /// What the server asked to have sent back, byte for byte (2026-07-28).
        optional request_state: Raw = "requestState" since V2026_07_28,
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// One message of a prompt.
    pub struct PromptMessage {
        /// Who says it.
        required role: Role = "role",
        /// What is said: one block.
        required content: ContentBlock = "content",
    }
}

open_struct! {
    /// The result of `prompts/get`.
    pub struct GetPromptResult {
        /// What the prompt is for.
        optional description: String = "description",
        /// The messages, in order.
        required messages: Vec<PromptMessage> = "messages",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}
