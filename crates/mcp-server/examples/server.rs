//! A complete server over stdin and stdout, with one tool.

use std::sync::Arc;

use async_trait::async_trait;
use mcp_proto::ErrorObject;
use mcp_proto::capabilities::ListCapability;
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_server::{ArgumentType, List, Reply, RequestContext, ServerDescription, ServerHandler};
use mcp_server::{ServeOptions, ToolFailure, ToolSpec, arguments, serve, stdio, unknown_tool};

struct Greeter;

#[derive(serde::Deserialize)]
struct Greet {
    name: String,
}

fn greet(Greet { name }: Greet) -> Result<String, ToolFailure> {
    match name.trim() {
        "" => Err("The name is empty; say who is to be greeted.".into()),
        name => Ok(format!("Hello, {name}!")),
    }
}

#[async_trait]
impl ServerHandler for Greeter {
    fn describe(&self) -> ServerDescription {
        let mut server = ServerDescription::new("greeter", "1.0.0");
        server.capabilities.tools = Some(ListCapability::default());
        server
    }

    async fn list(&self, _: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        let greet = ToolSpec::new("greet", "Greets a person by name.")
            .required("name", ArgumentType::String, "Who is to be greeted.")
            .read_only();
        Ok(List::of([greet]))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        match params.name.as_str() {
            "greet" => Ok(arguments(&params).and_then(greet).into()),
            other => Err(unknown_tool(other)),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let (reader, writer) = stdio()?;
    serve(Arc::new(Greeter), reader, writer, ServeOptions::default()).await;
    Ok(())
}
