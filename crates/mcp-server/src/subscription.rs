//! `subscriptions/listen`: what of a filter is honoured, and what its messages carry (protocol.md §4.8).

use mcp_proto::capabilities::{ListCapability, ServerCapabilities};
use mcp_proto::list::ListKind;
use mcp_proto::notifications::{ListenParams, SubscriptionFilter};
use mcp_proto::{Raw, RawObject, RequestId, meta, methods};

/// The notification that a list is another.
pub(crate) fn notification(kind: ListKind) -> &'static str {
    match kind {
        ListKind::Tools => methods::TOOLS_LIST_CHANGED,
        ListKind::Resources | ListKind::ResourceTemplates => methods::RESOURCES_LIST_CHANGED,
        ListKind::Prompts => methods::PROMPTS_LIST_CHANGED,
    }
}

/// Whether a server that declared these capabilities tells of changes of a list.
pub(crate) fn is_declared(declared: &ServerCapabilities, kind: ListKind) -> bool {
    let capability = match kind {
        ListKind::Tools => &declared.tools,
        ListKind::Resources | ListKind::ResourceTemplates => &declared.resources,
        ListKind::Prompts => &declared.prompts,
    };
    let changes = |capability: &ListCapability| capability.list_changed == Some(true);
    capability.as_ref().is_some_and(changes)
}

/// Whether a server that declared these capabilities must let itself be listened to. Updates of single
/// resources count, though none are told yet: their acknowledgement leaves them out.
pub(crate) fn is_offered(declared: &ServerCapabilities) -> bool {
    let updates = |capability: &ListCapability| capability.subscribe == Some(true);
    declared.resources.as_ref().is_some_and(updates)
        || [ListKind::Tools, ListKind::Resources, ListKind::Prompts]
            .into_iter()
            .any(|kind| is_declared(declared, kind))
}

/// One subscription of a host.
pub(crate) struct Subscription {
    id: RequestId,
    honoured: SubscriptionFilter,
}

impl Subscription {
    /// Takes of `asked` what the server has declared; the rest is left out of the acknowledgement.
    pub(crate) fn new(
        id: RequestId,
        asked: &SubscriptionFilter,
        declared: &ServerCapabilities,
    ) -> Self {
        let honour = |asked: Option<bool>, kind| {
            (asked == Some(true) && is_declared(declared, kind)).then_some(true)
        };
        Subscription {
            id,
            honoured: SubscriptionFilter {
                tools_list_changed: honour(asked.tools_list_changed, ListKind::Tools),
                prompts_list_changed: honour(asked.prompts_list_changed, ListKind::Prompts),
                resources_list_changed: honour(asked.resources_list_changed, ListKind::Resources),
                ..SubscriptionFilter::default()
            },
        }
    }

    /// Whether the host wants to hear of a list.
    pub(crate) fn covers(&self, kind: ListKind) -> bool {
        let honoured = match kind {
            ListKind::Tools => self.honoured.tools_list_changed,
            ListKind::Resources | ListKind::ResourceTemplates => {
                self.honoured.resources_list_changed
            }
            ListKind::Prompts => self.honoured.prompts_list_changed,
        };
        honoured == Some(true)
    }

    /// The parameters of the acknowledgement, the subscription's first message.
    pub(crate) fn acknowledgement(&self) -> Raw {
        let params = ListenParams {
            notifications: self.honoured.clone(),
            meta: Some(self.meta()),
            ..ListenParams::default()
        };
        Raw::of(&params).unwrap_or_default()
    }

    /// What its notifications and its result carry: `_meta` with its id, in the JSON type it came in.
    pub(crate) fn tag(&self) -> Raw {
        let mut tagged = RawObject::default();
        tagged.push(meta::META, self.meta().to_raw());
        tagged.to_raw()
    }

    fn meta(&self) -> RawObject {
        let mut meta = RawObject::default();
        meta.push(meta::SUBSCRIPTION_ID, Raw::of(&self.id).unwrap_or_default());
        meta
    }
}
