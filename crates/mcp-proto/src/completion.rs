//! Completion: what an argument of a prompt or of a resource template might be.

use std::collections::BTreeMap;

use crate::RawObject;
use crate::meta::{RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::open_union::open_union;

open_struct! {
    /// A prompt, by its name.
    pub struct PromptReference {
        /// Its name in `prompts/get`.
        required name: String = "name",
        /// Its name for people.
        optional title: String = "title" since V2025_06_18,
    }
}

open_struct! {
    /// A resource template, by its URI template.
    pub struct ResourceReference is "ResourceReference|ResourceTemplateReference" {
        /// The template, or the address of a resource.
        required uri: String = "uri",
    }
}

open_union! {
    /// Whose argument is completed.
    pub enum CompletionReference is "CompleteRequestParams/ref|CompleteRequest/params/ref" by "type" else Keep {
        /// `ref/prompt`
        Prompt(PromptReference) = "ref/prompt",
        /// `ref/resource`
        Resource(ResourceReference) = "ref/resource",
    }
}

impl Default for CompletionReference {
    fn default() -> Self {
        CompletionReference::Prompt(PromptReference::default())
    }
}

open_struct! {
    /// The argument that is completed.
    pub struct CompletionArgument is "CompleteRequestParams/argument|CompleteRequest/params/argument" {
        /// Its name.
        required name: String = "name",
        /// What was typed of it.
        required value: String = "value",
    }
}

open_struct! {
    /// What is known beside the argument that is completed.
    pub struct CompletionContext is "CompleteRequestParams/context|CompleteRequest/params/context" {
        /// The arguments that are filled in already.
        optional arguments: BTreeMap<String, String> = "arguments" since V2025_06_18,
    }
}

open_struct! {
    /// The parameters of `completion/complete`.
    pub struct CompleteParams is "CompleteRequestParams" {
        /// Whose argument it is.
        required reference: CompletionReference = "ref",
        /// The argument.
        required argument: CompletionArgument = "argument",
        /// What is known beside it.
        optional context: CompletionContext = "context" since V2025_06_18,
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// What an argument might be.
    pub struct Completion is "CompleteResult/completion" {
        /// The values, at most 100.
        required values: Vec<String> = "values",
        /// How many there are.
        optional total: u64 = "total",
        /// Whether there are more than `values` holds.
        optional has_more: bool = "hasMore",
    }
}

open_struct! {
    /// The result of `completion/complete`.
    pub struct CompleteResult {
        /// What the argument might be.
        required completion: Completion = "completion",
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}
