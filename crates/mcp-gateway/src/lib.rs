//! Pass-through, facade and the mcp tool: mcp-server handlers over a Manager.
