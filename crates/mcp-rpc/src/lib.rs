//! One JSON-RPC conversation, either side: a pure core and a thin tokio driver.
