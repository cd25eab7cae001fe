//! The parameters of a request, written once and never parsed again.

use mcp_proto::message::{write_id, write_raw, write_string};
use mcp_proto::{Raw, RawObject, RequestId, meta};

/// The parameters of a request: fields as JSON text, and the caller's part of `_meta`. What the era
/// demands of `_meta` is added when the request is sent.
#[derive(Clone, Debug, Default)]
pub struct Params {
    fields: Vec<u8>,
    meta: RawObject,
}

impl Params {
    /// No parameters.
    pub fn new() -> Self {
        Params::default()
    }

    /// No parameters yet, with room for so many bytes of them.
    pub(crate) fn with_room(bytes: usize) -> Self {
        Params {
            fields: Vec::with_capacity(bytes),
            meta: RawObject::default(),
        }
    }

    /// A field that is a string.
    pub fn text(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        write_string(&mut self.fields, value);
        self
    }

    /// A field whose bytes are passed on.
    pub fn raw(mut self, key: &str, value: &Raw) -> Self {
        self.key(key);
        write_raw(&mut self.fields, value.get());
        self
    }

    /// The fields of an object, their bytes passed on; its `_meta` as [`Params::meta`].
    pub fn object(mut self, object: &RawObject) -> Self {
        for (key, value) in object.iter() {
            self = match key {
                meta::META => self.meta(value.decode().unwrap_or_default()),
                _ => self.raw(key, value),
            };
        }
        self
    }

    /// The caller's `_meta`. Keys that the protocol gives a meaning in a request (version, client,
    /// progress token) belong to the hop, not to the caller, and are left out.
    pub fn meta(mut self, mut caller: RawObject) -> Self {
        for key in [
            meta::PROTOCOL_VERSION,
            meta::CLIENT_INFO,
            meta::CLIENT_CAPABILITIES,
            meta::PROGRESS_TOKEN,
            meta::SUBSCRIPTION_ID,
        ] {
            caller.remove(key);
        }
        self.meta = caller;
        self
    }

    fn key(&mut self, key: &str) {
        if !self.fields.is_empty() {
            self.fields.push(b',');
        }
        write_string(&mut self.fields, key);
        self.fields.push(b':');
    }

    /// Appends the whole, with the envelope of the era and, where progress is wanted, its token.
    pub(crate) fn write(&self, out: &mut Vec<u8>, envelope: &RawObject, token: Option<&RequestId>) {
        out.push(b'{');
        out.extend_from_slice(&self.fields);
        if !envelope.is_empty() || !self.meta.is_empty() || token.is_some() {
            if !self.fields.is_empty() {
                out.push(b',');
            }
            out.extend_from_slice(b"\"_meta\":{");
            let mut first = true;
            let mut comma = |out: &mut Vec<u8>| {
                if !std::mem::take(&mut first) {
                    out.push(b',');
                }
            };
            for (key, value) in envelope.iter().chain(self.meta.iter()) {
                comma(out);
                write_string(out, key);
                out.push(b':');
                write_raw(out, value.get());
            }
            if let Some(token) = token {
                comma(out);
                out.extend_from_slice(b"\"progressToken\":");
                write_id(out, token);
            }
            out.push(b'}');
        }
        out.push(b'}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> RawObject {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn fields_pass_and_the_hops_own_meta_is_replaced() {
        let caller = r#"{"name":"a","arguments":{"n" : 1e400},"_meta":{"progressToken":"host","x/y":1,"io.modelcontextprotocol/clientInfo":{}}}"#;
        let params = Params::new().object(&object(caller));
        let mut out = Vec::new();
        params.write(
            &mut out,
            &object(r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#),
            Some(&7.into()),
        );
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{"name":"a","arguments":{"n" : 1e400},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","x/y":1,"progressToken":7}}"#
        );
    }

    #[test]
    fn nothing_is_an_empty_object() {
        let mut out = Vec::new();
        Params::new().write(&mut out, &RawObject::default(), None);
        Params::new().write(&mut out, &RawObject::default(), Some(&"t".into()));
        assert_eq!(
            String::from_utf8(out).unwrap(),
            r#"{}{"_meta":{"progressToken":"t"}}"#
        );
    }
}
