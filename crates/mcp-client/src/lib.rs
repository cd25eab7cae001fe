//! One session with one MCP server: transports, era probe and handshake, paging.
