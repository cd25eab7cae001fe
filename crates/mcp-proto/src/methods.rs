//! The names of requests and notifications, and which revision has which (protocol.md §2).

use crate::Revision;
use crate::completion::{CompleteParams, CompleteResult};
use crate::elicitation::{ElicitParams, ElicitResult, ElicitationCompleteParams};
use crate::lifecycle::{DiscoverResult, InitializeParams, InitializeResult, RequestParams};
use crate::list::{
    ListParams, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult,
};
use crate::logging::{LogMessageParams, SetLevelParams};
use crate::notifications::{
    AcknowledgedParams, CancelledParams, ListenParams, ListenResult, NotificationParams,
    ProgressParams,
};
use crate::prompt::{GetPromptParams, GetPromptResult};
use crate::resource::{
    ReadResourceParams, ReadResourceResult, ResourceUpdatedParams, SubscribeParams,
};
use crate::result::EmptyResult;
use crate::roots::{ListRootsParams, ListRootsResult};
use crate::sampling::{CreateMessageParams, CreateMessageResult};
use crate::shape::{Shape, Wire};
use crate::task::TaskParams;
use crate::tool::{CallToolParams, CallToolResult};

/// Who sends a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The client.
    Client,
    /// The server.
    Server,
    /// Either.
    Both,
}

/// One row: a method and the revisions that have it.
#[derive(Debug)]
pub struct Method {
    /// Its name on the wire.
    pub name: &'static str,
    /// Who sends it. In 2026-07-28 only servers report progress.
    pub sender: Sender,
    /// The first revision that has it.
    pub since: Revision,
    /// The last revision that has it as a message of its own. Three requests of servers go on inside
    /// results ([`crate::input`]).
    pub until: Revision,
    /// What its parameters look like.
    pub params: Shape,
    /// What its result looks like; a notification has none.
    pub result: Option<Shape>,
}

impl Method {
    /// Whether `revision` has the method.
    pub fn is_in(&self, revision: Revision) -> bool {
        (self.since..=self.until).contains(&revision)
    }
}

/// The row of the method `name`; `None` where no revision has it.
pub fn find(name: &str) -> Option<&'static Method> {
    ALL.iter().find(|method| method.name == name)
}

