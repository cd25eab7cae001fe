//! Our type for each definition of the official schemas: how it is read, written and projected.

use std::collections::BTreeMap;

use mcp_proto::capabilities::{ClientCapabilities, ServerCapabilities};
use mcp_proto::completion::{CompleteParams, CompleteResult, CompletionReference};
use mcp_proto::content::{Annotations, ContentBlock, Role};
use mcp_proto::elicitation::{ElicitParams, ElicitResult, PrimitiveSchema};
use mcp_proto::icon::Icon;
use mcp_proto::input::{InputRequest, InputRequiredResult};
use mcp_proto::lifecycle::{
    DiscoverResult, Implementation, InitializeParams, InitializeResult, RequestParams,
};
use mcp_proto::list::{
    ListParams, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult,
};
use mcp_proto::logging::{LogMessageParams, LoggingLevel, SetLevelParams};
use mcp_proto::meta::{NotificationMeta, RequestMeta, ResultMeta};
use mcp_proto::notifications::{
    AcknowledgedParams, CancelledParams, ListenParams, ListenResult, NotificationParams,
    ProgressParams, SubscriptionFilter,
};
use mcp_proto::prompt::{GetPromptParams, GetPromptResult, Prompt, PromptArgument, PromptMessage};
use mcp_proto::resource::{
    ReadResourceParams, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    ResourceUpdatedParams, SubscribeParams,
};
use mcp_proto::result::{AnyResult, EmptyResult};
use mcp_proto::roots::{ListRootsParams, ListRootsResult, Root};
use mcp_proto::sampling::{
    CreateMessageParams, CreateMessageResult, ModelHint, ModelPreferences, SamplingContent,
    SamplingMessage, ToolChoice,
};
use mcp_proto::shape::{Shape, Wire};
use mcp_proto::task::{TaskMetadata, TaskParams, ToolExecution};
use mcp_proto::tool::{CallToolParams, CallToolResult, Tool, ToolAnnotations};
use mcp_proto::{ErrorObject, RawObject, RequestId};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// One of our types.
pub(crate) struct Type {
    pub(crate) shape: Shape,
    /// Reads JSON as the type and writes it again.
    pub(crate) round: fn(&str) -> serde_json::Result<String>,
}

fn of<T: Wire + Serialize + DeserializeOwned>() -> Type {
    Type {
        shape: T::SHAPE,
        round: |text| serde_json::to_string(&serde_json::from_str::<T>(text)?),
    }
}

macro_rules! types {
    ($($ours:ty: $($official:literal),+;)*) => {
        /// Our type for a definition.
        pub(crate) fn of_definition(definition: &str) -> Option<Type> {
            Some(match definition {
                $( $($official)|+ => of::<$ours>(), )*
                _ => return None,
            })
        }
    };
}

