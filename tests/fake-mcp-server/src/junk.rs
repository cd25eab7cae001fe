//! Lines on stdout that are no messages.

/// Before the first message: a banner, blank lines, half an object, JSON that is no message,
/// bytes that are no UTF-8, a Windows line end.
pub(crate) const FIRST: &[u8] = b"fake-mcp-server is starting ...\n\
    \n\
    {\"jsonrpc\":\"2.0\",\"id\":1,\n\
    42\n\
    null\n\
    \"ready\"\n\
    {}\n\
    \xff\xfe not UTF-8\n\
    \r\n\
    \x1b[32m[info]\x1b[0m listening on stdio\r\n";

/// Between messages.
pub(crate) const BETWEEN: &[u8] = b"[debug] handled a request\n\n";