macro_rules! methods {
    ($(
        $(#[$meta:meta])*
        $constant:ident = $name:literal from $sender:ident, $params:ident $(=> $result:ident)?
            $(, since $since:ident)? $(, until $until:ident)?;
    )*) => {
        $( $(#[$meta])* pub const $constant: &str = $name; )*

        /// Every method of every revision.
        pub static ALL: &[Method] = &[ $( Method {
            name: $name,
            sender: Sender::$sender,
            since: crate::open_struct::open_struct!(@since $($since)?),
            until: crate::open_struct::open_struct!(@until $($until)?),
            params: <$params as Wire>::SHAPE,
            result: methods!(@result $($result)?),
        }, )* ];
    };
    (@result) => { None };
    (@result $result:ident) => { Some(<$result as Wire>::SHAPE) };
}

methods! {
    /// Handshake of the legacy era.
    INITIALIZE = "initialize" from Client, InitializeParams => InitializeResult, until V2025_11_25;
    /// The client's last word of the legacy handshake.
    INITIALIZED = "notifications/initialized" from Client, NotificationParams, until V2025_11_25;
    /// A sign of life; legacy era.
    PING = "ping" from Both, RequestParams => EmptyResult, until V2025_11_25;
    /// Handshake of the modern era.
    DISCOVER = "server/discover" from Client, RequestParams => DiscoverResult, since V2026_07_28;
    /// One page of tools.
    TOOLS_LIST = "tools/list" from Client, ListParams => ListToolsResult;
    /// One tool call.
    TOOLS_CALL = "tools/call" from Client, CallToolParams => CallToolResult;
    /// One page of resources.
    RESOURCES_LIST = "resources/list" from Client, ListParams => ListResourcesResult;
    /// One page of resource templates.
    RESOURCE_TEMPLATES_LIST = "resources/templates/list" from Client, ListParams => ListResourceTemplatesResult;
    /// The contents of one resource.
    RESOURCES_READ = "resources/read" from Client, ReadResourceParams => ReadResourceResult;
    /// The client wants to hear when a resource changes; legacy era.
    RESOURCES_SUBSCRIBE = "resources/subscribe" from Client, SubscribeParams => EmptyResult, until V2025_11_25;
    /// The client no longer wants to; legacy era.
    RESOURCES_UNSUBSCRIBE = "resources/unsubscribe" from Client, SubscribeParams => EmptyResult, until V2025_11_25;
    /// One page of prompts.
    PROMPTS_LIST = "prompts/list" from Client, ListParams => ListPromptsResult;
    /// One prompt, filled in.
    PROMPTS_GET = "prompts/get" from Client, GetPromptParams => GetPromptResult;
    /// Suggestions for an argument.
    COMPLETE = "completion/complete" from Client, CompleteParams => CompleteResult;
    /// Which log lines the client wants; legacy era.
    SET_LEVEL = "logging/setLevel" from Client, SetLevelParams => EmptyResult, until V2025_11_25;
    /// One long-lived subscription; modern era.
    LISTEN = "subscriptions/listen" from Client, ListenParams => ListenResult, since V2026_07_28;
    /// An answer of a model, for the server.
    CREATE_MESSAGE = "sampling/createMessage" from Server, CreateMessageParams => CreateMessageResult, until V2025_11_25;
    /// The folders that the host works in, for the server.
    ROOTS_LIST = "roots/list" from Server, ListRootsParams => ListRootsResult, until V2025_11_25;
    /// An answer of a person, for the server.
    ELICIT = "elicitation/create" from Server, ElicitParams => ElicitResult, since V2025_06_18, until V2025_11_25;
    /// How a task is; refused (D6).
    TASKS_GET = "tasks/get" from Both, TaskParams => EmptyResult, since V2025_11_25, until V2025_11_25;
    /// What a task gave; refused (D6).
    TASKS_RESULT = "tasks/result" from Both, TaskParams => EmptyResult, since V2025_11_25, until V2025_11_25;
    /// One page of tasks; refused (D6).
    TASKS_LIST = "tasks/list" from Both, ListParams => EmptyResult, since V2025_11_25, until V2025_11_25;
    /// A task is no longer wanted; refused (D6).
    TASKS_CANCEL = "tasks/cancel" from Both, TaskParams => EmptyResult, since V2025_11_25, until V2025_11_25;
    /// The first message of a subscription.
    ACKNOWLEDGED = "notifications/subscriptions/acknowledged" from Server, AcknowledgedParams, since V2026_07_28;
    /// The sender no longer wants an answer.
    CANCELLED = "notifications/cancelled" from Both, CancelledParams;
    /// How far a request is.
    PROGRESS = "notifications/progress" from Both, ProgressParams;
    /// A log line of the server.
    LOG_MESSAGE = "notifications/message" from Server, LogMessageParams;
    /// The list of tools is another.
    TOOLS_LIST_CHANGED = "notifications/tools/list_changed" from Server, NotificationParams;
    /// The list of resources is another.
    RESOURCES_LIST_CHANGED = "notifications/resources/list_changed" from Server, NotificationParams;
    /// The list of prompts is another.
    PROMPTS_LIST_CHANGED = "notifications/prompts/list_changed" from Server, NotificationParams;
    /// A resource that the client watches is another.
    RESOURCE_UPDATED = "notifications/resources/updated" from Server, ResourceUpdatedParams;
    /// The folders that the host works in are others; legacy era.
    ROOTS_LIST_CHANGED = "notifications/roots/list_changed" from Client, NotificationParams, until V2025_11_25;
    /// A person has answered at the address they were sent to; 2025-11-25 only.
    ELICITATION_COMPLETE = "notifications/elicitation/complete" from Server, ElicitationCompleteParams, since V2025_11_25, until V2025_11_25;
    /// A task is in another state; ignored (D6).
    TASK_STATUS = "notifications/tasks/status" from Both, NotificationParams, since V2025_11_25, until V2025_11_25;
}
