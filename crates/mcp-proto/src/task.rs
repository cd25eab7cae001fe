//! The experimental tasks of 2025-11-25, as far as one must know them to refuse them (D6).

use crate::Raw;
use crate::open_struct::open_struct;

open_struct! {
    /// The wish, in the parameters of a request, that it runs as a task.
    pub struct TaskMetadata {
        /// How long the task is to be kept, in milliseconds.
        optional ttl: u64 = "ttl",
    }
}

open_struct! {
    /// The parameters of `tasks/get`, `tasks/result` and `tasks/cancel`.
    pub struct TaskParams is "GetTaskRequest/params" {
        /// The task.
        required task_id: String = "taskId",
    }
}

open_struct! {
    /// Whether a tool may, or must, run as a task.
    pub struct ToolExecution {
        /// `forbidden`, `optional` or `required`; a tool of the last kind cannot be called without tasks.
        optional task_support: Raw = "taskSupport",
    }
}
