//! Roots: the folders that a host works in.

use crate::RawObject;
use crate::meta::{RequestMeta, ResultMeta};
use crate::open_struct::open_struct;

open_struct! {
    /// A folder or a file that a server may work in.
    pub struct Root {
        /// Where it is, a `file:` address.
        required uri: String = "uri",
        /// Its name for people.
        optional name: String = "name",
        /// Data of the client.
        optional meta: RawObject = "_meta" since V2025_06_18,
    }
}

open_struct! {
    /// The parameters of `roots/list`.
    pub struct ListRootsParams is "ListRootsRequest/params" {
        /// Data of the server.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The result of `roots/list`.
    pub struct ListRootsResult {
        /// The folders, in order.
        required roots: Vec<Root> = "roots",
        /// Data of the client.
        optional meta: RawObject as ResultMeta = "_meta" until V2025_11_25,
    }
}
