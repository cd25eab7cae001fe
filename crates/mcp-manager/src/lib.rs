//! Many servers: connections, health, reconnect, routing, status text.
