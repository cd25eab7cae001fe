//! One note of the server `notes`, which is a resource too.

use mcp_proto::resource::Resource;

/// A text under a title.
pub(super) struct Note {
    pub(super) title: String,
    pub(super) text: String,
}

impl Note {
    /// Where it is: its title with every byte escaped that a URI does not hold as it is (RFC 3986).
    pub(super) fn uri(&self) -> String {
        let bytes = self.title.bytes().map(|byte| match byte {
            b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        });
        format!("note:///{}", bytes.collect::<String>())
    }

    /// The note as it is listed.
    pub(super) fn resource(&self) -> Resource {
        Resource {
            uri: self.uri(),
            name: self.title.clone(),
            mime_type: Some("text/plain".to_owned()),
            size: u64::try_from(self.text.len()).ok(),
            ..Resource::default()
        }
    }
}
