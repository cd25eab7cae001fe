//! Where it runs: processes and dialled streams behind one trait; knows nothing of MCP.
