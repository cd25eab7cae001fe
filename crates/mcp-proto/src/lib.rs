//! What is said: JSON-RPC 2.0 and MCP wire types, line framing; no I/O, no clock.
