//! Pictures for tools, resources, prompts, and for clients and servers themselves.

use crate::open_enum::open_enum;
use crate::open_struct::open_struct;

open_enum! {
    /// The background that an icon was made for.
    pub enum IconTheme {
        /// A light one.
        Light = "light",
        /// A dark one.
        Dark = "dark",
    }
}

open_struct! {
    /// A picture (protocol.md §3, since 2025-11-25). Fields that hold icons keep them raw, so that a bad
    /// one costs nothing but itself.
    pub struct Icon {
        /// Where it is: an `https:` or `data:` address.
        required src: String = "src",
        /// What its bytes are.
        optional mime_type: String = "mimeType",
        /// Its sizes, such as `48x48` or `any`.
        optional sizes: Vec<String> = "sizes",
        /// The background it was made for.
        optional theme: IconTheme = "theme",
    }
}
