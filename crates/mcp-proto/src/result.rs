//! What every result may carry, and results that carry nothing else.

use crate::RawObject;
use crate::meta::ResultMeta;
use crate::open_enum::open_enum;
use crate::open_struct::open_struct;

open_enum! {
    /// Who may share a result that is kept (protocol.md §4.9).
    pub enum CacheScope {
        /// Everybody.
        Public = "public",
        /// Those of one authorization.
        Private = "private",
    }
}

open_struct! {
    /// The result of a request that is only acknowledged: `ping`, `logging/setLevel`, `resources/subscribe`
    /// and the like. For a legacy peer it is exactly `{}`.
    pub struct EmptyResult is "Result" {
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// What any result may carry, whatever it answers.
    pub struct AnyResult is "Result|CacheableResult" {
        /// Whether it is the answer (2026-07-28).
        optional result_type: String = "resultType" since V2026_07_28,
        /// How long it may be kept, in milliseconds; less than 0 means 0 (2026-07-28).
        optional ttl_ms: i64 = "ttlMs" since V2026_07_28,
        /// Who may share it (2026-07-28).
        optional cache_scope: CacheScope = "cacheScope" since V2026_07_28,
        /// Data of the server.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}