types! {
    Annotations: "Annotations";
    AnyResult: "CacheableResult";
    CallToolParams: "CallToolRequestParams";
    CallToolResult: "CallToolResult";
    CancelledParams: "CancelledNotificationParams";
    ClientCapabilities: "ClientCapabilities";
    CompleteParams: "CompleteRequestParams";
    CompleteResult: "CompleteResult";
    CompletionReference: "PromptReference", "ResourceReference", "ResourceTemplateReference";
    ContentBlock: "ContentBlock", "TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource";
    CreateMessageParams: "CreateMessageRequestParams";
    CreateMessageResult: "CreateMessageResult";
    DiscoverResult: "DiscoverResult";
    ElicitParams: "ElicitRequestParams", "ElicitRequestFormParams", "ElicitRequestURLParams";
    ElicitResult: "ElicitResult";
    EmptyResult: "EmptyResult", "Result";
    ErrorObject: "Error", "ParseError", "InvalidRequestError", "MethodNotFoundError", "InvalidParamsError", "InternalError";
    GetPromptParams: "GetPromptRequestParams";
    GetPromptResult: "GetPromptResult";
    Icon: "Icon";
    Implementation: "Implementation";
    InitializeParams: "InitializeRequestParams";
    InitializeResult: "InitializeResult";
    InputRequest: "InputRequest";
    BTreeMap<String, InputRequest>: "InputRequests";
    InputRequiredResult: "InputRequiredResult";
    ListParams: "PaginatedRequestParams";
    ListPromptsResult: "ListPromptsResult";
    ListResourceTemplatesResult: "ListResourceTemplatesResult";
    ListResourcesResult: "ListResourcesResult";
    ListRootsResult: "ListRootsResult";
    ListToolsResult: "ListToolsResult";
    ListenParams: "SubscriptionsListenRequestParams";
    AcknowledgedParams: "SubscriptionsAcknowledgedNotificationParams";
    ListenResult: "SubscriptionsListenResult";
    LogMessageParams: "LoggingMessageNotificationParams";
    LoggingLevel: "LoggingLevel";
    ModelHint: "ModelHint";
    ModelPreferences: "ModelPreferences";
    NotificationMeta: "NotificationMetaObject";
    NotificationParams: "NotificationParams";
    PrimitiveSchema: "PrimitiveSchemaDefinition", "StringSchema", "NumberSchema", "BooleanSchema", "EnumSchema",
        "SingleSelectEnumSchema", "MultiSelectEnumSchema", "LegacyTitledEnumSchema", "TitledSingleSelectEnumSchema",
        "UntitledSingleSelectEnumSchema", "TitledMultiSelectEnumSchema", "UntitledMultiSelectEnumSchema";
    ProgressParams: "ProgressNotificationParams";
    Prompt: "Prompt";
    PromptArgument: "PromptArgument";
    PromptMessage: "PromptMessage";
    RawObject: "InputResponses", "MetaObject", "JSONObject";
    ReadResourceParams: "ReadResourceRequestParams";
    ReadResourceResult: "ReadResourceResult";
    RequestId: "RequestId", "ProgressToken";
    RequestMeta: "RequestMetaObject";
    RequestParams: "RequestParams";
    Resource: "Resource";
    ResourceContents: "TextResourceContents", "BlobResourceContents", "ResourceContents";
    ResourceTemplate: "ResourceTemplate";
    ResourceUpdatedParams: "ResourceUpdatedNotificationParams";
    ResultMeta: "ResultMetaObject", "SubscriptionsListenResultMetaObject";
    Role: "Role";
    Root: "Root";
    SamplingContent: "SamplingMessageContentBlock", "ToolUseContent", "ToolResultContent";
    SamplingMessage: "SamplingMessage";
    ServerCapabilities: "ServerCapabilities";
    SetLevelParams: "SetLevelRequestParams";
    String: "Cursor", "ResultType";
    SubscribeParams: "SubscribeRequestParams", "UnsubscribeRequestParams";
    SubscriptionFilter: "SubscriptionFilter";
    TaskMetadata: "TaskMetadata";
    Tool: "Tool";
    ToolAnnotations: "ToolAnnotations";
    ToolChoice: "ToolChoice";
    ToolExecution: "ToolExecution";
}

macro_rules! of_methods {
    ($($method:literal: $params:ty;)*) => {
        /// Our type for the parameters of a method.
        pub(crate) fn of_params(method: &str) -> Option<Type> {
            Some(match method {
                $( $method => of::<$params>(), )*
                _ => return None,
            })
        }
    };
}

of_methods! {
    "initialize": InitializeParams;
    "ping": RequestParams;
    "server/discover": RequestParams;
    "tools/list": ListParams;
    "tools/call": CallToolParams;
    "resources/list": ListParams;
    "resources/templates/list": ListParams;
    "resources/read": ReadResourceParams;
    "resources/subscribe": SubscribeParams;
    "resources/unsubscribe": SubscribeParams;
    "prompts/list": ListParams;
    "prompts/get": GetPromptParams;
    "completion/complete": CompleteParams;
    "logging/setLevel": SetLevelParams;
    "subscriptions/listen": ListenParams;
    "sampling/createMessage": CreateMessageParams;
    "roots/list": ListRootsParams;
    "elicitation/create": ElicitParams;
    "tasks/get": TaskParams;
    "tasks/result": TaskParams;
    "tasks/list": ListParams;
    "tasks/cancel": TaskParams;
    "notifications/initialized": NotificationParams;
    "notifications/subscriptions/acknowledged": AcknowledgedParams;
    "notifications/cancelled": CancelledParams;
    "notifications/progress": ProgressParams;
    "notifications/message": LogMessageParams;
    "notifications/tools/list_changed": NotificationParams;
    "notifications/resources/list_changed": NotificationParams;
    "notifications/prompts/list_changed": NotificationParams;
    "notifications/resources/updated": ResourceUpdatedParams;
    "notifications/roots/list_changed": NotificationParams;
    "notifications/elicitation/complete": mcp_proto::elicitation::ElicitationCompleteParams;
    "notifications/tasks/status": NotificationParams;
}
