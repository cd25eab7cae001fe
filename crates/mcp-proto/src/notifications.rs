//! The parameters of notifications and of the subscription that carries some of them.

use crate::meta::{NotificationMeta, RequestMeta, ResultMeta};
use crate::open_struct::open_struct;
use crate::{ProgressToken, RawObject, RequestId};

open_struct! {
    /// The parameters of `notifications/cancelled`.
    pub struct CancelledParams is "CancelledNotificationParams" {
        /// The request that is no longer wanted.
        optional request_id: RequestId = "requestId",
        /// Why, for logs.
        optional reason: String = "reason",
        /// Data of the sender.
        optional meta: RawObject as NotificationMeta = "_meta",
    }
}

/// Progress of a request, as a number that only grows.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How far it is.
    pub progress: f64,
    /// How far it will go, where that is known.
    pub total: Option<f64>,
    /// What is being done, in words (since 2025-03-26).
    pub message: Option<String>,
}

impl Progress {
    /// The JSON text of the parameters of a `notifications/progress` under `token`.
    pub fn to_params(&self, token: &ProgressToken) -> String {
        let mut params = serde_json::Map::new();
        params.insert("progressToken".into(), serde_json::json!(token));
        params.insert("progress".into(), serde_json::json!(self.progress));
        if let Some(total) = self.total {
            params.insert("total".into(), serde_json::json!(total));
        }
        if let Some(message) = &self.message {
            params.insert("message".into(), message.as_str().into());
        }
        serde_json::Value::Object(params).to_string()
    }
}

open_struct! {
    /// The parameters of `notifications/progress`.
    pub struct ProgressParams is "ProgressNotificationParams" {
        /// The token that the request named.
        optional token: ProgressToken = "progressToken",
        /// How far it is.
        required progress: f64 = "progress",
        /// How far it will go.
        optional total: f64 = "total",
        /// What is being done.
        optional message: String = "message" since V2025_03_26,
        /// Data of the sender.
        optional meta: RawObject as NotificationMeta = "_meta",
    }
}

open_struct! {
    /// What a subscription asks for, and what of it a server honours.
    pub struct SubscriptionFilter {
        /// Changes of the tool list.
        optional tools_list_changed: bool = "toolsListChanged",
        /// Changes of the prompt list.
        optional prompts_list_changed: bool = "promptsListChanged",
        /// Changes of the resource list.
        optional resources_list_changed: bool = "resourcesListChanged",
        /// Updates of these resources.
        optional resource_subscriptions: Vec<String> = "resourceSubscriptions",
    }
}

open_struct! {
    /// The parameters of `subscriptions/listen`, and of the notification that acknowledges it.
    pub struct ListenParams is "SubscriptionsListenRequestParams" {
        /// What is listened to.
        required notifications: SubscriptionFilter = "notifications",
        /// The envelope, or the subscription's id.
        optional meta: RawObject as RequestMeta = "_meta",
    }
}

open_struct! {
    /// The parameters of `notifications/subscriptions/acknowledged`.
    pub struct AcknowledgedParams is "SubscriptionsAcknowledgedNotificationParams" {
        /// What of the wish is honoured.
        required notifications: SubscriptionFilter = "notifications",
        /// The subscription's id.
        optional meta: RawObject as NotificationMeta = "_meta",
    }
}

open_struct! {
    /// The result that ends a subscription.
    pub struct ListenResult is "SubscriptionsListenResult" {
        /// Whether it is the answer.
        optional result_type: String = "resultType",
        /// The subscription's id.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}

open_struct! {
    /// The parameters of notifications that have none of their own.
    pub struct NotificationParams {
        /// Data of the sender.
        optional meta: RawObject as NotificationMeta = "_meta",
    }
}
