//! Results that are no answer yet: what a server of 2026-07-28 asks before it answers.

use std::collections::BTreeMap;

use crate::elicitation::ElicitParams;
use crate::meta::ResultMeta;
use crate::open_struct::open_struct;
use crate::open_union::open_union;
use crate::roots::ListRootsParams;
use crate::sampling::CreateMessageParams;
use crate::{Raw, RawObject};

/// The `resultType` of an answer, also where there is none.
pub const COMPLETE: &str = "complete";
/// The `resultType` of an [`InputRequiredResult`].
pub const INPUT_REQUIRED: &str = "input_required";

open_struct! {
    /// A question to the model.
    pub struct SamplingInput is "CreateMessageRequest" {
        /// The question.
        required params: CreateMessageParams = "params",
    }
}

open_struct! {
    /// A question to the person.
    pub struct ElicitationInput is "ElicitRequest" {
        /// The question.
        required params: ElicitParams = "params",
    }
}

open_struct! {
    /// A question about the folders that the host works in.
    pub struct RootsInput is "ListRootsRequest" {
        /// Data of the server.
        optional params: ListRootsParams = "params",
    }
}

open_union! {
    /// One question inside a result, by its `method`. It has neither an id nor a version (protocol.md §4.7).
    pub enum InputRequest is "InputRequest" by "method" else Keep {
        /// `sampling/createMessage`
        Sampling(SamplingInput) = "sampling/createMessage",
        /// `elicitation/create`
        Elicitation(ElicitationInput) = "elicitation/create",
        /// `roots/list`
        Roots(RootsInput) = "roots/list",
    }
}

open_struct! {
    /// A result that asks back, of `tools/call`, `prompts/get` or `resources/read` (2026-07-28).
    pub struct InputRequiredResult {
        /// The questions by the server's keys; each value is an [`InputRequest`].
        optional input_requests: RawObject as BTreeMap<String, InputRequest> = "inputRequests" since V2026_07_28,
        /// What is to be sent back with the answers, byte for byte.
        optional request_state: Raw = "requestState" since V2026_07_28,
        /// [`INPUT_REQUIRED`].
        required result_type: String = "resultType" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}
