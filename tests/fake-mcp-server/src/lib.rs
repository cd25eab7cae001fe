//! A scripted MCP server with one mode per way a server can misbehave.
