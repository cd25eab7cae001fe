//! Sampling: a server asks its host for an answer of a model.

use crate::content::{ContentBlock, MediaContent, Role, TextContent};
use crate::meta::{RequestMeta, ResultMeta};
use crate::one_or_many::OneOrMany;
use crate::open_enum::open_enum;
use crate::open_struct::open_struct;
use crate::open_union::open_union;
use crate::task::TaskMetadata;
use crate::tool::{StructuredContent, Tool};
use crate::{Raw, RawObject};

open_struct! {
    /// A model's wish to call a tool.
    pub struct ToolUseContent {
        /// The id that the result of the call names.
        required id: String = "id",
        /// The tool.
        required name: String = "name",
        /// Its arguments, untouched.
        required input: Raw = "input",
        /// Data of the sender.
        optional meta: RawObject = "_meta",
    }
}

open_struct! {
    /// What the call of a tool gave.
    pub struct ToolResultContent {
        /// The id of the call.
        required tool_use_id: String = "toolUseId",
        /// What the model reads.
        defaulted content: Vec<ContentBlock> = "content",
        /// The result as data; null is a value.
        nullable structured_content: Raw as StructuredContent = "structuredContent",
        /// Whether the tool failed.
        optional is_error: bool = "isError",
        /// Data of the sender.
        optional meta: RawObject = "_meta",
    }
}

open_union! {
    /// One block of a message to or from a model, by its `type`.
    pub enum SamplingContent is "SamplingMessage/content" by "type" else Text {
        /// `text`
        Text(TextContent) = "text",
        /// `image`
        Image(MediaContent) = "image",
        /// `audio`
        Audio(MediaContent) = "audio" since V2025_03_26,
        /// `tool_use`
        ToolUse(ToolUseContent) = "tool_use" since V2025_11_25,
        /// `tool_result`
        ToolResult(ToolResultContent) = "tool_result" since V2025_11_25,
    }
}

impl Default for SamplingContent {
    fn default() -> Self {
        SamplingContent::Text(TextContent::default())
    }
}

open_struct! {
    /// One message of the conversation that the model is to go on with.
    pub struct SamplingMessage {
        /// Who says it.
        required role: Role = "role",
        /// What is said: one block, or several since 2025-11-25.
        required content: OneOrMany<SamplingContent> = "content",
        /// Data of the server.
        optional meta: RawObject = "_meta" since V2025_11_25,
    }
}

open_struct! {
    /// A hint at a model.
    pub struct ModelHint {
        /// A part of its name.
        optional name: String = "name",
    }
}

open_struct! {
    /// Which model a server would like best.
    pub struct ModelPreferences {
        /// Models, the best first.
        optional hints: Vec<ModelHint> = "hints",
        /// How much the price matters, 0 to 1.
        optional cost_priority: f64 = "costPriority",
        /// How much the time matters, 0 to 1.
        optional speed_priority: f64 = "speedPriority",
        /// How much the quality matters, 0 to 1.
        optional intelligence_priority: f64 = "intelligencePriority",
    }
}

open_enum! {
    /// What of its MCP context a host is asked to give to the model.
    pub enum IncludeContext {
        /// Nothing.
        None = "none",
        /// That of the server that asks.
        ThisServer = "thisServer",
        /// That of all servers.
        AllServers = "allServers",
    }
}

open_enum! {
    /// Whether the model may call tools.
    pub enum ToolChoiceMode {
        /// It decides.
        Auto = "auto",
        /// It must.
        Required = "required",
        /// It must not.
        None = "none",
    }
}

open_struct! {
    /// How the model may use the tools of a request.
    pub struct ToolChoice {
        /// Whether it may call them; `auto` where absent.
        optional mode: ToolChoiceMode = "mode",
    }
}

open_struct! {
    /// The parameters of `sampling/createMessage` (protocol.md §3).
    pub struct CreateMessageParams is "CreateMessageRequestParams" {
        /// The conversation so far.
        required messages: Vec<SamplingMessage> = "messages",
        /// Which model would be best.
        optional model_preferences: ModelPreferences = "modelPreferences",
        /// The system prompt.
        optional system_prompt: String = "systemPrompt",
        /// What context the host is to add.
        optional include_context: IncludeContext = "includeContext",
        /// How free the model is.
        optional temperature: f64 = "temperature",
        /// How many tokens the answer may have.
        required max_tokens: i64 = "maxTokens",
        /// Texts that end the answer.
        optional stop_sequences: Vec<String> = "stopSequences",
        /// Data for the model's provider, untouched.
        optional metadata: Raw = "metadata",
        /// Tools that the model may call.
        optional tools: Vec<Tool> = "tools" since V2025_11_25,
        /// How it may use them.
        optional tool_choice: ToolChoice = "toolChoice" since V2025_11_25,
        /// The wish to run as a task, which is refused.
        optional task: Raw as TaskMetadata = "task" since V2025_11_25 until V2025_11_25,
        /// The progress token.
        optional meta: RawObject as RequestMeta = "_meta" until V2025_11_25,
    }
}

open_struct! {
    /// The result of `sampling/createMessage`. Inside `inputResponses` it stands bare (protocol.md §4.7).
    pub struct CreateMessageResult {
        /// Who says it.
        required role: Role = "role",
        /// What is said: one block, or several since 2025-11-25.
        required content: OneOrMany<SamplingContent> = "content",
        /// The model that said it.
        required model: String = "model",
        /// Why it stopped: `endTurn`, `stopSequence`, `maxTokens`, `toolUse` or another reason.
        optional stop_reason: String = "stopReason",
        /// Data of the client.
        optional meta: RawObject as ResultMeta = "_meta",
    }
}
