//! Log lines of a server, and how many of them a client wants.

use crate::Raw;
use crate::RawObject;
use crate::meta::{NotificationMeta, RequestMeta};
use crate::open_enum::open_enum;
use crate::open_struct::open_struct;

open_enum! {
    /// How grave a log line is (RFC 5424), the least first.
    #[derive(Default)]
    pub enum LoggingLevel {
        /// For those who look for a fault.
        Debug = "debug",
        /// What happens.
        #[default]
        Info = "info",
        /// What happens and is of note.
        Notice = "notice",
        /// What may be a fault.
        Warning = "warning",
        /// A fault.
        Error = "error",
        /// A part is out of order.
        Critical = "critical",
        /// Somebody must act at once.
        Alert = "alert",
        /// Nothing works.
        Emergency = "emergency",
    }
}

impl LoggingLevel {
    /// Its place among the levels, the least being 0; `None` for a level that this version does not know.
    pub fn rank(&self) -> Option<u8> {
        Some(match self {
            LoggingLevel::Debug => 0,
            LoggingLevel::Info => 1,
            LoggingLevel::Notice => 2,
            LoggingLevel::Warning => 3,
            LoggingLevel::Error => 4,
            LoggingLevel::Critical => 5,
            LoggingLevel::Alert => 6,
            LoggingLevel::Emergency => 7,
            LoggingLevel::Other(_) => return None,
        })
    }
}

open_struct! {
    /// The parameters of `logging/setLevel`; legacy era.
    pub struct SetLevelParams is "SetLevelRequestParams" {
        /// The least level that is wanted.
        required level: LoggingLevel = "level",
        /// The envelope and the progress token.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The parameters of `notifications/message`.
    pub struct LogMessageParams is "LoggingMessageNotificationParams" {
        /// How grave it is.
        required level: LoggingLevel = "level",
        /// The part of the server that speaks.
        optional logger: String = "logger",
        /// What it says; null is a value.
        required data: Raw = "data",
        /// Data of the sender.
        optional meta: RawObject as NotificationMeta = "_meta",
    }
}
