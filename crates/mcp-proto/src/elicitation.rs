//! Elicitation: a server asks a person, with a form or by sending them to an address.

use std::collections::BTreeMap;

use crate::meta::{RequestMeta, ResultMeta};
use crate::open_enum::open_enum;
use crate::open_struct::open_struct;
use crate::task::TaskMetadata;
use crate::{Raw, RawObject, Revision};

mod primitive;

pub use primitive::{ArraySchema, BooleanSchema, NumberSchema, PrimitiveSchema, StringSchema};

open_enum! {
    /// How a person is asked.
    pub enum ElicitMode {
        /// With a form.
        Form = "form",
        /// By sending them to an address.
        Url = "url",
    }
}

open_struct! {
    /// The fields of a form: a JSON Schema of one level (protocol.md §3).
    pub struct RequestedSchema is "ElicitRequestFormParams/requestedSchema|ElicitRequest/params/requestedSchema" {
        /// Always `object`.
        required kind: String = "type",
        /// The fields by name, each a [`PrimitiveSchema`].
        required properties: RawObject as BTreeMap<String, PrimitiveSchema> = "properties",
        /// The fields that must be filled in.
        optional required: Vec<String> = "required",
        /// The dialect of the schema.
        optional schema: String = "$schema" since V2025_11_25,
    }
}

open_struct! {
    /// The parameters of `elicitation/create` (protocol.md §3): a form, or an address where `mode` is `url`.
    pub struct ElicitParams is "ElicitRequestFormParams|ElicitRequestURLParams|ElicitRequest/params" {
        /// How the person is asked; with a form where absent.
        optional mode: ElicitMode = "mode" since V2025_11_25,
        /// What is asked, for the person.
        required message: String = "message",
        /// The fields of the form, kept raw: nothing between server and host needs them.
        optional requested_schema: Raw as RequestedSchema = "requestedSchema",
        /// Where the person is sent.
        optional url: String = "url" since V2025_11_25,
        /// The id that `notifications/elicitation/complete` names (2025-11-25 only).
        optional elicitation_id: String = "elicitationId" since V2025_11_25 until V2025_11_25,
        /// The wish to run as a task, which is refused.
        optional task: Raw as TaskMetadata = "task" since V2025_11_25 until V2025_11_25,
        /// The progress token.
        optional meta: RawObject as RequestMeta = "_meta" until V2025_11_25,
    }
}

impl ElicitParams {
    /// Whether a peer of `revision` can ask a person this. There is no elicitation before 2025-06-18, and
    /// addresses, choices with titles and choices of several only since 2025-11-25; a projection would
    /// make another question of them.
    pub fn can_be_asked_in(&self, revision: Revision) -> bool {
        if revision >= Revision::V2025_11_25 {
            return true;
        }
        let form = matches!(self.mode, None | Some(ElicitMode::Form));
        let fields = || {
            let schema = self.requested_schema.as_ref()?;
            let schema: RequestedSchema = schema.decode().ok()?;
            Some(schema.properties)
        };
        revision == Revision::V2025_06_18
            && form
            && fields().is_some_and(|fields| fields.iter().all(|(_, field)| is_simple(field)))
    }
}

/// Whether 2025-06-18 has such a field.
fn is_simple(field: &Raw) -> bool {
    match field.decode() {
        Ok(PrimitiveSchema::String(field)) => field.one_of.is_none(),
        Ok(PrimitiveSchema::Array(_) | PrimitiveSchema::Unknown(_)) | Err(_) => false,
        Ok(_) => true,
    }
}

open_enum! {
    /// What the person did.
    #[derive(Default)]
    pub enum ElicitAction {
        /// They answered.
        Accept = "accept",
        /// They would not answer.
        Decline = "decline",
        /// They closed the question.
        #[default]
        Cancel = "cancel",
    }
}

open_struct! {
    /// The result of `elicitation/create`. Inside `inputResponses` it stands bare (protocol.md §4.7).
    pub struct ElicitResult {
        /// What the person did.
        required action: ElicitAction = "action",
        /// The form as filled in, where they answered one.
        optional content: RawObject = "content",
        /// Data of the client.
        optional meta: RawObject as ResultMeta = "_meta" until V2025_11_25,
    }
}

open_struct! {
    /// The parameters of `notifications/elicitation/complete` (2025-11-25 only).
    pub struct ElicitationCompleteParams is "ElicitationCompleteNotification/params" {
        /// The question that was answered at its address.
        required elicitation_id: String = "elicitationId",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_peer_is_asked_only_what_it_can_ask() {
        let form = |field: &str| {
            format!(
                r#"{{"message":"m","requestedSchema":{{"type":"object","properties":{{"f":{field}}}}}}}"#
            )
        };
        for (params, second, third) in [
            (form(r#"{"type":"string"}"#), false, true),
            (form(r#"{"type":"integer","minimum":0}"#), false, true),
            (form(r#"{"type":"string","enum":["a"]}"#), false, true),
            (form(r#"{"type":"string","oneOf":[]}"#), false, false),
            (form(r#"{"type":"array","items":{}}"#), false, false),
            (form(r#"{"type":"rank"}"#), false, false),
            (
                r#"{"mode":"url","message":"m","url":"https://a"}"#.to_owned(),
                false,
                false,
            ),
        ] {
            let question: ElicitParams = serde_json::from_str(&params).unwrap();
            let asked = |revision| question.can_be_asked_in(revision);
            assert_eq!(asked(Revision::V2025_03_26), second, "{params}");
            assert_eq!(asked(Revision::V2025_06_18), third, "{params}");
            assert!(asked(Revision::V2025_11_25) && asked(Revision::V2026_07_28));
        }
    }
}
