//! A host in thirty lines: `cargo run -p mcp-manager --example embed -- uvx mcp-server-time`

#![expect(clippy::print_stdout, reason = "an example shows what came of it")]

use std::sync::Arc;
use std::time::Duration;

use mcp_definitions::{Command, ServerDefinition, ServerKind, ServerSet};
use mcp_manager::{CallOptions, Manager, ManagerOptions, ToolCall};
use mcp_proto::lifecycle::Implementation;
use tokio::time::Instant;
use workspace::{Local, LocalOptions, Registry, inherited_environment};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let command = words.next().ok_or("name the command of a server")?;
    let command = Command {
        command,
        args: words.collect(),
        ..Command::default()
    };
    let servers = ServerSet::try_from(vec![ServerDefinition::new(
        "demo".parse()?,
        ServerKind::Stdio(command),
    )])?;

    let mut registry = Registry::new();
    registry.insert(Arc::new(Local::new(LocalOptions {
        base_env: inherited_environment(std::env::vars()),
        search_path: std::env::var("PATH")?,
        cwd: None,
    })));
    let manager = Manager::new(
        servers,
        registry,
        ManagerOptions::new(Implementation::new("my-host", "1.0")),
    );
    manager.start(); // returns at once; the server is on its way

    let deadline = Instant::now() + Duration::from_secs(30);
    manager.settled(deadline).await;
    println!("{}", manager.status_lines(0).join("\n"));
    for connection in manager.connections().iter() {
        let Some(generation) = connection.generation() else {
            continue;
        };
        for tool in &generation.tools {
            println!("  {}", tool.tool.name);
        }
        if let Some(tool) = generation.tools.first() {
            let call = ToolCall::new(&tool.tool.name, None);
            println!(
                "{:?}",
                manager
                    .call(connection.name(), &call, CallOptions::default())
                    .await
            );
        }
    }
    manager.shutdown().await; // every process is gone
    Ok(())
}
